// Pierhead on the sandbox, for the scripts that need both.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from './built.mjs';

/** Reviews take seconds in the sandbox, so the service checks on them every second instead of every ten minutes. */
const HURRY = { RECONCILE_EVERY_SECONDS: '1', REVIEW_CHECK_SECONDS: '1' };

export const EXAMPLE = join(ROOT, 'examples/tab-counter');

/** The manifest of the example extension. */
export const readExample = async () => JSON.parse(await readFile(join(EXAMPLE, 'manifest.json'), 'utf8'));

/** @returns {Promise<number>} the port wanted, or any free one when it is taken or none is wanted */
export function freePort(wanted = 0) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => (wanted === 0 ? reject(error) : resolve(freePort())));
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

/** Settings of another service that would lead this one to a real database, bucket, Redis, mail server or identity provider. */
const LEADS_OUTSIDE = /^(BACKUP|DATABASE|MAIL|OIDC|REDIS|S3|SMTP)_/;

const surroundings = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !LEADS_OUTSIDE.test(name)));

/** Loaded before the service, which would otherwise outlive a parent that is killed, and keep its data folder from the next start. */
const END_WITH_PARENT =
  'data:text/javascript,const{ppid}=process;setInterval(()=>process.ppid===ppid||process.exit(1),200).unref()';

/**
 * Starts the service, on its embedded database unless the environment names another. Ctrl-C reaches only this process, which stops the service.
 * @param log where its output goes @param folder of the clone that is built
 */
export function startService(env, log, folder = ROOT) {
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, join(folder, 'dist/main.js')], {
    env: { ...surroundings(), ...HURRY, ...env },
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
export async function stopService(child, signal = 'SIGTERM') {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}
