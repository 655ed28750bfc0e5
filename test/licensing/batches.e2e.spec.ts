import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { DataSource, MailDeliveryWorker, startWorld, type World } from '../support/app.js';
import { DAY, SECOND } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import type { SmtpServer } from '../support/smtp-server.js';
import { deliverWebhooks } from '../notifications/team.js';
import { Receiver } from '../notifications/receiver.js';
import { codeOf, everything } from './delivery/codes.js';

const CODE = /^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){4}$/;

interface Item {
  readonly licenseId: string;
  readonly buyerEmail: string | null;
  readonly code: string | null;
}

describe('licenses that are issued together', () => {
  let smtp: SmtpServer;
  let world: World;
  let other: World;
  let tenant: Tenant;
  let extensionId: string;
  let planId: string;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
    other = await startWorld({ with: world });
    tenant = await world.given.tenant();
    extensionId = await world.given.extension(tenant);
    planId = await world.given.plan(tenant, extensionId);
  });
  afterEach(() => smtp.obey());
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  const my = (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.api.as(tenant).call(method, path, body);
  const issue = (wish: object, headers: Readonly<Record<string, string>> = {}, at = world): Promise<Answer> =>
    at.api.as(tenant).post('/licenses/batch', { planId, delivery: 'code', ...wish }, { headers });
  const keyed = (key: string = randomUUID()): Readonly<Record<string, string>> => ({ 'idempotency-key': key });
  const codesIn = (answer: Answer): string[] => answer.body.items.map(({ code }: Item) => code);
  const activate = async (code: string): Promise<string> =>
    (await world.api.post('/licensing/activate', { code, extensionId, fingerprint: randomUUID() })).body.reason;
  const issuedFor = async (campaign: string): Promise<readonly Record<string, unknown>[]> =>
    expectStatus(await my('GET', `/licenses?limit=100&campaign=${campaign}`), 200).body.items;
  const auditOf = async (subjectId: string): Promise<Answer['body']> =>
    expectStatus(await world.api.as({ cookie: tenant.cookie }).get(`/audit?subjectId=${subjectId}`), 200).body.items;

  it('have a code each, the terms of the request, and no owner yet', async () => {
    const terms = {
      maxActivations: 2,
      entitlements: ['export'],
      metadata: { shop: 'a' },
      expiresAt: '2099-01-31T12:00:00Z',
    };
    const answer = expectStatus(await issue({ count: 30, campaign: 'spring', ...terms }), 201);
    expect(answer.body).toMatchObject({ planId, campaign: 'spring', delivery: 'code', count: 30 });
    const codes = codesIn(answer);
    expect(new Set(codes).size).toBe(30);
    expect(codes.filter((code) => CODE.test(code))).toHaveLength(30);
    const licenses = await issuedFor('spring');
    expect(licenses).toHaveLength(30);
    for (const license of licenses)
      expect(license).toMatchObject({
        ...terms,
        expiresAt: '2099-01-31T12:00:00.000Z',
        buyerEmail: null,
        campaign: 'spring',
        status: 'active',
        delivery: null,
        source: expect.stringMatching(/^batch:/),
      });
    expect(await activate(codes[17] ?? '')).toBe('active');
    const kept = await everything(world);
    for (const code of codes) expect([kept, world.log.join('\n')].some((text) => text.includes(code))).toBe(false);
  });

  it('have the duration of their plan', async () => {
    expectStatus(await my('PATCH', `/plans/${planId}`, { duration: 'P30D' }), 200);
    expectStatus(await issue({ count: 1, campaign: 'lasting' }), 201);
    expectStatus(await issue({ count: 1, campaign: 'endless', expiresAt: null }), 201);
    expectStatus(await my('PATCH', `/plans/${planId}`, { duration: null }), 200);
    const end = new Date(world.clock.now().getTime() + 30 * DAY).toISOString();
    expect(await issuedFor('lasting')).toMatchObject([{ expiresAt: end }]);
    expect(await issuedFor('endless')).toMatchObject([{ expiresAt: null }]);
  });

  it('are counted, exported and revoked together by their campaign', async () => {
    const codes = codesIn(expectStatus(await issue({ count: 120, campaign: 'to revoke' }), 201));
    const filter = { campaign: 'to revoke' };
    const query = new URLSearchParams(filter).toString();
    const countOf = async (status: string) =>
      expectStatus(await my('GET', `/licenses/count?${query}&status=${status}`), 200).body;
    expect(await countOf('active')).toEqual({ count: 120, isMore: false });
    const csv = expectStatus(await my('GET', `/licenses/export?${query}`), 200).text.trimEnd();
    expect(csv.split('\r\n')).toHaveLength(121);
    const revoke = { action: 'revoke', filter };
    const first = expectStatus(await my('POST', '/licenses/bulk', revoke), 200).body;
    expect(first.matched).toBe(120);
    expect(first.items).toHaveLength(100);
    expectStatus(await my('POST', '/licenses/bulk', { ...revoke, cursor: first.nextCursor }), 200);
    expect(await countOf('revoked')).toEqual({ count: 120, isMore: false });
    expect(await activate(codes[1] ?? '')).toBe('revoked');
    expect(await issuedFor('spring')).toMatchObject(Array.from({ length: 30 }, () => ({ status: 'active' })));
  });

  it('join and leave a campaign one by one', async () => {
    const [{ licenseId }] = expectStatus(await issue({ count: 1 }), 201).body.items;
    expectStatus(await my('PATCH', `/licenses/${licenseId}`, { campaign: 'late' }), 200);
    expect(await issuedFor('late')).toMatchObject([{ id: licenseId }]);
    expectStatus(await my('PATCH', `/licenses/${licenseId}`, { campaign: null }), 200);
    expect(await issuedFor('late')).toEqual([]);
    const issued = { planId, buyerEmail: 'ann@example.com', campaign: 'late' };
    expect(expectStatus(await my('POST', '/licenses', issued), 201).body.campaign).toBe('late');
  });

  it('get one entry in the audit log and one in the timeline, without codes', async () => {
    const { body } = expectStatus(await issue({ count: 3, campaign: 'fair' }), 201);
    const entries = await auditOf(body.id);
    expect(entries).toMatchObject([
      { action: 'license_batch.issued', after: { planId, campaign: 'fair', delivery: 'code', count: 3 } },
    ]);
    expect(await auditOf(body.items[0].licenseId)).toEqual([]);
    const { items } = (await my('GET', `/extensions/${extensionId}/events?kind=licenses_issued`)).body;
    expect(items[0]).toMatchObject({
      message: '3 licenses were issued for the campaign fair.',
      data: { count: 3, planId },
    });
  });

  it('are told to a webhook one by one', async () => {
    const receiver = await Receiver.start();
    const endpoint = { kind: 'webhook', url: receiver.url('/issued'), events: ['license.issued'] };
    const { id } = expectStatus(await my('POST', '/notifications/endpoints', endpoint), 201).body;
    const { items } = expectStatus(await issue({ count: 3, emails: undefined }), 201).body;
    await deliverWebhooks(world);
    const told = receiver.at('/issued').map(({ body }) => (body.data as unknown as { license: object }).license);
    expect(told).toHaveLength(3);
    for (const { licenseId } of items)
      expect(told).toContainEqual(expect.objectContaining({ id: licenseId, buyerEmail: null, reason: 'tenant' }));
    expectStatus(await my('DELETE', `/notifications/endpoints/${id}`), 204);
    await receiver.close();
  });

  it('come as CSV to who asks for it', async () => {
    const emails = ['Ann@example.com', '=cmd@example.com'];
    const { text, headers } = expectStatus(await issue({ emails }, { accept: 'text/csv' }), 201);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, ...rows] = text.trimEnd().split('\r\n');
    expect(head).toBe('code,link,email,licenseId');
    expect(rows[0]).toMatch(/^[0-9A-Z-]{29},,ann@example\.com,[0-9a-f-]{36}$/);
    expect(rows[1]).toMatch(/^[0-9A-Z-]{29},,'=cmd@example\.com,[0-9a-f-]{36}$/);
  });

  it('are mailed to their owners, a few each second, with no code in the answer', async () => {
    const emails = Array.from({ length: 12 }, (_, at) => `${at}-${randomUUID()}@buyer.example`);
    const answer = expectStatus(await issue({ emails, delivery: 'mail' }), 201);
    expect(answer.body.items.map(({ buyerEmail }: Item) => buyerEmail)).toEqual(emails);
    expect(codesIn(answer)).toEqual(emails.map(() => null));
    const arrived = async (): Promise<number> => {
      // A worker takes a share of what is due at once.
      for (let time = 0; time < 12; time += 1) await world.app.get(MailDeliveryWorker).tick();
      return emails.filter((email) => smtp.to(email).length === 1).length;
    };
    expect(await arrived()).toBe(5);
    await world.forward(2 * SECOND);
    expect(await arrived()).toBe(12);
    expect(await activate(codeOf(smtp.to(emails[11] ?? '')[0]))).toBe('active');
    expect((await my('GET', `/licenses/${answer.body.items[11].licenseId}`)).body.delivery).toBe('sent');
  });

  describe('by a request that is repeated', () => {
    it('are issued once, and answered alike, also to a request that was sent at the same time', async () => {
      const headers = keyed();
      const wish = { count: 20, campaign: 'once' };
      const answers = await Promise.all([world, other, world, other].map((at) => issue(wish, headers, at)));
      for (const answer of answers) expect(answer.body).toEqual(expectStatus(answers[0] as Answer, 201).body);
      expect(await issuedFor('once')).toHaveLength(20);
      const again = expectStatus(await issue({ campaign: 'once', count: 20 }, headers), 201);
      expect(codesIn(again)).toEqual(codesIn(answers[0] as Answer));
      const kept = await everything(world);
      for (const code of codesIn(again)) expect(kept.includes(code)).toBe(false);
    });

    it('leave out what is no longer true', async () => {
      const headers = keyed();
      const first = expectStatus(await issue({ count: 3 }, headers), 201);
      const [rotated, deleted, kept] = first.body.items as [Item, Item, Item];
      expectStatus(await my('POST', `/licenses/${rotated.licenseId}/rotate`), 200);
      expectStatus(await my('POST', `/licenses/${deleted.licenseId}/revoke`), 200);
      expectStatus(await my('DELETE', `/licenses/${deleted.licenseId}`), 204);
      expectStatus(await my('PATCH', `/licenses/${kept.licenseId}`, { buyerEmail: 'New@example.com' }), 200);
      const { items } = expectStatus(await issue({ count: 3 }, headers), 201).body;
      expect(items).toEqual([
        { ...rotated, code: null },
        { ...kept, buyerEmail: 'new@example.com' },
      ]);
    });

    it('are refused with another body, and after a day', async () => {
      const headers = keyed();
      expectStatus(await issue({ count: 1 }, headers), 201);
      expect(await issue({ count: 2 }, headers)).toMatchObject({
        status: 409,
        body: { code: 'idempotency_key_reused' },
      });
      await world.forward(DAY);
      const late = await issue({ count: 1 }, headers);
      expect(late).toMatchObject({ status: 409, body: { code: 'batch_already_issued', count: 1 } });
      expect(await issue({ count: 1 }, { 'idempotency-key': ' ' })).toMatchObject({ status: 400 });
      expect(await issue({ count: 1 }, { 'idempotency-key': 'é' })).toMatchObject({ status: 400 });
    });

    it('are issued by another tenant with the same key', async () => {
      const headers = keyed();
      expectStatus(await issue({ count: 1 }, headers), 201);
      const stranger = await world.given.tenant();
      const plan = await world.given.plan(stranger, await world.given.extension(stranger));
      const wish = { planId: plan, count: 1, delivery: 'code' };
      expectStatus(await world.api.as(stranger).post('/licenses/batch', wish, { headers }), 201);
    });
  });

  it.each(['license', 'mail', 'event', 'audit_entry', 'license_batch'])(
    'are all there or none, when the process dies before it has written to %s',
    async (table) => {
      const database = world.app.get(DataSource);
      const headers = keyed();
      const campaign = `dies at ${table}`;
      const wish = { emails: ['a@example.com', `${randomUUID()}@example.com`], campaign, delivery: 'mail' };
      await database.query(
        `create function dies() returns trigger language plpgsql as 'begin raise exception ''the process died''; end'`,
      );
      const when = table === 'license_batch' ? 'before update' : 'before insert';
      await database.query(`create trigger dies ${when} on ${table} for each row execute function dies()`);
      try {
        expect((await issue(wish, headers)).status).toBe(500);
      } finally {
        await database.query('drop function dies cascade');
      }
      expect(await issuedFor(encodeURIComponent(campaign))).toEqual([]);
      expectStatus(await issue(wish, headers), 201);
      expect(await issuedFor(encodeURIComponent(campaign))).toHaveLength(2);
    },
  );

  it.each([
    [{}, 'emails', 'Send either emails or count'],
    [{ count: 1, emails: ['a@example.com'] }, 'emails', 'Send either emails or count'],
    [{ count: 5001 }, 'count', 'from 1 to 5000'],
    [{ count: 1, delivery: 'mail' }, 'emails', 'is required for the delivery mail'],
    [{ count: 1, delivery: 'gift', giftExpiresAt: '2020-01-31T00:00:00Z' }, 'giftExpiresAt', 'must be in the future'],
    [{ count: 1, giftExpiresAt: '2030-01-31T00:00:00Z' }, 'giftExpiresAt', 'is not allowed for the delivery code'],
    [{ count: 1, delivery: 'pigeon' }, 'delivery', 'must be one of'],
    [{ emails: [] }, 'emails', 'must have 1 to 5000 entries'],
    [{ emails: ['a@example.com', 'nobody'] }, 'emails', 'entry 2 is none'],
    [{ emails: ['a@example.com', 'A@example.com '] }, 'emails', 'entry 2 repeats an earlier one'],
    [{ emails: Array.from({ length: 5001 }, (_, at) => `${at}@example.com`) }, 'emails', 'more than 5000 entries'],
    [{ count: 1, campaign: '' }, 'campaign', 'must be text of 1 to 64 characters'],
  ])('are refused where %#', async (wish, field, message) => {
    const answer = await issue(wish);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.errors).toEqual([{ field, message: expect.stringContaining(message) }]);
  });

  it('are refused for a plan of somebody else', async () => {
    const stranger = await world.given.tenant();
    const plan = await world.given.plan(stranger, await world.given.extension(stranger));
    expect(await issue({ planId: plan, count: 1 })).toMatchObject({ status: 404, body: { code: 'plan_not_found' } });
  });
});

