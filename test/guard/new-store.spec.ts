import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { SETTINGS } from '../../src/common/config/index.js';
import { BENCHES } from '../contracts/benches.js';
import type { StoreBench } from '../contracts/store-bench.js';
import { addressesOf, createSandbox, STORE_IDS } from '../support/app.js';
import { WAYS } from '../process/points.js';

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);

/** What CONTRIBUTING lists under "Adding a store". */
describe.each(STORE_IDS)('the store %s', (id) => {
  let sandbox: Sandbox;
  let bench: StoreBench;
  beforeAll(async () => {
    sandbox = await createSandbox();
    const [start] = Object.values(BENCHES[id]);
    if (start === undefined) throw new Error(`test/contracts/benches.ts has no bench for ${id}`);
    bench = await start();
  });
  afterAll(async () => {
    await bench.close();
    await sandbox.close();
  });

  it('has an adapter of its own, which the contract tests run', () => {
    expect(existsSync(at(`src/stores/${id}/${id}.store.ts`))).toBe(true);
    expect(bench.store.id).toBe(id);
  });

  it('has pure error and state functions with tables of tests', () => {
    const files = ['errors', 'states'].flatMap((role) => [`${id}.${role}.ts`, `${id}.${role}.spec.ts`]);
    expect(files.filter((file) => !existsSync(at(`src/stores/${id}/${file}`)))).toEqual([]);
  });

  it('says where to find each field of its credentials, and which are secret', () => {
    const { forms } = bench.store.credentialShape;
    expect(forms.length).toBeGreaterThan(0);
    for (const fields of forms) {
      expect(fields.some(({ isSecret }) => isSecret)).toBe(true);
      expect(fields.filter(({ how, title }) => how.trim() === '' || title.trim() === '')).toEqual([]);
    }
  });

  it('has a guide whose form takes the ids of an item', async () => {
    const item = await bench.item(await bench.owner(), {});
    const { fields } = bench.store.guide.item;
    expect(fields.map(({ name }) => name)).toEqual(
      bench.store.capabilities.needsCrxId ? ['storeItemId', 'crxId'] : ['storeItemId'],
    );
    for (const { name, pattern } of fields) expect(item[name]).toMatch(pattern);
  });

  it('has a stand-in with an account whose credentials fill the recommended form', async () => {
    const seeded = (await sandbox.seedDemo()) as Readonly<Record<string, { readonly credentials: object }>>;
    const valueAt = (name: string): unknown =>
      name
        .split('.')
        .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], seeded[id]?.credentials ?? {});
    const [recommended = []] = bench.store.credentialShape.forms;
    expect(recommended.map(({ name }) => name).filter((name) => typeof valueAt(name) !== 'string')).toEqual([]);
  });

  it('is part of the demo, the benchmarks and `npm run try`', async () => {
    const { STAND_INS } = (await import(at('scripts/stand-ins.mjs').href)) as { readonly STAND_INS: object };
    expect(STAND_INS).toHaveProperty([id], {
      account: expect.any(Function),
      item: expect.any(Function),
      review: expect.any(Function),
      submissions: expect.any(Function),
      ...(!bench.store.capabilities.requiresArtifact && { deliver: expect.any(Function) }),
    });
    const { SEEDS } = (await import(at('scripts/sandbox-memory.mjs').href)) as { readonly SEEDS: object };
    expect(Object.keys(SEEDS)).toContain(id);
  });

  it('has a name of its own, and outputs of the GitHub Action', () => {
    const { name, title, aliases } = bench.store;
    expect([name, title, ...aliases].filter((text) => text.trim() === '')).toEqual([]);
    const { outputs } = parse(readFileSync(at('clients/action/action.yml'), 'utf8')) as { readonly outputs: object };
    expect(Object.keys(outputs)).toEqual(expect.arrayContaining([`${id}-phase`, `${id}-version`]));
  });

  it('is described in src/stores/README.md, and has stand-ins at all its addresses', () => {
    const headings = readFileSync(at('src/stores/README.md'), 'utf8').match(/^## .+$/gm) ?? [];
    expect(headings.filter((heading) => heading.includes(bench.store.name))).toHaveLength(1);
    expect(Object.keys(sandbox.env)).toEqual(expect.arrayContaining(addressesOf(id).map((key) => SETTINGS[key].name)));
  });

  it('has the calls of a release, at each of which a test kills the process', () => {
    const { toReview, toLive, writes } = WAYS[id];
    expect([toReview, toLive].filter((calls) => calls.length === 0)).toEqual([]);
    expect(Object.keys(writes)).not.toEqual([]);
  });
});

it('the sandbox prints nothing but settings of the service', async () => {
  const sandbox = await createSandbox();
  await sandbox.close();
  const names = Object.values(SETTINGS).map(({ name }): string => name);
  expect(Object.keys(sandbox.env).filter((name) => !names.includes(name))).toEqual([]);
});
