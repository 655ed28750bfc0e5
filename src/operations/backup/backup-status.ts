import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../common/system/index.js';

/** Time that a backup may take before the next one counts as late. */
const ALLOWANCE_MS = HOUR_MS;
/** Delay before a failed backup is tried again, unless the schedule is shorter. */
const RETRY_MS = 30 * MINUTE_MS;

/** A row of `backup_run`: a backup that has ended, or the next scheduled one. */
export interface BackupRun {
  readonly id: string;
  readonly state: 'due' | 'succeeded' | 'failed';
  readonly createdAt: Date;
  readonly dueAt: Date | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly name: string | null;
  /** In bytes. */
  readonly size: string | null;
  readonly error: string | null;
}

/** A backup that has ended. */
export interface EndedBackup {
  readonly id: string;
  readonly outcome: 'succeeded' | 'failed';
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** Null unless it succeeded. */
  readonly name: string | null;
  readonly sizeBytes: number | null;
  /** Why it failed, in a sentence. */
  readonly error: string | null;
}

/** The status of the backups. */
export interface BackupStatus {
  /** Hours between two scheduled backups; null without a schedule. */
  readonly everyHours: number | null;
  readonly nextAt: Date | null;
  readonly last: EndedBackup | null;
  readonly lastSucceeded: EndedBackup | null;
  /** Since when no backup has succeeded, and the row of that time; null unless that is a day ago and an hour longer than the schedule allows. */
  readonly outage: { readonly id: string; readonly since: Date } | null;
}

/**
 * Derives the status of the backups from their rows. Pure.
 * @param runs newest first
 */
export function statusOf(runs: readonly BackupRun[], everyHours: number | null, now: Date): BackupStatus {
  const ended = runs.flatMap(asEnded).toSorted((one, other) => other.finishedAt.getTime() - one.finishedAt.getTime());
  const lastSucceeded = ended.find(({ outcome }) => outcome === 'succeeded') ?? null;
  return {
    everyHours,
    nextAt: everyHours === null ? null : (runs.find(({ state }) => state === 'due')?.dueAt ?? null),
    last: ended[0] ?? null,
    lastSucceeded,
    outage: everyHours === null ? null : outageOf(runs, lastSucceeded, everyHours, now),
  };
}

function outageOf(
  runs: readonly BackupRun[],
  lastSucceeded: EndedBackup | null,
  everyHours: number,
  now: Date,
): BackupStatus['outage'] {
  // Without a backup that succeeded, the outage begins when the schedule was set.
  const first = runs.at(-1);
  const from = lastSucceeded ?? (first === undefined ? null : { id: first.id, finishedAt: first.createdAt });
  if (from === null) return null;
  const limitMs = Math.max(DAY_MS, everyHours * HOUR_MS + ALLOWANCE_MS);
  return now.getTime() - from.finishedAt.getTime() > limitMs ? { id: from.id, since: from.finishedAt } : null;
}

/** Returns the time at which the next backup is due. The schedule counts from the start of the last one that succeeded. Pure. */
export function nextBackupAt(
  last: Pick<EndedBackup, 'outcome' | 'startedAt'> | null,
  everyHours: number,
  now: Date,
): Date {
  if (last === null) return now;
  const everyMs = everyHours * HOUR_MS;
  const at =
    last.outcome === 'failed' ? now.getTime() + Math.min(everyMs, RETRY_MS) : last.startedAt.getTime() + everyMs;
  return new Date(Math.max(at, now.getTime()));
}

function asEnded({ id, state, startedAt, finishedAt, name, size, error }: BackupRun): EndedBackup[] {
  if (state === 'due' || startedAt === null || finishedAt === null) return [];
  return [{ id, outcome: state, startedAt, finishedAt, name, sizeBytes: size === null ? null : Number(size), error }];
}
