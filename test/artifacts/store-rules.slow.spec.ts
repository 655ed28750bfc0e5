import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectArchive } from '../../src/artifacts/archive/inspect-archive.js';
import { linterFindings, preflight, STORE_RULES, type StoreId } from '../../src/stores/pure.js';
import { hasChromium } from '../support/chromium.js';
import { lint, packs } from '../support/oracles.js';
import { CASES, filesOf, packed, type FieldPackage } from './field-packages.js';

const inChromium = hasChromium('the rules of stores beside Chromium') ? describe : describe.skip;

inChromium('what a rule finds, programs of the browsers refuse', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-rules-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const unpacked = async (field: FieldPackage): Promise<string> => {
    const extension = join(await mkdtemp(join(folder, 'package-')), 'extension');
    for (const [name, content] of Object.entries(filesOf(field))) {
      await mkdir(dirname(join(extension, name)), { recursive: true });
      await writeFile(join(extension, name), content);
    }
    return extension;
  };

  /** The rules that an oracle confirms; what only the stores themselves refuse, it accepts. */
  const found = async (field: FieldPackage, store: StoreId): Promise<readonly string[]> => {
    const path = join(folder, 'package.zip');
    await writeFile(path, await packed(field));
    const { facts } = await inspectArchive(path);
    const channel = field.channel ?? 'listed';
    return preflight(facts)
      .filter((one) => one.store === store && one.severity === 'refused' && one.itemId === undefined)
      .filter(({ channels = [channel] }) => channels.includes(channel))
      .map(({ code }) => code)
      .filter((code) => isConfirmed(store, code));
  };

  const isConfirmed = (store: StoreId, code: string): boolean =>
    STORE_RULES[store].some((rule) => rule.code === code && rule.confirmedBy.length > 0);

  it.each(['chrome', 'firefox', 'edge'] as const)(
    'each confirmed rule of %s alone is found in a package',
    async (store) => {
      const fields = CASES.filter(({ stores }) => stores.includes(store));
      const alone = new Set<string>();
      for (const field of fields) {
        const [code, ...others] = new Set(await found(field, store));
        if (code !== undefined && others.length === 0) alone.add(code);
      }
      const confirmed = STORE_RULES[store].filter(({ confirmedBy }) => confirmedBy.length > 0).map(({ code }) => code);
      expect(confirmed.filter((code) => !alone.has(code))).toEqual([]);
    },
  );

  it.each(CASES.filter(({ stores }) => stores.includes('chrome')))('Chromium: $name', async (field) => {
    const codes = await found(field, 'chrome');
    expect([codes, await packs(await unpacked(field), folder)]).toEqual([codes, codes.length === 0]);
  });

  it.each(CASES.filter(({ stores }) => stores.includes('firefox')))('addons-linter: $name', async (field) => {
    const codes = await found(field, 'firefox');
    const errors = await lint(await unpacked(field), field.channel === 'unlisted');
    expect([codes, errors, errors.length > 0]).toEqual([codes, errors, codes.length > 0]);
    // Each is said by the rule alone.
    const said = errors.map((code) => ({ code, message: '', file: null, line: null }));
    const own = codes.map((code) => ({ store: 'firefox' as const, code }));
    expect(linterFindings(said, own).map(({ code }) => code)).toEqual([]);
  });
});
