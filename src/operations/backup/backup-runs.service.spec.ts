import { describe, expect, it } from 'vitest';
import { Clock } from '../../common/system/index.js';
import type { DueBackup } from './backup-runs.repository.js';
import { BackupRunsService } from './backup-runs.service.js';

const DUE = { id: 'due', leaseToken: 'mine', startedAt: null } as DueBackup;

/** A service whose backups fail, or must not be made, on a database that answers as given. */
function serviceWith(database: { readonly begin: boolean; readonly run?: () => Promise<void> }) {
  let made = 0;
  const service = new BackupRunsService(
    {} as never,
    new Clock(),
    { run: database.run ?? (() => Promise.resolve()) } as never,
    { begin: () => Promise.resolve(database.begin) } as never,
    {
      make: () => {
        made += 1;
        return Promise.reject(new Error('No space left.'));
      },
    } as never,
  );
  return { service, made: () => made };
}

describe('the backup of the schedule', () => {
  it('fails with its own reason, even when the outcome cannot be recorded', async () => {
    const { service } = serviceWith({ begin: true, run: () => Promise.reject(new Error('The database is away.')) });
    await expect(service.carryOut(DUE)).rejects.toThrow('No space left.');
  });

  it('is not made once another process has its work lock', async () => {
    const { service, made } = serviceWith({ begin: false });
    await expect(service.carryOut(DUE)).rejects.toThrow('Another process');
    expect(made()).toBe(0);
  });
});
