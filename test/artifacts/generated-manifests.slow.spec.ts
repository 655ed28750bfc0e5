import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { inspectArchive } from '../../src/artifacts/archive/inspect-archive.js';
import { preflight, STORE_RULES, type StoreFinding, type StoreId } from '../../src/stores/pure.js';
import { hasChromium } from '../support/chromium.js';
import { lint, packs } from '../support/oracles.js';
import { zipOf } from '../support/packages.js';
import { extensions, type Extension } from './generated-manifests.js';

const COUNT = 500;
/** Another one finds other extensions: `SEED=7 npm test -- generated-manifests`. */
const SEED = Number(process.env['SEED'] ?? 1);
const inChromium = hasChromium('generated manifests beside Chromium') ? describe : describe.skip;

inChromium(`of ${COUNT} extensions generated from seed ${SEED}`, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-generated-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const unpacked = async (files: Extension): Promise<string> => {
    const extension = join(await mkdtemp(join(folder, 'package-')), 'extension');
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(extension, name)), { recursive: true });
      await writeFile(join(extension, name), content);
    }
    return extension;
  };

  /** What rules that a browser's program confirms refuse; null for a package that Pierhead does not take at all. */
  const refusals = async (files: Extension): Promise<readonly StoreFinding[] | null> => {
    const path = join(folder, 'package.zip');
    await writeFile(path, await zipOf(files));
    const inspected = await inspectArchive(path).catch(() => null);
    return inspected === null ? null : preflight(inspected.facts).filter(isConfirmed);
  };

  const isConfirmed = ({ store, code, severity }: StoreFinding): boolean =>
    severity === 'refused' &&
    STORE_RULES[store].some(({ code: other, confirmedBy }) => other === code && confirmedBy.length > 0);

  it(
    'none is refused that the browsers take',
    async () => {
      const wrong: unknown[] = [];
      const found = new Set<string>();
      for (const files of fc.sample(extensions, { numRuns: COUNT, seed: SEED })) {
        const refused = await refusals(files);
        if (refused === null) continue;
        const extension = await unpacked(files);
        const judges: readonly (readonly [StoreId, () => Promise<boolean>])[] = [
          ['chrome', () => packs(extension, folder)],
          ['firefox', async () => (await lint(extension)).length === 0],
        ];
        const judge = async ([store, accepts]: (typeof judges)[number]): Promise<void> => {
          const own = refused.filter((one) => one.store === store);
          for (const { code } of own) found.add(`${store} ${code}`);
          if (own.length > 0 && (await accepts()))
            wrong.push({
              store,
              own: own.map(({ code, what }) => `${code}: ${what}`),
              manifest: files['manifest.json'],
            });
        };
        await Promise.all(judges.map(judge));
        await rm(dirname(extension), { recursive: true });
      }
      expect(wrong).toEqual([]);
      expect([...found].filter((one) => one.startsWith('chrome')).length).toBeGreaterThan(10);
      expect([...found].filter((one) => one.startsWith('firefox')).length).toBeGreaterThan(10);
    },
    10 * 60_000,
  );
});
