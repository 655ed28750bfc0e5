// Pierhead on the sandbox, for the scripts that need both.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from './built.mjs';

/** Reviews take seconds there, so the service checks on them every second instead of every ten minutes. */
const HURRY = { RECONCILE_EVERY_SECONDS: '1', REVIEW_CHECK_SECONDS: '1' };

export const EXAMPLE = join(ROOT, 'examples/tab-counter');

/** The manifest of the example extension. */
export const readExample = async () => JSON.parse(await readFile(join(EXAMPLE, 'manifest.json'), 'utf8'));

/** @returns {Promise<number>} the port wanted, or a free one where it is taken */
export function freePort(wanted) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(freePort(0)));
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Starts the sandbox in this process. It has no build of its own: SWC strips its types as it is loaded. */
export async function startSandbox(options) {
  await import('@swc-node/register/esm-register');
  const { createSandbox } = await import('../sandbox/sandbox.ts');
  return createSandbox(options);
}

/** Starts the service on its embedded database. Ctrl-C is for this process, which ends it. @param log where its output goes */
export function startService(env, log) {
  const child = spawn(process.execPath, [join(ROOT, 'dist/main.js')], {
    env: { ...process.env, ...HURRY, ...env, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  return child;
}

const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

/** Waits until a service is ready. @throws Error when it ends before */
export async function untilReady(child, origin) {
  for (;;) {
    if (hasEnded(child)) throw new Error('The service has ended.');
    const ready = await fetch(`${origin}/health/ready`).catch(() => null);
    if (ready?.ok) return;
    await pause(150);
  }
}

/** Ends a service, and waits until it has. */
export async function stopService(child) {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
