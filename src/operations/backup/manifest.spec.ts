import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { BackupFault, dayPartition, readManifest } from './manifest.js';

const GOOD = {
  format: 1,
  createdAt: '2026-11-25T05:00:00.000Z',
  version: '1.0.0',
  commit: null,
  migrations: ['Baseline1796000000000'],
  tables: [
    { name: 'tenant', rows: 2, partition: null },
    {
      name: 'install_day_20261125',
      rows: 0,
      partition: { of: 'install_day', bounds: "FOR VALUES FROM ('2026-11-25') TO ('2026-11-26')" },
    },
  ],
  packagesIn: 'included',
  packages: [{ key: 'ab/0123', sha256: 'a'.repeat(64) }],
  missingPackages: [],
  keys: [{ setting: 'ENCRYPTION_KEYS', id: 'k1' }],
};
const read = (manifest: unknown): unknown => readManifest(JSON.stringify(manifest), 'a.zip');
const tampered = (changes: object): object => ({ ...GOOD, ...changes });

describe('the manifest of a backup', () => {
  it('is read as it was written', () => {
    expect(read(GOOD)).toEqual(GOOD);
    const inBucket = tampered({ packagesIn: { bucket: 'packages' } });
    expect(read(inBucket)).toEqual(inBucket);
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'is not a JSON object'],
    ['a list', [GOOD], 'is not a JSON object'],
    ['its format alone', { format: 1 }, 'createdAt must be a valid ISO 8601 date string'],
    ['a newer format', { format: 2 }, 'was written by a newer version of Pierhead'],
    ['a format that is text', tampered({ format: '1' }), 'format must be equal to 1'],
    ['no tables', tampered({ tables: null }), 'tables'],
    ['a table that is no object', tampered({ tables: ['tenant'] }), 'tables'],
    [
      'a table outside of the folder',
      tampered({ tables: [{ name: '/x/y', rows: 0, partition: null }] }),
      'tables: 0: name',
    ],
    ['a table above the folder', tampered({ tables: [{ name: '../y', rows: 0, partition: null }] }), 'tables: 0: name'],
    [
      'a table with a quote',
      tampered({ tables: [{ name: 'a" (x int); --', rows: 0, partition: null }] }),
      'tables: 0: name',
    ],
    ['half a row', tampered({ tables: [{ name: 'tenant', rows: 0.5, partition: null }] }), 'tables: 0: rows'],
    ['less than no rows', tampered({ tables: [{ name: 'tenant', rows: -1, partition: null }] }), 'tables: 0: rows'],
    [
      'a partition of nothing',
      tampered({ tables: [{ name: 'a', rows: 0, partition: {} }] }),
      'tables: 0: partition: of',
    ],
    [
      'a package above its folder',
      tampered({ packages: [{ key: '../../etc/passwd', sha256: 'a'.repeat(64) }] }),
      'packages: 0: key',
    ],
    ['a package without a digest', tampered({ packages: [{ key: 'ab/01' }] }), 'packages: 0: sha256'],
    ['packages nowhere', tampered({ packagesIn: 'elsewhere' }), 'packagesIn'],
    ['migrations that are no texts', tampered({ migrations: [1] }), 'migrations'],
    ['keys that are no objects', tampered({ keys: 'k1' }), 'keys'],
  ])('is refused with %s', (_, manifest, words) => {
    expect(() => read(manifest)).toThrow(BackupFault);
    expect(() => read(manifest)).toThrow(words);
  });

  it('is refused when it is no JSON, and never fails in another way', () => {
    expect(() => readManifest('{', 'a.zip')).toThrow(BackupFault);
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(GOOD)), fc.jsonValue(), (field, value) => {
        try {
          read(tampered({ [field]: value }));
        } catch (error) {
          expect(error).toBeInstanceOf(BackupFault);
        }
      }),
    );
  });
});

describe('the partition of a day', () => {
  const bounds = "FOR VALUES FROM ('2026-11-25') TO ('2026-11-26')";

  it('is made of two days', () => {
    const day = { of: 'install_day', from: '2026-11-25', to: '2026-11-26' };
    expect(dayPartition('install_day_20261125', { of: 'install_day', bounds })).toEqual(day);
  });

  it.each([
    ['install_day_20261125', `${bounds}; drop table tenant`],
    ['install_day_20261125', "FOR VALUES FROM ('2026-11-25') TO ('2026-11-26'); copy tenant to program 'sh'"],
    ['install_day_20261125', `; ${bounds}`],
    ['install_day_20261125', "FOR VALUES IN ('2026-11-25')"],
    ['install_day_20261125', 'DEFAULT'],
    ['install_day_20261124', bounds],
    ['tenant', bounds],
  ])('is nothing else: %s %s', (name, wrong) => {
    expect(() => dayPartition(name, { of: 'install_day', bounds: wrong })).toThrow(BackupFault);
  });
});
