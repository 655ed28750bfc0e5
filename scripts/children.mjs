// Starts the programs that scripts wait for, and ends them with the script, together with what they have started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** Time for a program to end by itself, in milliseconds. */
const END_MS = 5000;
const running = new Set();
const isPosix = process.platform !== 'win32';

/** Signals a program and, where there are groups of processes, all that it has started. */
function signalTo(child, signal) {
  try {
    if (isPosix) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // Nobody is left.
  }
}

async function end(child) {
  const ended = once(child, 'close', { signal: AbortSignal.timeout(END_MS) }).catch(() => undefined);
  signalTo(child, 'SIGTERM');
  await ended;
  // What it started may be deaf to the first signal, as the compiler is.
  signalTo(child, 'SIGKILL');
}

async function endAll(signal) {
  await Promise.all([...running].map(end));
  process.exit(128 + constants.signals[signal]);
}

/** Starts a program, as `spawn` does. A script that is ended by a signal ends it too. */
export function startChild(program, args, options) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    if (process.listenerCount(signal) === 0) process.once(signal, (name) => void endAll(name));
  const child = spawn(program, args, { ...options, detached: isPosix });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}
