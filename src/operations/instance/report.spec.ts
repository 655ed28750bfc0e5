import { describe, expect, it } from 'vitest';
import { ageSeconds, reportOf } from './report.js';

const NOW = new Date('2026-11-22T12:00:00.900Z');

describe('the age of what is due', () => {
  it.each([
    ['nothing is due', null, null],
    ['it is due later', new Date('2026-11-22T12:00:01Z'), null],
    ['it is due now', NOW, 0],
    ['it is due for less than a second', new Date('2026-11-22T12:00:00.100Z'), 0],
    ['it is due for a day', new Date('2026-11-21T12:00:00Z'), 86_400],
  ])('when %s', (_, due, seconds) => expect(ageSeconds(due, NOW)).toBe(seconds));
});

describe('the report', () => {
  const instance = {
    version: '1.2.3',
    commit: '3fa9c1d2e4b5a6978695a4b3c2d1e0f9a8b7c6d5',
    node: 'v24.1.0',
    database: { version: '16.4', embedded: false, pendingMigrations: [] as string[] },
    checks: [
      { name: 'database', up: true },
      { name: 'disk', up: true },
    ],
    keys: [
      { setting: 'ENCRYPTION_KEYS', id: 'a-name', current: true, fingerprint: 'abcdef01' },
      { setting: 'ENCRYPTION_KEYS', id: 'older', current: false, fingerprint: 'abcdef02' },
      { setting: 'TOKEN_SECRET', id: '', current: true, fingerprint: 'abcdef03' },
    ],
    waiting: { targetSeconds: 12, deliverySeconds: null, mailSeconds: 0, inboxSeconds: null, rollUpSeconds: 3600 },
    mail: { configured: true, lastSentAt: null, lastFailedAt: NOW, lastError: 'ECONNECTION' },
    storage: { kind: 'folder' as const, freeBytes: 12_340_000_000 },
    backups: { everyHours: 24, nextAt: NOW, lastSucceededAt: NOW, overdue: false },
    lastBackup: {
      outcome: 'failed' as const,
      startedAt: NOW,
      finishedAt: NOW,
      name: null,
      sizeBytes: null,
      error: 'No space left at /var/lib.',
    },
  };

  it('has a line for each thing that a bug report needs, and neither ids nor fingerprints of keys', () => {
    expect(reportOf(instance)).toBe(
      [
        'Pierhead: 1.2.3 (3fa9c1d2e4b5)',
        `Node.js: v24.1.0 on ${process.platform} ${process.arch}`,
        'PostgreSQL: 16.4, on a server',
        'Migrations: all have run',
        'Down: nothing',
        'Keys: 2 of ENCRYPTION_KEYS, 1 of TOKEN_SECRET',
        'Oldest due: target 12 s, delivery -, mail 0 s, inbox -, rollUp 3600 s',
        'Mail: sent never, failed 2026-11-22T12:00:00.900Z (ECONNECTION)',
        'Backups: every 24 h, succeeded 2026-11-22T12:00:00.900Z, the last failed',
        'Packages: in a folder, 12.3 GB free on this disk',
        '',
      ].join('\n'),
    );
  });

  it('says what is missing or down', () => {
    const report = reportOf({
      ...instance,
      database: { version: '17.0', embedded: true, pendingMigrations: ['Next1', 'Next2'] },
      checks: [{ name: 'blobs', up: false }],
      mail: { configured: false, lastSentAt: null, lastFailedAt: null, lastError: null },
      storage: { kind: 'bucket', freeBytes: 0 },
      backups: { everyHours: null, nextAt: null, lastSucceededAt: null, overdue: false },
      lastBackup: { ...instance.lastBackup, outcome: null },
    });
    const lines = ['17.0, embedded', 'Next1, Next2', 'Down: blobs', 'Mail: not set up', 'in a bucket, 0.0 GB'];
    for (const line of [...lines, 'Backups: by hand, succeeded never, the last -']) expect(report).toContain(line);
  });
});
