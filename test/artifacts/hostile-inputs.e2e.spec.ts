import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Machine } from '../process/machine.js';
import { startWorld, type World } from '../support/app.js';
import { pkgWithToc } from '../support/apple-packages.js';
import { Blocks, MAX_BLOCK_MS } from '../support/blocks.js';
import { expectStatus, Given, type Tenant } from '../support/given.js';
import { forge } from '../support/forged-zips.js';
import { manifestOf, packageOf, zipOf } from '../support/packages.js';
import { SECRETS, signedBy } from '../support/payment-signers.js';
import { Pusher } from './pusher.js';

const MEBIBYTE = 1024 * 1024;

const repeated = (text: string, bytes: number): string => text.repeat(Math.floor(bytes / text.length));
const numbered = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at)).join('');
const toc = (content: string): Buffer => pkgWithToc(`<xar><toc>${content}</toc></xar>`);
const zipWith = (files: Readonly<Record<string, string>>, manifest: object = {}, isPacked = true): Promise<Buffer> =>
  zipOf({ 'manifest.json': JSON.stringify(manifestOf('1.0.0', manifest)), ...files }, undefined, isPacked);

const page = `<script ${numbered(630_000, (at) => `a${at} `)}`.slice(0, 4 * MEBIBYTE);
const plist = (content: string): string => `<plist><dict>${content}</dict></plist>`;
const keys = (count: number): Readonly<Record<string, object>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, { message: 'x' }]));

type Query = Readonly<Record<string, string>>;
const SAFARI: Query = { store: 'safari' };

const PACKAGES: readonly (readonly [what: string, query: Query, make: () => Buffer | Promise<Buffer>])[] = [
  ['4 MiB of elements', SAFARI, () => toc(repeated('<a/>', 4 * MEBIBYTE - 100))],
  ['4 MiB of entities', SAFARI, () => toc(repeated('&amp;', 4 * MEBIBYTE - 100))],
  ['300,000 attributes', SAFARI, () => toc(`<a ${numbered(300_000, (at) => `a${at}="" `)}/>`)],
  ['three pages of 4 MiB of attributes', {}, () => zipWith({ 'a.html': page, 'b.html': page, 'c.html': page })],
  [
    '20 patterns for 19,000 names',
    {},
    () =>
      zipWith(
        Object.fromEntries(Array.from({ length: 19_000 }, (_, at) => [`${'a'.repeat(200)}${at}`, ''])),
        {
          web_accessible_resources: Array.from({ length: 20 }, (_, at) => ({
            resources: [`${'*a'.repeat(20)}${at}b`],
            matches: ['https://a.example/*'],
          })),
        },
        false,
      ),
  ],
  [
    'a property list of 1 MiB',
    SAFARI,
    async () => {
      const list = plist(numbered(20_000, (at) => `<key>k${at}</key><string>&amp;</string>`));
      const ipa = { 'Payload/A.app/Info.plist': list, 'Payload/A.app/PlugIns/B.appex/Info.plist': list };
      return zipOf({
        ...ipa,
        'Payload/A.app/_CodeSignature/CodeResources': '',
        'Payload/A.app/embedded.mobileprovision': '',
      });
    },
  ],
  [
    'four messages.json of 1 MB',
    {},
    () =>
      zipWith(
        Object.fromEntries(
          ['en', 'de', 'fr', 'it'].map((locale) => [`_locales/${locale}/messages.json`, JSON.stringify(keys(36_000))]),
        ),
        { default_locale: 'en', description: '__MSG_k1__' },
      ),
  ],
  ['a manifest of 45,000 keys', {}, () => zipWith({}, { x: keys(36_000) })],
  [
    'a manifest of 10,000 sites',
    {},
    () => zipWith({}, { host_permissions: Array.from({ length: 10_000 }, (_, at) => `https://a${at}.example/*`) }),
  ],
];

