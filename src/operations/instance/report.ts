import { SECOND_MS, withCommit } from '../../common/system/index.js';
import type { Instance } from './instance.dto.js';

const GIGABYTE = 1_000_000_000;

/** Returns for how many whole seconds something has been due; null when nothing is due. */
export const ageSeconds = (due: Date | null, now: Date): number | null =>
  due === null || due > now ? null : Math.floor((now.getTime() - due.getTime()) / SECOND_MS);

/** Formats the status as text for a bug report. Safe to publish: no fingerprints, key ids, addresses or names of tenants. */
export function reportOf({
  version,
  commit,
  node,
  database,
  checks,
  keys,
  waiting,
  mail,
  storage,
  backups,
  lastBackup,
}: Omit<Instance, 'report'>): string {
  const settings = [...new Set(keys.map(({ setting }) => setting))];
  const counts = settings.map((setting) => `${keys.filter((key) => key.setting === setting).length} of ${setting}`);
  const down = checks.filter(({ up }) => !up).map(({ name }) => name);
  const rows: readonly (readonly [string, string])[] = [
    ['Pierhead', withCommit(version, commit)],
    ['Node.js', `${node} on ${process.platform} ${process.arch}`],
    ['PostgreSQL', `${database.version}, ${database.embedded ? 'embedded' : 'on a server'}`],
    ['Migrations', listed(database.pendingMigrations, 'all have run')],
    ['Down', listed(down, 'nothing')],
    ['Keys', counts.join(', ')],
    [
      'Oldest due',
      Object.entries(waiting)
        .map(([name, seconds]) => `${name.replace('Seconds', '')} ${waited(seconds)}`)
        .join(', '),
    ],
    [
      'Mail',
      mail.configured
        ? `sent ${timed(mail.lastSentAt)}, failed ${timed(mail.lastFailedAt)}${mail.lastError === null ? '' : ` (${mail.lastError})`}`
        : 'not set up',
    ],
    [
      'Backups',
      `${backups.everyHours === null ? 'by hand' : `every ${backups.everyHours} h`}, succeeded ${timed(backups.lastSucceededAt)}, the last ${lastBackup.outcome ?? '-'}`,
    ],
    ['Packages', `in a ${storage.kind}, ${(storage.freeBytes / GIGABYTE).toFixed(1)} GB free on this disk`],
  ];
  return rows.map(([name, value]) => `${name}: ${value}\n`).join('');
}

const listed = (values: readonly string[], none: string): string => (values.length === 0 ? none : values.join(', '));

const waited = (seconds: number | null): string => (seconds === null ? '-' : `${seconds} s`);

const timed = (time: Date | null): string => time?.toISOString() ?? 'never';
