import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Api } from './api.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a program prints for `--version`: its version, and the commit unless it was built outside of a repository. */
export const versionLine = (version: string): RegExp =>
  new RegExp(`^${version.replaceAll('.', '\\.')}( \\([0-9a-f]{12}\\))?\n$`);

/** How a process ended, and all that it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A real process of the service, built, as an operator runs it. */
export interface Service {
  readonly url: string;
  readonly api: Api;
  readonly pid: number;
  /** What it has logged so far, by message. */
  readonly said: readonly string[];
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Asks it to end, and comes back when it has said that it will. */
  terminate(): Promise<void>;
  readonly ended: Promise<Ended>;
}

type Env = Readonly<Record<string, string>>;

/** Runs Node in the project's folder, to its end, or until it has said a line and is interrupted. */
export async function run(args: readonly string[], env: Env, interruptedAt?: string): Promise<Ended> {
  const child = start(args, env);
  const ended = endOf(child);
  if (interruptedAt !== undefined && child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => line === interruptedAt && child.kill('SIGINT'));
  return ended;
}

/**
 * Starts the service on a port of its own, and comes back when it listens.
 * @param installed where, and by which program of the folder
 * @throws Error with what it said when it ends before
 */
export async function startService(
  env: Env,
  args: readonly string[] = [],
  { folder = ROOT, program = 'dist/main.js' } = {},
): Promise<Service> {
  const child = start([program, ...args], { PORT: '0', LOG_LEVEL: 'info', ...env }, folder);
  const ended = endOf(child);
  const said: string[] = [];
  const heard = new Map<string, (line: { readonly url: string }) => void>();
  const hears = (msg: string): Promise<{ readonly url: string }> => new Promise((resolve) => heard.set(msg, resolve));
  if (child.stdout === null) throw new Error('The service has no output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg, ...rest } = JSON.parse(line) as { readonly msg: string; readonly url: string };
    said.push(msg);
    heard.get(msg)?.(rest);
  });
  const early = ended.then((cause) => Promise.reject(new Error(`It ended: ${cause.stderr}`, { cause })));
  const { url } = await Promise.race([hears('listening'), early]);
  early.catch(() => undefined);
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as OpenAPIObject;
  return {
    url,
    api: new Api(url, document),
    pid: child.pid ?? 0,
    said,
    ended,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    terminate: async () => {
      const stopping = hears('stopping');
      child.kill('SIGTERM');
      await Promise.race([stopping, ended]);
    },
  };
}

function start(args: readonly string[], env: Env, folder = ROOT): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function endOf(child: ChildProcess): Promise<Ended> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('The process has no output');
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const [[code, signal], out, errors] = await Promise.all([exited, text(stdout), text(stderr)]);
  return { code, signal, stdout: out, stderr: errors };
}