describe('what is made to hold everybody up', () => {
  let machine: Machine;
  let blocks: Blocks;
  let tenant: Tenant;
  let extension: string;
  beforeAll(async () => {
    blocks = await Blocks.watched();
    machine = await Machine.start({ byHand: true, settings: blocks.settings });
    const { api, control } = machine.world;
    const given = new Given(api, control);
    tenant = await given.tenant();
    extension = await given.extension(tenant);
    await given.plan(tenant, extension);
    expectStatus(
      await api.as(tenant).post('/credentials', { store: 'stripe', credentials: { webhookSecret: SECRETS.stripe } }),
      201,
    );
  });
  afterAll(async () => {
    await machine.close();
    await blocks.close();
  });

  it.each(PACKAGES)('a package of %s', async (_, query, make) => {
    const bytes = new Uint8Array(await make());
    const api = machine.world.api.as(tenant);
    const { ms, done } = await blocks.longestOf(machine.service, () =>
      api.push({ extension, version: '1.0.0', ...query }, bytes),
    );
    expect([200, 201, 422]).toContain(done.status);
    expect(ms).toBeLessThan(MAX_BLOCK_MS);
  });

  it.each([
    ['quotes', `email,tier,code\n${'a@example.com,pro,"x""y"\n'.repeat(20_000)}`],
    ['empty cells', `email,tier,code\n${`${','.repeat(299)}\n`.repeat(3000)}`],
    ['cells', `email,tier,code\n${`${'a,'.repeat(299)}\n`.repeat(2000)}`],
    ['empty lines', `email,tier,code\n${'\n'.repeat(300_000)}`],
  ])('an import file of %s', async (_, csv) => {
    const { ms } = await blocks.longestOf(machine.service, () =>
      machine.world.api.as(tenant).post(`/license-imports?extension=${extension}`, undefined, {
        raw: csv,
        headers: { 'content-type': 'text/csv' },
      }),
    );
    expect(ms).toBeLessThan(MAX_BLOCK_MS);
  });

  it.each([
    ['60,000 keys', JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`key${at}`, 1])))],
    ['60,000 lists', JSON.stringify({ a: Array.from({ length: 60_000 }, () => []) })],
    ['a megabyte of openings', '['.repeat(MEBIBYTE)],
  ])('a signed event of %s', async (_, raw) => {
    const { ms, done } = await blocks.longestOf(machine.service, () =>
      machine.world.api.call('POST', `/licensing/webhooks/payment/${tenant.tenantId}`, undefined, {
        raw,
        headers: { 'content-type': 'application/json', ...signedBy('stripe', SECRETS.stripe, raw, new Date()) },
      }),
    );
    expect(done.status).toBe(400);
    expect(ms).toBeLessThan(MAX_BLOCK_MS);
  });
});

/** No machine unpacks so much within a second. */
const SLOW_BYTES = 2000 * MEBIBYTE;
const ZEROS = Buffer.alloc(100 * MEBIBYTE);

describe('a package that takes too long to read', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ env: { TASK_SECONDS: '1' } });
  });
  afterAll(() => world.close());

  it('is refused, and the next one is taken', async () => {
    // Packed once for all entries.
    const zeros = { packed: deflateRawSync(ZEROS), size: ZEROS.length, crc: crc32(ZEROS) };
    const slow = forge([
      { name: 'manifest.json', content: Buffer.from(JSON.stringify(manifestOf('1.0'))) },
      // Beside what does not pack, zeros do not stand out.
      { name: 'filler', content: randomBytes(SLOW_BYTES / 140), method: 0 },
      ...Array.from({ length: SLOW_BYTES / ZEROS.length }, (_, at) => ({ ...zeros, name: `zeros/${at}` })),
    ]);
    const [one, other] = [await Pusher.in(world), await Pusher.in(world)];
    const [refused, taken] = await Promise.all([one.push('1.0', slow), other.push('1.0', await packageOf('1.0'))]);
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'package_too_costly', detail: 'Reading the package takes more than 1 second.' },
    });
    expectStatus(taken, 201);
    expect(await one.list()).toEqual([]);
  });
});
