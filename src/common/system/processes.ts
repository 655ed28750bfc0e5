import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Reads state, number of threads and start time (fields 3, 20 and 22 of /proc/pid/stat); undefined where the system has no such file. The state is
 * that of the first thread, and a killed process ends with its last one.
 */
function processAt(pid: number): { readonly dead: boolean; readonly started: string } | undefined {
  try {
    const [state, ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { dead: (state === 'Z' || state === 'X') && Number(rest[16]) <= 1, started: rest[18] ?? '' };
  } catch {
    return undefined;
  }
}

/** The kernel's start time of this process, which tells it from a later one with the same pid; empty where the system does not say. */
export const startOfThisProcess = (): string => processAt(process.pid)?.started ?? '';

/** Whether the process of this machine that had a pid and a start time still runs. */
export function isRunning(pid: number, started: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const found = processAt(pid);
  return found === undefined || (found.started === started && !found.dead);
}

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Lets a command end at a signal in the ordinary way, which removes the paths that it holds. */
export function exitOnSignals(): void {
  for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => process.exit(code));
}

/** A killed process has ended before, unless a disk keeps one of its threads. */
const DEATH_MS = 5_000;
/** Time that an exit waits for it where the system does not show its end. */
const UNSEEN_DEATH_MS = 200;

/** Kills a child when this process exits, before held paths are removed: a child that still ran would write to them again. */
export function killAtExit(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  const started = processAt(pid)?.started ?? '';
  const kill = (): void => {
    child.kill('SIGKILL');
    const latest = Date.now() + (started === '' ? UNSEEN_DEATH_MS : DEATH_MS);
    while (isRunning(pid, started) && Date.now() < latest);
  };
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}
