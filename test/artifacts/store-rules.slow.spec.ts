import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inspectArchive } from '../../src/artifacts/archive/inspect-archive.js';
import { preflight, STORE_RULES, type StoreId } from '../../src/stores/pure.js';
import { CHROMIUM, hasChromium } from '../support/chromium.js';
import { CASES, filesOf, packed, type FieldPackage } from './field-packages.js';

const WEB_EXT = new URL('../../node_modules/.bin/web-ext', import.meta.url).pathname;
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

  const packs = async (extension: string): Promise<boolean> => {
    const profile = `--user-data-dir=${join(folder, 'profile')}`;
    const own = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-message-box'];
    await promisify(execFile)(CHROMIUM, [...own, profile, `--pack-extension=${extension}`], { timeout: 30_000 }).catch(
      () => undefined,
    );
    return existsSync(`${extension}.crx`);
  };

  const lints = async (extension: string, field: FieldPackage): Promise<readonly string[]> => {
    const own = field.channel === 'unlisted' ? ['--self-hosted'] : [];
    const lint = ['lint', '--source-dir', extension, '--output', 'json', '--no-config-discovery', ...own];
    const run = promisify(execFile)(WEB_EXT, lint, { timeout: 60_000 });
    const { stdout } = await run.catch((error: unknown) => error as { readonly stdout: string });
    const { errors } = JSON.parse(stdout) as { readonly errors: readonly { readonly code: string }[] };
    return errors.map(({ code }) => code);
  };

  it.each(CASES.filter(({ stores }) => stores.includes('chrome')))('Chromium: $name', async (field) => {
    const codes = await found(field, 'chrome');
    expect([codes, await packs(await unpacked(field))]).toEqual([codes, codes.length === 0]);
  });

  it.each(CASES.filter(({ stores }) => stores.includes('firefox')))('addons-linter: $name', async (field) => {
    const codes = await found(field, 'firefox');
    const errors = await lints(await unpacked(field), field);
    expect([codes, errors, errors.length > 0]).toEqual([codes, errors, codes.length > 0]);
  });
});
