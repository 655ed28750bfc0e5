import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/api.js';
import { DataSource, ImportWorker, startWorld, type World } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { expectStatus, type Tenant } from '../../support/given.js';
import { imported } from '../../support/imported.js';

const fileOf = (name: string): string => readFileSync(`test/licensing/imports/files/${name}.csv`, 'utf8');
const problem = (status: number, code: string): object => ({ status, body: { code } });
const KEPT = '38b1460a-5104-4067-a91d-77b872934d51';
const OWN = `email,tier,code,order\nann@example.com,pro,${KEPT},\nben@example.com,team,,LS-1\n`;

describe('an import of a file', () => {
  let world: World;
  let tenant: Tenant;
  let extensionId: string;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    tenant = await world.given.tenant();
    extensionId = await world.given.extension(tenant, 'Tab Counter');
    for (const tier of ['pro', 'team']) expectStatus(await api().post('/plans', { extensionId, tier }), 201);
  });

  const api = () => world.api.as({ token: tenant.token });
  const send = (raw: string | Uint8Array<ArrayBuffer>, query = ''): Promise<Answer> =>
    api().post(`/license-imports?extension=${extensionId}${query}`, undefined, {
      raw,
      headers: { 'content-type': 'text/csv; charset=utf-8' },
    });
  const work = (): Promise<void> => world.app.get(ImportWorker).tick();
  const get = async (id: string) => expectStatus(await api().get(`/license-imports/${id}`), 200).body;
  const say = async (id: string, said: object): Promise<Answer> => api().post(`/license-imports/${id}/preview`, said);
  const start = (id: string, wish: object = {}): Promise<Answer> => api().post(`/license-imports/${id}/start`, wish);
  const textOf = async (id: string, what: string): Promise<string> =>
    expectStatus(await api().get(`/license-imports/${id}/${what}`), 200).text;
  const licenses = async () => expectStatus(await api().get('/licenses?limit=100'), 200).body.items;
  const checked = async (csv: string, said?: object): Promise<string> => {
    const { id } = expectStatus(await send(csv), 201).body;
    if (said !== undefined) expectStatus(await say(id, said), 200);
    await work();
    return id;
  };
  const activate = (code: string): Promise<Answer> =>
    world.api.post('/licensing/activate', { code, extensionId, fingerprint: randomUUID() });

  it('is checked, started, and makes its licenses in the background, once', async () => {
    const { id, ...sent } = expectStatus(await send(OWN), 201).body;
    expect(sent).toMatchObject({ state: 'checking', profile: 'pierhead', lines: 2, missing: [], requestedBy: 'CI' });
    expect(await start(id)).toMatchObject(problem(409, 'import_not_ready'));
    await work();
    expect(await get(id)).toMatchObject({ state: 'ready', created: 2, existing: 0, faults: 0, done: 2, codes: 0 });
    expect(await licenses()).toEqual([]);
    expect(expectStatus(await start(id), 200).body).toMatchObject({ state: 'running', created: 0, done: 0 });
    expectStatus(await start(id), 200);
    await work();
    expect(await get(id)).toMatchObject({ state: 'done', created: 2, codes: 1 });
    expect(expectStatus(await start(id), 200).body.state).toBe('done');
    expect(await licenses()).toMatchObject([
      { buyerEmail: 'ben@example.com', tier: 'team', source: 'import:LS-1' },
      { buyerEmail: 'ann@example.com', tier: 'pro', source: 'manual' },
    ]);
    expect(await activate(KEPT.toUpperCase())).toMatchObject({ body: { success: true, tier: 'pro' } });

    const again = await checked(OWN);
    expect(await get(again)).toMatchObject({ created: 0, existing: 2 });
    const timeline = expectStatus(await api().get(`/extensions/${extensionId}/events?kind=license_imported`), 200);
    expect(timeline.body.items).toMatchObject([{ message: '2 licenses were imported.' }]);
    const entries = expectStatus(await world.api.as(tenant).get(`/audit?subjectType=license_import`), 200).body.items;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'license_import.uploaded',
      'license_import.started',
      'license_import.uploaded',
    ]);
    const [made] = await licenses();
    const { items } = expectStatus(await world.api.as(tenant).get(`/audit?subjectId=${made.id}`), 200).body;
    expect(items).toMatchObject([{ action: 'license.imported', actor: { name: 'CI' } }]);
  });

  it('says what would become of each line, makes a license of each good one, and changes nothing when repeated', async () => {
    const csv = [
      'email,tier,code,order,status,expiresAt,maxActivations',
      `ann@example.com,pro,${KEPT},,,,7`,
      'bob@example.com,pro,,LS-1001,suspended,2030-01-31T00:00:00Z,',
      'cid@example.com,pro,AB12-CD34-EF56-GH78-JK90,LS-1002,revoked,,',
      'dan@example.com,gold,,LS-1003,,,',
      'not an address,pro,,LS-1004,,,',
      'eve@example.com,pro,,,,,',
      'fay@example.com,pro,12345,,,,',
      'gus@example.com,pro,,LS-1005,,,1000001',
      `ann@example.com,pro,${KEPT.toUpperCase()},,,,`,
    ].join('\r\n');
    const id = await checked(csv);
    expect(await get(id)).toMatchObject({ state: 'ready', created: 3, existing: 1, faults: 5 });
    expect((await get(id)).firstFaults).toMatchObject([
      { line: 5, message: 'tier: no tier is said for "gold".' },
      { line: 6, message: expect.stringMatching(/e-mail address/) },
      { line: 7, message: expect.stringMatching(/needs a code or an order/) },
      { line: 8, message: expect.stringMatching(/^code: must be a Pierhead code/) },
      { line: 9, message: expect.stringMatching(/from 1 to 1000000/) },
    ]);
    expect(await licenses()).toEqual([]);
    expect(await imported(world, tenant, extensionId, csv)).toMatchObject({ state: 'done', created: 3, existing: 1 });
    expect(await imported(world, tenant, extensionId, csv)).toMatchObject({ created: 0, existing: 4, faults: 5 });
    expect(await licenses()).toMatchObject([
      { buyerEmail: 'cid@example.com', status: 'revoked', revokedFor: 'tenant', source: 'import:LS-1002' },
      { buyerEmail: 'bob@example.com', status: 'suspended', expiresAt: '2030-01-31T00:00:00.000Z' },
      { buyerEmail: 'ann@example.com', status: 'active', seats: { used: 0, max: 7 }, codeHint: '34D51' },
    ]);
    expect(expectStatus(await api().get('/licenses?order=LS-1001'), 200).body.items).toHaveLength(1);
    expect(await activate(`${KEPT.slice(0, -1)}2`)).toMatchObject({ body: { reason: 'invalid_code' } });
  });

  it('keeps a code of another tool apart for each extension', async () => {
    const there = await world.given.extension(tenant);
    expectStatus(await api().post('/plans', { extensionId: there, tier: 'pro' }), 201);
    const csv = `email,tier,code\nann@example.com,pro,${KEPT}`;
    for (const one of [extensionId, there]) {
      expect(await imported(world, tenant, one, csv)).toMatchObject({ state: 'done', created: 1 });
      const device = { code: KEPT, extensionId: one, fingerprint: randomUUID() };
      expect(await world.api.post('/licensing/activate', device)).toMatchObject({ body: { success: true } });
    }
  });

  it('answers the codes that it made until it is deleted, and none that do not work', async () => {
    const id = await checked('email,tier,order\nann@example.com,pro,1\nben@example.com,pro,2\ncid@example.com,pro,3\n');
    expectStatus(await start(id), 200);
    await work();
    const csv = await textOf(id, 'codes');
    expect(csv).toMatch(/^email,code\r\n(\w+@example\.com,.{29}\r\n){3}$/);
    expect(await textOf(id, 'codes')).toBe(csv);
    const [, code = ''] = csv.split('\r\n')[1]?.split(',') ?? [];
    expect(await activate(code)).toMatchObject({ body: { success: true } });
    const [cid, ben] = await licenses();
    expectStatus(await api().post(`/licenses/${ben.id}/rotate`), 200);
    expectStatus(await api().post(`/licenses/${cid.id}/revoke`), 200);
    expectStatus(await api().delete(`/licenses/${cid.id}`), 204);
    expect(await textOf(id, 'codes')).toMatch(/^email,code\r\nann@example\.com,.{29}\r\n$/);
    expectStatus(await api().delete(`/license-imports/${id}`), 204);
    expect(await api().get(`/license-imports/${id}/codes`)).toMatchObject(problem(404, 'import_not_found'));
    expect(await licenses()).toHaveLength(2);
  });

  it.each([
    ['lemonsqueezy-license-keys', 'lemonsqueezy', 5, 0],
    ['keygen-licenses', 'keygen', 5, 0],
    ['polar-orders', 'polar', 3, 3],
    ['polar-license-keys', 'polar', 3, 0],
  ])('of %s makes the licenses of a file of %s', async (name, profile, created, codes) => {
    const id = await checked(fileOf(name));
    expect(await get(id)).toMatchObject({ profile, state: 'ready', created, faults: 0 });
    expectStatus(await start(id), 200);
    await work();
    expect(await get(id)).toMatchObject({ state: 'done', created, existing: 0, codes });
    expect(await licenses()).toHaveLength(created);
    expect(await get(await checked(fileOf(name)))).toMatchObject({ created: 0, existing: created });
  });

  it('of Gumroad leaves out totals, and products that are not the extension’s once somebody says so', async () => {
    const id = await checked(fileOf('gumroad-sales'));
    expect(await get(id)).toMatchObject({
      profile: 'gumroad',
      products: [
        { value: 'Tab Counter / (Pro)', lines: 5, tier: 'pro' },
        { value: 'Tab Counter / (Team)', lines: 2, tier: 'team' },
        { value: 'E-book, "signed"', lines: 1, tier: null },
      ],
      created: 6,
      existing: 1,
      skipped: 2,
      faults: 1,
      firstFaults: [{ line: 8, message: 'tier: no tier is said for "E-book, \\"signed\\"".' }],
    });
    expect(await start(id)).toMatchObject(problem(409, 'import_has_faults'));
    expect(await textOf(id, 'faults')).toMatch(/^line,message\r\n8,/);
    expectStatus(await say(id, { tiers: { 'E-book, "signed"': '-' } }), 200);
    await work();
    expect(await get(id)).toMatchObject({ state: 'ready', created: 6, skipped: 3, faults: 0, firstFaults: [] });
    expectStatus(await start(id), 200);
    await work();
    expect(
      (await licenses()).map(
        ({ buyerEmail, tier, status }: Record<string, string>) => `${buyerEmail} ${tier} ${status}`,
      ),
    ).toEqual([
      'hal@example.com pro revoked',
      'fay@example.com pro suspended',
      'eve@example.com pro active',
      'cid@example.com pro revoked',
      'ben@example.com team expired',
      'ann@example.com pro active',
    ]);
  });

  it('keeps signed keys of 250 characters as codes', async () => {
    const id = await checked(fileOf('keygen-licenses'));
    expectStatus(await start(id), 200);
    await work();
    const key = fileOf('keygen-licenses').split('\n')[1]?.split(',')[2] ?? '';
    expect(key.length).toBeGreaterThan(200);
    expect(await activate(key)).toMatchObject({ status: 200, body: { success: true } });
    expect(await activate(`${key.slice(0, 100)}\r\n${key.slice(100)}`)).toMatchObject({ body: { success: true } });
    expect(await activate(`${key.slice(0, -5)}XXX==`)).toMatchObject({ body: { reason: 'invalid_code' } });
    expect(await api().post('/licenses/find', { code: key })).toMatchObject({
      body: { buyerEmail: 'ann@example.com' },
    });
  });

  it('of an unknown tool waits for the names of its columns', async () => {
    const csv = 'Mail;Serial;Kind;State\nann@example.com;38b1460a51044067a91d77b872934d51;gold;frozen\n';
    const id = await checked(csv);
    expect(await get(id)).toMatchObject({ state: 'unread', profile: null, missing: ['tier'], created: 0 });
    expect(await start(id)).toMatchObject(problem(409, 'import_not_ready'));
    expectStatus(await say(id, { columns: { Kind: 'tier' } }), 200);
    await work();
    expect(await get(id)).toMatchObject({
      state: 'ready',
      faults: 1,
      products: [{ value: 'gold', lines: 1, tier: null }],
      statuses: [{ value: 'frozen', lines: 1, status: null }],
    });
    expectStatus(await say(id, { tiers: { gold: 'pro' }, statuses: { frozen: 'suspended' } }), 200);
    await work();
    expectStatus(await start(id), 200);
    await work();
    expect(await licenses()).toMatchObject([{ buyerEmail: 'ann@example.com', status: 'suspended', tier: 'pro' }]);
    expect(await say(id, {})).toMatchObject(problem(409, 'import_not_ready'));
  });

  it.each([
    [{ columns: { Nothing: 'email' } }, 'columns', /no column "Nothing"/],
    [{ columns: { email: 'mail' } }, 'columns', /"mail" is none of email, tier/],
    [{ tiers: { gold: 'platinum' } }, 'tiers', /no plan for the tier "platinum"/],
    [{ statuses: { frozen: 'iced' } }, 'statuses', /"iced" is none of active/],
    [{ profile: 'paypal' }, 'profile', /must be one of/],
  ])('refuses %j', async (said, field, message) => {
    const id = await checked(OWN);
    expect(await say(id, said)).toMatchObject({
      status: 400,
      body: { errors: [{ field, message: expect.stringMatching(message) }] },
    });
    expect(await get(id)).toMatchObject({ state: 'ready', created: 2 });
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>, RegExp]>([
    ['is empty', '', /The file is empty/],
    ['is no CSV', 'email,tier\na@b.example,pro\n"open', /a quoted cell does not end/],
    ['has a stray quote', 'email,tier\na@b.example,p"ro\n', /a quote in line 2/],
    ['is not UTF-8', new Uint8Array([...Buffer.from('email,tier\n'), 0xe4, 0x2c]), /not UTF-8/],
    ['has a line of 200,000 characters', `email,tier\n${'x'.repeat(200_000)}`, /characters in line 2/],
    ['has too many cells', `email,tier\n${','.repeat(301)}`, /300 cells in line 2/],
  ])('refuses a file that %s, and keeps nothing of it', async (_, csv, message) => {
    const { status, text } = await send(csv);
    expect([status, text]).toEqual([400, expect.stringMatching(message)]);
    expect((await api().get('/license-imports')).body.items).toEqual([]);
  });

  it('refuses what is no CSV, another tenant’s extension, and a sixth file that waits', async () => {
    expect(await api().post(`/license-imports?extension=${extensionId}`, {})).toMatchObject(
      problem(415, 'unsupported_media_type'),
    );
    expect(await send(OWN, '&profile=paypal')).toMatchObject(problem(400, 'invalid_request'));
    const stranger = await world.given.tenant();
    expect(
      await world.api.as({ token: stranger.token }).post(`/license-imports?extension=${extensionId}`, undefined, {
        raw: OWN,
        headers: { 'content-type': 'text/csv' },
      }),
    ).toMatchObject(problem(404, 'extension_not_found'));
    for (let sent = 0; sent < 5; sent += 1) expectStatus(await send(OWN), 201);
    expect(await send(OWN)).toMatchObject(problem(409, 'too_many_imports'));
    const [{ id }] = (await api().get('/license-imports')).body.items;
    expectStatus(await api().post(`/license-imports/${id}/cancel`), 200);
    expectStatus(await send(OWN), 201);
  });

  it('is stopped between two pages, and goes on where it was when the same file comes again', async () => {
    const lines = Array.from({ length: 1200 }, (_, at) => `b${at}@example.com,pro,LS-${at}`);
    const csv = ['email,tier,order', ...lines].join('\n');
    const id = await checked(csv);
    expectStatus(await start(id), 200);
    const worker = world.app.get(ImportWorker);
    const working = worker.tick();
    while ((await get(id)).created === 0) await new Promise(setImmediate);
    const { body } = expectStatus(await api().post(`/license-imports/${id}/cancel`), 200);
    await working;
    const { created, state } = await get(id);
    expect([state, created]).toEqual(['canceled', body.created]);
    expect([500, 1000, 1200]).toContain(created);
    expectStatus(await api().post(`/license-imports/${id}/cancel`), 200);
    const told = expectStatus(await api().get(`/extensions/${extensionId}/events?kind=license_imported`), 200);
    expect(told.body.items).toMatchObject([{ message: `${created} licenses were imported.` }]);
    const rest = await checked(csv);
    expect(await get(rest)).toMatchObject({ created: 1200 - created, existing: created });
    expectStatus(await start(rest), 200);
    await work();
    const [{ count }] = await world.app
      .get(DataSource)
      .query('select count(*)::int from license where extension_id = $1', [extensionId]);
    expect(count).toBe(1200);
  });

  it('is carried out once by two processes, also when the first of them dies', async () => {
    const other = await startWorld({ with: world });
    try {
      const lines = Array.from({ length: 1100 }, (_, at) => `b${at}@example.com,pro,LS-${at}`);
      const id = await checked(['email,tier,order', ...lines].join('\n'));
      expectStatus(await start(id), 200);
      await Promise.all([work(), other.app.get(ImportWorker).tick()]);
      expect(await get(id)).toMatchObject({ state: 'done', created: 1100, codes: 1100 });
      expect((await textOf(id, 'codes')).trimEnd().split('\r\n')).toHaveLength(1101);
    } finally {
      await other.close();
    }
  });

  it('keeps nothing of a file in clear, and deletes it after seven days', async () => {
    const id = await checked(OWN);
    const rows = await world.app
      .get(DataSource)
      .query(
        `select i::text || p::text as text from license_import i join license_import_page p on p.import_id = i.id where i.id = $1`,
        [id],
      );
    expect(rows).toHaveLength(1);
    for (const secret of [KEPT, 'ann@example.com', 'LS-1']) expect(rows[0].text).not.toContain(secret);
    await world.forward(8 * DAY);
    expect(await api().get(`/license-imports/${id}`)).toMatchObject(problem(404, 'import_not_found'));
    await work();
    const left = await world.app.get(DataSource).query('select 1 from license_import_page where import_id = $1', [id]);
    expect(left).toEqual([]);
  });
});
