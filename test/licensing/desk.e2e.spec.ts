import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api.js';
import { DataSource, startWorld, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';

const problem = (status: number, code: string): object => ({ status, body: { code } });

describe('a license desk', () => {
  let world: World;
  let tenant: Tenant;
  let extensionId: string;
  let planId: string;
  beforeAll(async () => {
    world = await startWorld();
    await open();
  });
  afterAll(() => world.close());

  /** Begins with a new tenant, so that lists hold only what a test makes. */
  const open = async (): Promise<void> => {
    tenant = await world.given.tenant();
    extensionId = await world.given.extension(tenant);
    planId = await plan(extensionId);
  };
  const my = (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.api.as(tenant).call(method, path, body);
  const plan = async (of: string): Promise<string> =>
    expectStatus(await my('POST', '/plans', { extensionId: of, tier: 'pro' }), 201).body.id;
  const load = (csv: string, query = ''): Promise<Answer> =>
    world.api.as(tenant).post(`/licenses/import?extension=${extensionId}${query}`, undefined, {
      raw: csv,
      headers: { 'content-type': 'text/csv; charset=utf-8' },
    });
  const issue = async (wish: object = {}): Promise<string> =>
    expectStatus(await my('POST', '/licenses', { planId, buyerEmail: 'ann@example.com', ...wish }), 201).body.id;
  const activate = (code: string, extension = extensionId): Promise<Answer> =>
    world.api.post('/licensing/activate', { code, extensionId: extension, fingerprint: randomUUID() });
  const actionsOf = async (id: string): Promise<readonly string[]> =>
    expectStatus(await world.api.as({ cookie: tenant.cookie }).get(`/audit?subjectId=${id}`), 200).body.items.map(
      ({ action }: { readonly action: string }) => action,
    );

  describe('that imports', () => {
    const CODE = '38b1460a-5104-4067-a91d-77b872934d51';
    const FILE = [
      'email,tier,code,order,status,expiresAt,maxActivations',
      `ann@example.com,pro,${CODE},,,,7`,
      'bob@example.com,pro,,LS-1001,suspended,2030-01-31T00:00:00Z,',
      'cid@example.com,pro,AB12-CD34-EF56-GH78-JK90,LS-1002,revoked,,',
      'dan@example.com,gold,,LS-1003,,,',
      'not an address,pro,,LS-1004,,,',
      'eve@example.com,pro,,,,,',
      'fay@example.com,pro,12345,,,,',
      'gus@example.com,pro,,LS-1005,lost,,1000001',
      `ann@example.com,pro,${CODE.toUpperCase()},,,,`,
    ].join('\r\n');
    beforeAll(open);

    it('says what would become of each line, and makes nothing of it', async () => {
      const { body } = expectStatus(await load(FILE, '&dryRun=true'), 200);
      expect(body).toMatchObject({ dryRun: true, created: 3, existing: 1, faults: 5 });
      expect(body.lines.map(({ line, outcome }: { line: number; outcome: string }) => `${line} ${outcome}`)).toEqual([
        '2 created',
        '3 created',
        '4 created',
        '5 fault',
        '6 fault',
        '7 fault',
        '8 fault',
        '9 fault',
        '10 exists',
      ]);
      expect(body.lines[3]).toMatchObject({
        email: 'dan@example.com',
        message: expect.stringMatching(/no plan for the tier gold/),
      });
      expect(body.lines[7].message).toMatch(/status: must be one of .* maxActivations: must be a whole number/);
      expect(expectStatus(await my('GET', '/licenses'), 200).body.items).toEqual([]);
    });

    it('makes a license of each good line, and changes nothing when repeated', async () => {
      const first = expectStatus(await load(FILE), 200).body;
      expect(first).toMatchObject({ dryRun: false, created: 3, existing: 1, faults: 5 });
      const again = expectStatus(await load(FILE), 200).body;
      expect(again).toMatchObject({ created: 0, existing: 4, faults: 5 });
      const ids = (lines: readonly { licenseId: string | null }[]) => lines.map(({ licenseId }) => licenseId);
      expect(ids(again.lines)).toEqual(ids(first.lines));
      expect(first.lines[9 - 1].licenseId).toBe(first.lines[0].licenseId);

      const { items } = expectStatus(await my('GET', '/licenses'), 200).body;
      expect(items).toMatchObject([
        { buyerEmail: 'cid@example.com', status: 'revoked', revokedFor: 'tenant', source: 'import:LS-1002' },
        { buyerEmail: 'bob@example.com', status: 'suspended', expiresAt: '2030-01-31T00:00:00.000Z' },
        { buyerEmail: 'ann@example.com', status: 'active', seats: { used: 0, max: 7 }, codeHint: '34D51' },
      ]);
      expect(await actionsOf(items[0].id)).toEqual(['license.imported']);
      const timeline = expectStatus(await my('GET', `/extensions/${extensionId}/events?kind=license_imported`), 200);
      expect(timeline.body.items).toMatchObject([{ message: '3 licenses were imported.', data: { created: 3 } }]);
      expect(expectStatus(await my('GET', '/licenses?order=LS-1001'), 200).body.items).toHaveLength(1);
    });

    it('lets buyers use the codes that they have, however they type them', async () => {
      for (const typed of [CODE, CODE.toUpperCase(), ` ${CODE.replaceAll('-', '')} `])
        expect(await activate(typed)).toMatchObject({ status: 200, body: { success: true, tier: 'pro' } });
      expect(await activate('38b1460a-5104-4067-a91d-77b872934d52')).toMatchObject({
        body: { reason: 'invalid_code' },
      });
    });

    it('returns the codes that it makes, once', async () => {
      const { lines } = expectStatus(await load('email,tier,order\nbob@example.com,pro,LS-2000'), 200).body;
      expect(await activate(lines[0].code)).toMatchObject({ body: { success: true } });
      const again = expectStatus(await load('email,tier,order\nbob@example.com,pro,LS-2000'), 200).body;
      expect(again.lines).toEqual([{ ...lines[0], outcome: 'exists', code: null }]);
    });

    it('makes one license when two imports arrive at once', async () => {
      const csv = 'email,tier,code,order\nzoe@example.com,pro,ZZ-1234-5678-9ABC-DEF0,LS-3000';
      const answers = await Promise.all([load(csv), load(csv), load(csv)]);
      expect(answers.map(({ body }) => body.created + body.existing)).toEqual([1, 1, 1]);
      expect(answers.filter(({ body }) => body.created === 1)).toHaveLength(1);
      expect(answers.map(({ body }) => body.faults)).toEqual([0, 0, 0]);
    });

    it('keeps a code of another tool apart for each extension', async () => {
      const other = await world.given.extension(tenant);
      await plan(other);
      const csv = `email,tier,code\nann@example.com,pro,${CODE}`;
      const there = await world.api
        .as(tenant)
        .post(`/licenses/import?extension=${other}`, undefined, { raw: csv, headers: { 'content-type': 'text/csv' } });
      expect(there).toMatchObject({ status: 200, body: { created: 1 } });
      expect(await activate(CODE, other)).toMatchObject({ body: { success: true } });
    });

    it.each([
      ['is empty', '', /The file is empty\..* email and tier/],
      ['has only empty lines', '\r\n,,\r\n', /The file is empty\./],
      ['has another separator', 'email;tier\nann@example.com;pro', /no column email.*separated by commas/],
      ['has a column without a name', 'email,tier,,code\n', /Column 3 has no name/],
      ['lacks a column', 'email\nann@example.com', /email and tier/],
      ['has an unknown column', 'email,tier,colour\n', /no column \\"colour\\"/],
      ['has a column twice', 'email,tier,tier\n', /twice/],
      ['is no CSV', 'email,tier\n"ann', /quoted cell/],
      ['is too long', `email,tier\n${'a@b.example,pro\n'.repeat(10_000)}`, /more than 10000 lines/],
    ])('refuses a file that %s', async (_, csv, message) => {
      const { status, text } = await load(csv);
      expect(status).toBe(400);
      expect(text).toMatch(message);
    });

    it('refuses what is not CSV, or too much of it', async () => {
      expect(await my('POST', `/licenses/import?extension=${extensionId}`, {})).toMatchObject(
        problem(415, 'unsupported_media_type'),
      );
      expect(await load('x'.repeat(1024 * 1024 + 1))).toMatchObject(problem(413, 'payload_too_large'));
    });
  });

  describe('that exports', () => {
    beforeAll(open);

    it('writes every license that the filters name, safe for a spreadsheet', async () => {
      await issue({ buyerEmail: '=cmd@example.com' });
      await issue({ buyerEmail: 'bob@example.com', expiresAt: '2030-01-01T00:00:00Z' });
      const { text, headers } = expectStatus(await my('GET', '/licenses/export'), 200);
      expect(headers.get('content-type')).toMatch(/^text\/csv/);
      expect(headers.get('content-disposition')).toBe('attachment; filename="licenses.csv"');
      const [head, ...rows] = text.trimEnd().split('\r\n');
      expect(head).toMatch(/^id,extensionId,planId,tier,buyerEmail,codeHint,status,/);
      expect(rows).toHaveLength(2);
      expect(rows[0]).toContain(',bob@example.com,');
      expect(rows[1]).toContain(",'=cmd@example.com,");
      const one = expectStatus(await my('GET', '/licenses/export?email=bob%40example.com'), 200).text;
      expect(one.trimEnd().split('\r\n')).toHaveLength(2);
    });
  });

  describe('that searches', () => {
    beforeAll(open);

    it('finds licenses by how an address, its domain, the end of a code or an order begins', async () => {
      const [ann] = [
        await issue({ buyerEmail: 'ann.lee@example.com' }),
        await issue({ buyerEmail: 'bea@shop.example.com' }),
      ];
      expectStatus(await load('email,tier,order\r\ncid@example.com,pro,LS-900100\r\n'), 200);
      const found = async (search: string): Promise<readonly string[]> =>
        expectStatus(await my('GET', `/licenses?search=${encodeURIComponent(search)}`), 200).body.items.map(
          ({ buyerEmail }: { readonly buyerEmail: string }) => buyerEmail,
        );
      expect(await found('Ann.L')).toEqual(['ann.lee@example.com']);
      for (const domain of ['SHOP.ex', '@shop', 'shop.example.com'])
        expect(await found(domain)).toEqual(['bea@shop.example.com']);
      expect(await found('@exam')).toEqual(['cid@example.com', 'ann.lee@example.com']);
      const { codeHint } = expectStatus(await my('GET', `/licenses/${ann}`), 200).body;
      expect(await found(`…${codeHint.slice(0, 4).toLowerCase()}`)).toEqual(['ann.lee@example.com']);
      expect(await found('LS-900100')).toEqual(['cid@example.com']);
      for (const text of ['ann.lee@example.org', '%%%', 'nn.lee', 'hop.example.com', 'LS-9001000'])
        expect(await found(text)).toEqual([]);
      expect(await my('GET', '/licenses?search=an')).toMatchObject(problem(400, 'invalid_request'));
    });

    it('finds a license by its whole code, which is never in a URL', async () => {
      const issued = expectStatus(await my('POST', '/licenses', { planId, buyerEmail: 'ann@example.com' }), 201).body;
      const found = await my('POST', '/licenses/find', { code: issued.code.toLowerCase().replaceAll('-', ' ') });
      expect(found).toMatchObject({ status: 200, body: { id: issued.id } });
      expect(found.body).not.toHaveProperty('code');
      await load('email,tier,code\nbob@example.com,pro,38B1460A-5104-4067-A91D-77B872934D51');
      expect(await my('POST', '/licenses/find', { code: '38b1460a51044067a91d77b872934d51' })).toMatchObject({
        status: 200,
        body: { buyerEmail: 'bob@example.com' },
      });
      const stranger = await world.given.tenant();
      for (const [who, code] of [
        [stranger, issued.code],
        [tenant, '00000-00000-00000-00000-00000'],
        [tenant, 'x'],
      ] as const)
        expect(await world.api.as(who).post('/licenses/find', { code })).toMatchObject(
          problem(404, 'license_not_found'),
        );
    });
  });

  describe('that counts', () => {
    beforeAll(open);

    it('counts what the list has by the same filters, and no more than it says', async () => {
      const countOf = async (query: string) => expectStatus(await my('GET', `/licenses/count${query}`), 200).body;
      expect(await countOf('')).toEqual({ count: 0, isMore: false });
      await issue({ expiresAt: '2020-01-01T00:00:00Z' });
      await issue({ buyerEmail: 'bea@example.com' });
      const first = await issue();
      expectStatus(await my('POST', `/licenses/${first}/suspend`), 200);
      const filters = [
        '',
        '?status=expired',
        '?status=suspended',
        '?email=bea%40example.com',
        '?search=ann',
        '?isTest=true',
      ];
      expect(await Promise.all(filters.map(countOf))).toEqual(
        [3, 1, 1, 1, 2, 0].map((count) => ({ count, isMore: false })),
      );
      await world.app.get(DataSource).query(
        `insert into license select (json_populate_record(license, json_build_object('id', gen_random_uuid(), 'source', 'import:' || n,
           'code_digest', '\\x' || encode(sha256(convert_to(n::text, 'UTF8')), 'hex')))).*
           from license, generate_series(1, 10001) n where id = $1`,
        [first],
      );
      expect(await countOf('?status=suspended')).toEqual({ count: 10_000, isMore: true });
      expect(await countOf('?search=bea')).toEqual({ count: 1, isMore: false });
      expect(await my('GET', '/licenses/count?limit=3')).toMatchObject(problem(400, 'invalid_request'));
      const other = await world.given.tenant();
      expect((await world.api.as(other).get('/licenses/count')).body).toEqual({ count: 0, isMore: false });
    });
  });

  describe('that changes many', () => {
    beforeAll(open);

    it('shows what would change, changes it, and changes nothing when repeated', async () => {
      const [good, suspended, revoked] = [await issue(), await issue(), await issue()];
      expectStatus(await my('POST', `/licenses/${suspended}/suspend`), 200);
      expectStatus(await my('POST', `/licenses/${revoked}/revoke`), 200);
      const wish = { action: 'suspend', filter: { email: 'ann@example.com' } };
      const preview = expectStatus(await my('POST', '/licenses/bulk', { ...wish, dryRun: true }), 200).body;
      expect(preview).toMatchObject({
        dryRun: true,
        matched: 3,
        nextCursor: null,
        items: [
          { id: revoked, outcome: 'refused', after: { status: 'revoked' } },
          { id: suspended, outcome: 'unchanged', after: { status: 'suspended' } },
          { id: good, outcome: 'changed', before: { status: 'active' }, after: { status: 'suspended' } },
        ],
      });
      expect(expectStatus(await my('GET', `/licenses/${good}`), 200).body.status).toBe('active');
      const done = expectStatus(await my('POST', '/licenses/bulk', wish), 200).body;
      expect(done).toEqual({ ...preview, dryRun: false });
      const again = expectStatus(await my('POST', '/licenses/bulk', wish), 200).body;
      expect(again.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
        'refused',
        'unchanged',
        'unchanged',
      ]);
      expect(await actionsOf(good)).toEqual(['license.suspended', 'license.issued']);
    });

    it('extends and raises, and takes nothing away', async () => {
      const soon = new Date(world.clock.now().getTime() + DAY).toISOString();
      const [short, forever] = [await issue({ expiresAt: soon }), await issue({ maxActivations: 50 })];
      const late = new Date(world.clock.now().getTime() + 30 * DAY).toISOString();
      const ids = [short, forever];
      const extended = expectStatus(
        await my('POST', '/licenses/bulk', { action: 'extend', ids, expiresAt: late }),
        200,
      );
      expect(extended.body.items).toMatchObject([
        { id: forever, outcome: 'unchanged', after: { expiresAt: null } },
        { id: short, outcome: 'changed', before: { expiresAt: soon }, after: { expiresAt: late } },
      ]);
      const raised = expectStatus(
        await my('POST', '/licenses/bulk', { action: 'raise', ids, maxActivations: 10 }),
        200,
      );
      expect(raised.body.items).toMatchObject([
        { outcome: 'unchanged', after: { maxActivations: 50 } },
        { outcome: 'changed', after: { maxActivations: 10 } },
      ]);
    });

    it('goes on where it was left, a hundred at a time', async () => {
      await open();
      const lines = Array.from({ length: 120 }, (_, at) => `buyer@example.com,pro,LS-${at}`);
      expectStatus(await load(['email,tier,order', ...lines].join('\n')), 200);
      const wish = { action: 'revoke', filter: { status: 'active' } };
      const first = expectStatus(await my('POST', '/licenses/bulk', wish), 200).body;
      expect(first).toMatchObject({ matched: 120, nextCursor: expect.any(String) });
      expect(first.items).toHaveLength(100);
      const rest = expectStatus(await my('POST', '/licenses/bulk', { ...wish, cursor: first.nextCursor }), 200).body;
      expect(rest).toMatchObject({ matched: 20, nextCursor: null });
      expect(expectStatus(await my('GET', '/licenses?status=active'), 200).body.items).toEqual([]);
    });

    it.each([
      [{ action: 'suspend' }, 'filter'],
      [{ action: 'suspend', filter: {} }, 'filter'],
      [{ action: 'suspend', filter: { status: 'active' }, ids: [randomUUID()] }, 'filter'],
      [{ action: 'extend', filter: { status: 'active' } }, 'expiresAt'],
      [{ action: 'raise', filter: { status: 'active' } }, 'maxActivations'],
      [{ action: 'revoke', filter: { status: 'active' }, maxActivations: 3 }, 'maxActivations'],
      [{ action: 'delete', filter: { status: 'active' } }, 'action'],
    ])('refuses %j', async (wish, field) => {
      expect(await my('POST', '/licenses/bulk', wish)).toMatchObject({ status: 400, body: { errors: [{ field }] } });
    });

    it('knows nothing of other tenants’ licenses', async () => {
      const { licenseId } = await world.given.licensed();
      const answer = await my('POST', '/licenses/bulk', { action: 'revoke', ids: [licenseId] });
      expect(answer).toMatchObject({ status: 200, body: { matched: 0, items: [] } });
    });
  });
});
