import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { DataSource, startWorld, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { imported } from '../support/imported.js';

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
  const issue = async (wish: object = {}): Promise<string> =>
    expectStatus(await my('POST', '/licenses', { planId, buyerEmail: 'ann@example.com', ...wish }), 201).body.id;
  const actionsOf = async (id: string): Promise<readonly string[]> =>
    expectStatus(await world.api.as({ cookie: tenant.cookie }).get(`/audit?subjectId=${id}`), 200).body.items.map(
      ({ action }: { readonly action: string }) => action,
    );

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
      await imported(world, tenant, extensionId, 'email,tier,order\r\ncid@example.com,pro,LS-900100\r\n');
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
      const csv = 'email,tier,code\nbob@example.com,pro,38B1460A-5104-4067-A91D-77B872934D51';
      await imported(world, tenant, extensionId, csv);
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
      await imported(world, tenant, extensionId, ['email,tier,order', ...lines].join('\n'));
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