describe('a license without an owner', () => {
  let smtp: SmtpServer;
  let world: World;
  let tenant: Tenant;
  let id: string;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
    tenant = await world.given.tenant();
    const planId = await world.given.plan(tenant, await world.given.extension(tenant));
    const { items } = expectStatus(
      await my('POST', '/licenses/batch', { planId, count: 1, delivery: 'code' }),
      201,
    ).body;
    ({ licenseId: id } = items[0]);
  });
  afterAll(() => world.close());
  const my = (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.api.as(tenant).call(method, path, body);

  it('is shown, found and exported as such, and gets no mail', async () => {
    const { body } = expectStatus(await my('GET', `/licenses/${id}`), 200);
    expect(body.buyerEmail).toBeNull();
    const { items } = expectStatus(await my('GET', `/licenses?codeHint=${body.codeHint}`), 200).body;
    expect(items).toMatchObject([{ id, buyerEmail: null }]);
    const found = expectStatus(await my('POST', '/search', { text: body.codeHint }), 200).body;
    expect(JSON.stringify(found)).toContain(id);
    expect(expectStatus(await my('GET', '/licenses/export'), 200).text).toContain(`,${body.tier},,${body.codeHint},`);
    expect(await my('POST', `/licenses/${id}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'license_without_owner' },
    });
    const preview = { action: 'suspend', ids: [id], dryRun: true };
    expect((await my('POST', '/licenses/bulk', preview)).body.items).toMatchObject([{ id, buyerEmail: null }]);
  });

  it('is owned by whom its seller names, who then gets mails', async () => {
    const email = `${randomUUID()}@buyer.example`;
    expectStatus(await my('PATCH', `/licenses/${id}`, { buyerEmail: email }), 200);
    expectStatus(await my('POST', `/licenses/${id}/resend`), 200);
    await world.app.get(MailDeliveryWorker).tick();
    expect(codeOf(smtp.to(email)[0])).toMatch(CODE);
  });

  it('can be deleted', async () => {
    const { planId } = (await my('GET', `/licenses/${id}`)).body;
    const wish = { planId, count: 1, delivery: 'code' };
    const [{ licenseId }] = expectStatus(await my('POST', '/licenses/batch', wish), 201).body.items;
    expectStatus(await my('POST', `/licenses/${licenseId}/revoke`), 200);
    expectStatus(await my('DELETE', `/licenses/${licenseId}`), 204);
    expectStatus(await my('GET', `/licenses/${licenseId}`), 404);
    expectStatus(await my('GET', `/licenses/${id}`), 200);
  });
});
