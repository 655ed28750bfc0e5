import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { authorAt, type Author } from './author.js';
import { Shell } from './shell.js';

const SECRET = 'whsec_0123456789abcdef';

describe('selling at the shell', () => {
  let world: World;
  let author: Author;
  let person: Shell;
  beforeAll(async () => {
    world = await startWorld();
    author = await authorAt(world, []);
    // No token of the shell's may change credentials.
    person = await Shell.open();
    const login = ['login', world.url, '--email', author.email, '--password-stdin'];
    expect(await person.run(login, { stdin: author.password })).toMatchObject({ code: 0 });
    expect(await run('plans', 'create', 'pro', '--devices', '2')).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await person.close();
    await author.shell.close();
    await world.close();
  });

  const run = (...args: readonly string[]) => author.shell.run(args);
  const api = () => world.api.as(author);
  const plan = async () => (await api().get(`/plans?extension=${author.extensionId}`)).body.items[0];
  const credentials = async () =>
    (await api().get('/webhooks/processors')).body.processors.find(
      ({ processor }: { processor: string }) => processor === 'stripe',
    ).credentials;

  it('products that several people add at once are all listed, and each once', async () => {
    const products = ['stripe:price_1', 'stripe:price_2', 'paddle:pri_1', 'stripe:price_1'];
    const added = await Promise.all(products.map((each) => run('products', 'add', each)));
    expect(added.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const listed = (await plan()).products.map(
      ({ processor, productId }: { processor: string; productId: string }) => `${processor}:${productId}`,
    );
    expect(listed.toSorted()).toEqual(['paddle:pri_1', 'stripe:price_1', 'stripe:price_2']);
    expect(await run('products', 'remove', 'stripe:price_2')).toMatchObject({ code: 0 });
    expect(await run('products', 'add', 'stripe:price_1', '--quantity', 'licenses')).toMatchObject({ code: 0 });
    // Adding it again changes nothing that it does not name.
    const again = await run('products', 'add', 'stripe:price_1');
    expect(again.stdout).toBe('stripe:price_1 buys pro; more than one buys more licenses.\n');
    expect((await plan()).products).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ productId: 'pri_1', perUnit: 'seats' }),
        expect.objectContaining({ productId: 'price_1', perUnit: 'license' }),
      ]),
    );
  });

  it('a product has a checkout until it is taken away, which no other change does', async () => {
    const checkoutUrl = 'https://buy.stripe.com/test_1';
    const products = async () =>
      (await plan()).products.filter(({ productId }: { productId: string }) => productId === 'plink_1');
    const added = await run('products', 'add', 'stripe:plink_1', '--checkout', checkoutUrl);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining(`Extensions sell it at ${checkoutUrl}.`) });
    expect(await run('products', 'add', 'stripe:plink_1', '--quantity', 'licenses')).toMatchObject({ code: 0 });
    expect(await products()).toEqual([{ processor: 'stripe', productId: 'plink_1', perUnit: 'license', checkoutUrl }]);
    expect((await run('products', 'list')).stdout).toContain(checkoutUrl);
    const refused = await run(
      'products',
      'add',
      'stripe:plink_1',
      '--checkout',
      'https://checkout.stripe.com/c/pay/cs_1',
    );
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('must be a Payment Link');
    expect(await run('products', 'add', 'stripe:plink_1', '--checkout', 'none')).toMatchObject({ code: 0 });
    expect(await products()).toEqual([{ processor: 'stripe', productId: 'plink_1', perUnit: 'license' }]);
    expect(await run('products', 'remove', 'stripe:plink_1')).toMatchObject({ code: 0 });
  });

  it('a plan and a license unlock features, and keep data of the seller’s own', async () => {
    const fields = ['--entitlements', 'export, sync', '--metadata', 'campaign=spring=1', 'note=a b'];
    const shown = { entitlements: ['export', 'sync'], metadata: { campaign: 'spring=1', note: 'a b' } };
    expect((await run('plans', 'update', 'pro', ...fields)).stdout).toBe(
      `pro of ${author.name}: 2 devices for each license, with export and sync.\n`,
    );
    expect(await plan()).toMatchObject({ ...shown, maxActivations: 2 });
    expect((await run('plans', 'update', 'pro', '--duration', '1y')).stdout).toContain(
      'for each license, for 1 year, with',
    );
    expect(await plan()).toMatchObject({ duration: 'P1Y' });
    const { stdout: code } = await run('licenses', 'issue', 'ann@buyer.example', '--plan', 'pro', ...fields);
    const ofPlan = (await api().get('/licenses?email=ann@buyer.example')).body.items[0];
    expect(Date.parse(ofPlan.expiresAt) - Date.parse(ofPlan.createdAt)).toBeGreaterThan(364 * 86_400_000);
    expect(await run('plans', 'update', 'pro', '--duration', 'none')).toMatchObject({ code: 0 });
    const license = async () => (await api().get('/licenses?email=ann@buyer.example')).body.items[0];
    expect(await license()).toMatchObject(shown);
    const changes = ['--expires', '90d', '--devices', '5', '--email', 'bo@buyer.example', '--entitlements', ''];
    expect(await run('licenses', 'update', code.trim(), ...changes, '--metadata', '')).toMatchObject({ code: 0 });
    const [changed] = (await api().get('/licenses?email=bo@buyer.example')).body.items;
    expect(changed).toMatchObject({ entitlements: [], metadata: {}, maxActivations: 5, expiresAt: expect.any(String) });
    expect(await run('licenses', 'extend', 'bo@buyer.example', '30d')).toMatchObject({ code: 0 });
    const { expiresAt } = (await api().get(`/licenses/${changed.id}`)).body;
    expect(Date.parse(expiresAt) - Date.parse(changed.expiresAt)).toBe(30 * 86_400_000);
    expect(await run('licenses', 'extend', 'bo@buyer.example', '30')).toMatchObject({ code: 2 });
    expect(await run('plans', 'create', 'team')).toMatchObject({ code: 0 });
    expect(await run('licenses', 'update', 'bo@buyer.example', '--plan', 'team')).toMatchObject({ code: 0 });
    expect((await api().get(`/licenses/${changed.id}`)).body).toMatchObject({ tier: 'team', expiresAt });
    const back = ['--expires', 'never', '--devices', 'plan', '--plan', 'pro'];
    expect(await run('licenses', 'update', 'bo@buyer.example', ...back)).toMatchObject({ code: 0 });
    expect((await api().get(`/licenses/${changed.id}`)).body).toMatchObject({ expiresAt: null, maxActivations: null });
    expect(await run('plans', 'update', 'pro', '--entitlements', '', '--metadata', '')).toMatchObject({ code: 0 });
    expect(await plan()).toMatchObject({ entitlements: [], metadata: {} });
    expect(await run('plans', 'delete', 'team', '--yes')).toMatchObject({ code: 0 });
  });

  it.each([
    [['plans', 'update', 'pro'], 2, 'Name something to change.'],
    [['licenses', 'update', 'nobody@buyer.example'], 2, 'Name something to change.'],
    [['plans', 'update', 'pro', '--duration', 'a year'], 2, '"a year" is not a term.'],
    [['plans', 'update', 'pro', '--metadata', 'campaign'], 2, '"campaign" is not of the form name=value.'],
    [['plans', 'update', 'pro', '--entitlements', 'Sync'], 1, 'must hold only names'],
  ])('%j changes nothing', async (args, code, fault) => {
    const before = await plan();
    expect(await run(...args)).toMatchObject({ code, stderr: expect.stringContaining(fault) });
    expect(await plan()).toEqual(before);
  });

  it.each([
    ['price_1', 'Write the processor and its id, as in stripe:price_123.'],
    ['gumroad:x', 'The processors are stripe, paddle'],
    ['stripe:', 'Write the processor and its id'],
  ])('%s is no product', async (product, hint) => {
    const { code, stderr } = await run('products', 'add', product);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(hint) });
  });

  it('a processor is connected by the secret on standard input, which nothing prints', async () => {
    const args = ['processors', 'connect', 'stripe', '--key-file', '-', '--set', 'testMode=true', '--json'];
    const { code, stdout, stderr } = await person.run(args, { stdin: `${SECRET}\n` });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('customer.subscription.deleted') });
    expect(JSON.parse(stdout)).toMatchObject({ store: 'stripe', lastFour: 'cdef' });
    expect(stdout + stderr).not.toContain(SECRET);
    const [one] = await credentials();
    const again = ['processors', 'connect', 'Stripe', '--key-file', '-', '--replace', '--label', 'Shop'];
    const json = JSON.stringify({ webhookSecret: `${SECRET}ff`, testMode: true });
    expect(await person.run(again, { stdin: json })).toMatchObject({ code: 0 });
    expect(await credentials()).toEqual([expect.objectContaining({ id: one.id, label: 'Shop' })]);
  });

  it.each([
    [['--set', 'webhookSecret=x'], 'is a secret and must not be passed as an option'],
    [['--set', 'testMode=maybe'], 'testMode is either true or false'],
    [['--set', 'colour=red'], 'The fields are testMode'],
    [['--set', 'testMode='], 'sets no field'],
    [['--set', 'secret=whsec_shown'], 'sets no field'],
  ])('a processor is not connected with %j', async (flags, fault) => {
    const before = await credentials();
    const args = ['processors', 'connect', 'stripe', '--key-file', '-', ...flags];
    const { code, stderr } = await person.run(args, { stdin: SECRET });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(fault) });
    expect(stderr).not.toContain('whsec_');
    expect(await credentials()).toEqual(before);
  });

  it('a webhook gets a secret, another one, and its events, and is deleted by its URL', async () => {
    const url = `https://hooks.example.com/${randomUUID()}`;
    const first = await run('endpoints', 'add', url, '--event', 'live');
    const second = await run('endpoints', 'rotate', url);
    expect(await run('endpoints', 'add', url)).toMatchObject({ code: 1 });
    // The secret from before the first time would stop signing.
    expect(await run('endpoints', 'rotate', url)).toMatchObject({ code: 2 });
    for (const { stdout } of [first, second]) expect(stdout).toMatch(/^whsec_[\w+/=-]+\n$/);
    expect(second.stdout).not.toBe(first.stdout);
    expect((await run('endpoints', 'update', url, '--disable', '--event', 'live', 'rejected')).stdout).toMatch(
      /disabled +live rejected/,
    );
    expect(await run('endpoints', 'update', url, '--disable')).toMatchObject({ code: 0 });
    const filtered = await run('endpoints', 'update', url, '--event', 'license.issued', '--tier', 'pro');
    expect(filtered.stdout).toMatch(/disabled +license\.issued \(filtered\)/);
    expect((await run('endpoints', 'update', url, '--everything')).stdout).toMatch(/license\.issued\n/);
    expect(await run('endpoints', 'update', url)).toMatchObject({ code: 2 });
    expect(await run('endpoints', 'delete', url, '--yes')).toMatchObject({ code: 0 });
    expect(await run('endpoints', 'test', url)).toMatchObject({ code: 1 });
  });

  it('a plan with licenses is not deleted', async () => {
    expect(await run('licenses', 'issue', 'ann@example.com')).toMatchObject({ code: 0 });
    expect(await run('plans', 'update', 'pro', '--devices', '5')).toMatchObject({ code: 0 });
    expect(await run('plans', 'delete', 'pro', '--yes')).toMatchObject({ code: 1 });
    expect(await plan()).toMatchObject({ maxActivations: 5 });
  });
});
