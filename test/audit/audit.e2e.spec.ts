import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generate } from 'otplib';
import type { AuditEntry } from '../../src/platform/audit/audit.dto.js';
import type { Action } from '../../src/platform/audit/index.js';
import type { FromJson } from '../../sandbox/sandbox-control.js';
import {
  AuditLog,
  AuditPurgeService,
  DataSource,
  LoginRefusalsService,
  operatorOf,
  startWorld,
  Transactions,
  withWorkContext,
  type World,
} from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';

type Entry = FromJson<AuditEntry>;

describe('the audit log', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ env: { AUDIT_RETENTION_DAYS: '100' } });
  });
  afterAll(() => world.close());

  const page = async ({ cookie }: Tenant, query = '') =>
    expectStatus(await world.api.as({ cookie }).get(`/audit?${query}`), 200).body as {
      readonly items: readonly Entry[];
      readonly nextCursor: string | null;
    };
  const entries = async (tenant: Tenant, query = 'limit=100'): Promise<readonly Entry[]> =>
    (await page(tenant, query)).items;
  const actions = async (tenant: Tenant, query?: string): Promise<readonly string[]> =>
    (await entries(tenant, query)).map(({ action }) => action);
  const query = <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
    world.app.get(DataSource).query<Row[]>(sql, [...values]);

  it('says who did what, in which role, from where and in which request, and what it changed', async () => {
    const tenant = await world.given.tenant();
    const id = await world.given.extension(tenant, 'Night Owl');
    const change = { name: 'Day Owl', licensing: { seatIdleDays: null } };
    const { headers } = await world.api.as(tenant).patch(`/extensions/${id}`, change);
    const [entry] = await entries(tenant);
    expect(entry).toEqual({
      id: expect.any(String),
      at: world.clock.now().toISOString(),
      actor: { kind: 'token', id: expect.any(String), name: 'CI', role: 'owner', sessionId: null },
      address: expect.stringContaining('127.0.0.1'),
      country: null,
      action: 'extension.updated',
      subject: { type: 'extension', id, name: 'Day Owl' },
      extensionId: id,
      before: { name: 'Night Owl', seatIdleDays: 30 },
      after: { name: 'Day Owl', seatIdleDays: null },
      requestId: headers.get('x-request-id'),
    });
    expect((await entries(tenant)).at(-1)).toMatchObject({
      action: 'tenant.created',
      actor: { kind: 'user', name: tenant.email, role: 'owner' },
    });
  });

  it('is listed newest first and page by page, by any filter, to its own tenant alone', async () => {
    const tenant = await world.given.tenant();
    const license = await world.given.licensed({}, tenant);
    const api = world.api.as(tenant);
    await world.forward(HOUR);
    const from = world.clock.now().toISOString();
    expectStatus(await api.post(`/licenses/${license.licenseId}/suspend`), 200);
    await world.forward(HOUR);
    const to = world.clock.now().toISOString();
    expectStatus(await api.post(`/licenses/${license.licenseId}/reinstate`), 200);
    const all = await entries(tenant);
    expect(all.map(({ action }) => action)).toEqual([
      'license.reinstated',
      'license.suspended',
      'license.issued',
      'plan.created',
      'extension.created',
      'access_token.created',
      'session.begun',
      'tenant.created',
    ]);
    const paged: Entry[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { items, nextCursor } = await page(tenant, `limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...items);
      cursor = nextCursor;
    }
    expect(paged).toEqual(all);
    const { actor } = all[0] ?? {};
    const filters: Readonly<Record<string, readonly string[]>> = {
      [`actorId=${actor?.id}`]: all.slice(0, 5).map(({ action }) => action),
      'action=license.issued': ['license.issued'],
      'subjectType=license': ['license.reinstated', 'license.suspended', 'license.issued'],
      [`subjectId=${license.planId}`]: ['plan.created'],
      [`extensionId=${license.extensionId}`]: all.slice(0, 5).map(({ action }) => action),
      [`from=${from}`]: ['license.reinstated', 'license.suspended'],
      [`to=${from}`]: all.slice(2).map(({ action }) => action),
      [`from=${from}&to=${to}&subjectType=license`]: ['license.suspended'],
      'subjectId=nothing': [],
    };
    for (const [filter, found] of Object.entries(filters))
      expect([filter, await actions(tenant, filter)]).toEqual([filter, found]);
    expect(await entries(await world.given.tenant(), `subjectId=${license.licenseId}`)).toEqual([]);
  });

  it('has nothing of requests that are refused, or that repeat what is so already', async () => {
    const tenant = await world.given.publishable();
    const { licenseId, planId } = await world.given.licensed({ extensionId: tenant.extensionId }, tenant);
    const api = world.api.as(tenant);
    const target = `/extensions/${tenant.extensionId}/targets/${tenant.targetId}`;
    const { name } = (await api.get(`/extensions/${tenant.extensionId}`)).body;
    const zip = new Uint8Array(await packageOf('1.0.0'));
    const products = [{ processor: 'paddle', productId: 'pri_1' }];
    const idempotent = [
      () => api.patch(`/extensions/${tenant.extensionId}`, { name }),
      () => api.patch(`/plans/${planId}`, { maxActivations: 9 }),
      () => api.call('PUT', `/plans/${planId}/products`, products),
      () => api.post(`${target}/pause`),
      () => api.push({ extension: tenant.extensionId, version: '1.0.0' }, zip),
      () => api.patch(`/licenses/${licenseId}`, { maxActivations: 4 }),
      () => api.post(`/licenses/${licenseId}/suspend`),
      () => api.post(`/licenses/${licenseId}/revoke`),
    ];
    for (const request of idempotent) {
      expect((await request()).status).toBeLessThan(300);
      const before = await entries(tenant);
      expect((await request()).status).toBeLessThan(300);
      expect(await entries(tenant)).toEqual(before);
    }
    const before = await entries(tenant);
    const refused = [
      () => api.post('/extensions', { name }),
      () => api.post(`/licenses/${licenseId}/rotate`),
      () => api.delete(`/extensions/${tenant.extensionId}`),
      () => api.delete(`/credentials/${tenant.credentialId}`),
      () => api.patch(target, { enabled: true }),
      () => api.delete(`/plans/${randomUUID()}`),
    ];
    for (const request of refused) expect((await request()).status).toBeGreaterThanOrEqual(400);
    expect(await entries(tenant)).toEqual(before);
  });

  it('has a push of older content as one again, once it is pinned again', async () => {
    const tenant = await world.given.tenant();
    const extension = await world.given.extension(tenant);
    const push = async (version: string) =>
      world.api.as(tenant).push({ extension, version }, new Uint8Array(await packageOf(version)));
    for (const version of ['1.0.0', '1.1.0', '1.0.0']) expect((await push(version)).status).toBeLessThan(300);
    const pushes = await entries(tenant, 'action=artifact.pushed');
    expect(pushes.map(({ subject }) => subject.name)).toEqual(['1.0.0', '1.1.0', '1.0.0']);
  });

  it('has log-ins, log-outs, and log-ins that a known address was refused, whose answers take no longer', async () => {
    const { email, password, ...tenant } = await world.given.tenant();
    const known = { email, password, ...tenant };
    const login = (secret: string, address = email) =>
      world.api.post('/auth/login', { email: address, password: secret });
    expectStatus(await login('not the password'), 401);
    expectStatus(await login('not the password', `${randomUUID()}@author.example`), 401);
    const cookie =
      expectStatus(await login(password), 200)
        .headers.get('set-cookie')
        ?.split(';')[0] ?? '';
    expectStatus(await world.api.as({ cookie }).post('/auth/logout'), 204);
    await world.app.get(LoginRefusalsService).whenIdle();
    const found = (await entries(known)).filter(({ action }) => /^(session|user)\./.test(action));
    expect(found.map(({ action, actor }) => `${action} ${actor.name}`).toSorted()).toEqual(
      [
        `session.begun ${email}`,
        `session.begun ${email}`,
        `session.ended ${email}`,
        'user.login_refused unknown',
      ].toSorted(),
    );
    expect(found.find(({ action }) => action === 'user.login_refused')).toMatchObject({
      subject: { type: 'user', name: email },
      address: expect.stringContaining('127.0.0.1'),
      requestId: expect.any(String),
    });
  });

  it('has log-ins that were refused for a wrong second factor, but none of those that were asked for one', async () => {
    const tenant = await world.given.tenant();
    const { email, password, cookie } = tenant;
    const api = world.api.as({ cookie });
    const { secret } = expectStatus(await api.post('/auth/second-factor', { password }), 201).body;
    const code = await generate({ secret, epoch: Math.floor(world.clock.now().getTime() / 1000) });
    expectStatus(await api.post('/auth/second-factor/confirm', { code }), 200);
    expectStatus(await world.api.post('/auth/login', { email, password }), 403);
    // The confirmation has used the code up.
    expectStatus(await world.api.post('/auth/login', { email, password, code }), 403);
    await world.app.get(LoginRefusalsService).whenIdle();
    expect(await entries(tenant, 'action=user.login_refused')).toHaveLength(1);
  });

  it('has the end of all other sessions of a user in each tenant of the user', async () => {
    const [one, other] = [await world.given.tenant(), await world.given.tenant()];
    const api = world.api.as({ cookie: one.cookie });
    const token = await world.given.invitation(other, one.email);
    expectStatus(await api.post('/invitations/join', { token }), 200);
    await world.given.loggedIn(one);
    expectStatus(await api.delete('/auth/sessions'), 204);
    for (const tenant of [one, other]) expect(await entries(tenant, 'action=user.sessions_ended')).toHaveLength(1);
  });

  it("has what concerns a user's account in each tenant of the user, also what the operator does", async () => {
    const [one, other] = [await world.given.tenant(), await world.given.tenant()];
    const operator = await operatorOf(world.app);
    await withWorkContext({ actor: { kind: 'operator', name: 'make-owner' } }, async () => {
      await operator.makeOwner(one.email, other.tenantId);
      await operator.makeOwner(one.email, other.tenantId);
      await operator.resetPassword(one.email, `another ${randomUUID()}`);
    });
    expect((await entries(other)).slice(0, 2)).toMatchObject([
      {
        action: 'user.password_reset',
        actor: { kind: 'operator', name: 'make-owner', sessionId: null },
        requestId: null,
      },
      { action: 'member.joined', subject: { name: one.email }, after: { role: 'owner' }, address: null },
    ]);
    const own = await query<{ readonly action: string }>(
      'select action from audit_entry where tenant_id = $1 order by id desc limit 1',
      [one.tenantId],
    );
    expect(own).toEqual([{ action: 'user.password_reset' }]);
  });

  it('records only in the transaction of a change, and in a request only of a known caller', async () => {
    const log = world.app.get(AuditLog);
    const record = () => log.record(randomUUID(), 'extension.created', { id: randomUUID() });
    await expect(record()).rejects.toThrow('extension.created must be recorded in the transaction of the change');
    const inRequest = () => withWorkContext({ requestId: randomUUID() }, () => world.app.get(Transactions).run(record));
    await expect(inRequest()).rejects.toThrow('The caller of');
  });

  it('is neither changed nor emptied, not even in the database', async () => {
    const tenant = await world.given.tenant();
    const before = await entries(tenant);
    for (const sql of [
      `update audit_entry set action = 'nothing' where tenant_id = '${tenant.tenantId}'`,
      `delete from audit_entry where tenant_id = '${tenant.tenantId}'`,
      'truncate audit_entry',
    ])
      await expect(query(sql)).rejects.toThrow('Entries of the audit log are neither changed nor deleted');
    expect(await entries(tenant)).toEqual(before);
  });

  it('keeps an entry as long as the setting says, and not much longer', async () => {
    const tenant = await world.given.tenant();
    const purge = () => world.app.get(AuditPurgeService).deleteOld();
    await world.forward(100 * DAY - HOUR);
    await world.given.extension(tenant);
    await purge();
    expect(await query(`select from audit_entry where tenant_id = $1`, [tenant.tenantId])).toHaveLength(4);
    await world.forward(2 * HOUR);
    await purge();
    const left = await query<{ readonly action: Action }>(`select action from audit_entry where tenant_id = $1`, [
      tenant.tenantId,
    ]);
    expect(left).toEqual([{ action: 'extension.created' }]);
  });

  it('is exported whole, a line for each entry, as NDJSON and as CSV that no spreadsheet runs', async () => {
    const tenant = await world.given.tenant();
    await world.given.extension(tenant, '=1+1, "quoted"');
    await query(
      `insert into audit_entry select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid()))).*
         from audit_entry as one, generate_series(1, 2500) where tenant_id = $1 and action = 'extension.created'`,
      [tenant.tenantId],
    );
    const get = async (format: string) => {
      const answer = await world.api.as({ cookie: tenant.cookie }).get(`/audit/export?format=${format}`);
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="audit.${format}"`);
      return expectStatus(answer, 200).text;
    };
    const lines = (await get('ndjson')).trimEnd().split('\n');
    // An export has the entry of itself.
    expect(lines).toHaveLength(2505);
    expect(lines.filter((line) => line.includes('"tenant.audit_exported"'))).toHaveLength(1);
    const listed = await entries(tenant);
    expect(lines.slice(0, 100).map((line) => JSON.parse(line) as Entry)).toEqual(listed);
    const ids = lines.map((line) => (JSON.parse(line) as Entry).id);
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
    const [head, ...rows] = (await get('csv')).trimEnd().split('\r\n');
    expect(head).toMatch(/^id,at,actorKind,actorId,/);
    const exported = rows.map((row) => row.slice(0, 36));
    expect(exported.filter((id) => ids.includes(id))).toEqual(ids);
    expect(exported).toHaveLength(ids.length + 1);
    expect(rows.find((row) => row.includes('extension.created'))).toContain(`,"'=1+1, ""quoted""",`);
    const filtered = await world.api.as({ cookie: tenant.cookie }).get('/audit/export?action=tenant.created');
    expect(filtered.text.trimEnd().split('\n')).toHaveLength(1);
  });
});
