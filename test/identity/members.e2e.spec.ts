import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Answer } from '../support/api.js';
import { DataSource, ROLES, startWorld, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';

const unauthenticated = { status: 401, body: { code: 'unauthenticated' } };
const notAllowed = (role: string, permission: string): object => ({
  status: 403,
  body: { code: 'role_not_allowed', role, permission },
});

describe('the members of a tenant', () => {
  let world: World;
  let other: World;
  let owner: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    other = await startWorld({ with: world });
    owner = await world.given.tenant();
  });
  afterAll(async () => {
    await other.close();
    await world.close();
  });

  const as = ({ cookie }: Pick<Tenant, 'cookie'>, at = world) => at.api.as({ cookie });
  const patch = (by: Tenant, { userId }: Tenant, role: string): Promise<Answer> =>
    as(by).patch(`/members/${userId}`, { role });
  const remove = (by: Tenant, { userId }: Tenant): Promise<Answer> => as(by).delete(`/members/${userId}`);

  it('are listed with their roles, newest first, to every role and to tokens with members:read', async () => {
    const tenant = await world.given.tenant();
    const viewer = await world.given.member(tenant, 'viewer');
    const { body } = expectStatus(await as(viewer).get('/members'), 200);
    expect(body).toEqual({
      items: [
        expect.objectContaining({ userId: viewer.userId, email: viewer.email, role: 'viewer' }),
        expect.objectContaining({ userId: tenant.userId, email: tenant.email, role: 'owner' }),
      ],
      nextCursor: null,
    });
    const token = await world.given.token(tenant, ['members:read']);
    expect((await world.api.as({ token }).get('/members')).body).toEqual(body);
    expect(await world.api.as({ token: tenant.token }).get('/members')).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
  });

  it('have another role from their next request on, at every process', async () => {
    const member = await world.given.member(owner, 'viewer');
    const api = other.api.as({ token: member.token });
    const create = (): Promise<Answer> => api.post('/extensions', { name: randomUUID() });
    expect(await create()).toMatchObject(notAllowed('viewer', 'extensions:write'));
    expect(await patch(owner, member, 'publisher')).toMatchObject({
      status: 200,
      body: { userId: member.userId, role: 'publisher' },
    });
    expect((await create()).status).toBe(201);
    expect((await as(member, other).get('/auth/me')).body.role).toBe('publisher');
    expect(await api.get('/licenses')).toMatchObject(notAllowed('publisher', 'licenses:read'));
    expect(await as(member, other).get('/access-tokens')).toMatchObject(notAllowed('publisher', 'tokens:read'));
  });

  it('limit the tokens that they create to what their role allows now', async () => {
    const admin = await world.given.member(owner, 'admin');
    const token = await world.given.token(admin, ['*', 'credentials:write']);
    const api = world.api.as({ token });
    expect((await api.get('/licenses')).status).toBe(200);
    expect(await api.post('/credentials', {})).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    await patch(owner, admin, 'publisher');
    expect(await api.get('/licenses')).toMatchObject(notAllowed('publisher', 'licenses:read'));
    expect(await api.post('/credentials', {})).toMatchObject(notAllowed('publisher', 'credentials:write'));
    expect((await api.get('/extensions')).status).toBe(200);
  });

  it('are out with their next request when they are removed, at every process, with every session and token', async () => {
    const admin = await world.given.member(owner, 'admin');
    const token = await world.given.token(admin);
    const invited = await world.given.invitation(admin, `${randomUUID()}@author.example`);
    for (const identity of [{ cookie: admin.cookie }, { token: admin.token }, { token }])
      expect((await other.api.as(identity).get('cookie' in identity ? '/auth/me' : '/extensions')).status).toBe(200);
    expect((await remove(owner, admin)).status).toBe(204);
    for (const identity of [{ cookie: admin.cookie }, { token: admin.token }, { token }])
      expect(await other.api.as(identity).get('cookie' in identity ? '/auth/me' : '/extensions')).toMatchObject(
        unauthenticated,
      );
    expect(await world.api.post('/invitations/show', { token: invited })).toMatchObject({ status: 410 });
    expect(await remove(owner, admin)).toMatchObject({ status: 404, body: { code: 'member_not_found' } });
    const { email, password } = admin;
    const login = await world.api.post('/auth/login', { email, password });
    expect(login).toMatchObject({ status: 403, body: { code: 'no_tenant' } });
  });

  it('may leave, and return by an invitation to the same account', async () => {
    const viewer = await world.given.member(owner, 'viewer');
    expect((await as(viewer).post('/members/leave')).status).toBe(204);
    expect(await as(viewer).get('/auth/me')).toMatchObject(unauthenticated);
    const token = await world.given.invitation(owner, viewer.email, 'support');
    expectStatus(await world.api.post('/invitations/accept', { token, password: viewer.password }), 200);
    const again = await world.given.loggedIn(viewer);
    expect(again).toMatchObject({ userId: viewer.userId, tenantId: owner.tenantId });
  });

  it('cannot touch owners, or make one, as admins', async () => {
    const admin = await world.given.member(owner, 'admin');
    const viewer = await world.given.member(owner, 'viewer');
    const refused = { status: 403, body: { code: 'owner_required' } };
    expect(await patch(admin, owner, 'viewer')).toMatchObject(refused);
    expect(await remove(admin, owner)).toMatchObject(refused);
    expect(await patch(admin, viewer, 'owner')).toMatchObject(refused);
    expect(await patch(admin, admin, 'owner')).toMatchObject(refused);
    expect(await as(admin).post('/invitations', { email: 'x@author.example', role: 'owner' })).toMatchObject(refused);
    expect((await patch(admin, viewer, 'admin')).status).toBe(200);
    expect(await patch(admin, viewer, 'admin')).toMatchObject({ status: 400, body: { code: 'nothing_to_update' } });
    expect((await remove(admin, viewer)).status).toBe(204);
  });

  it('always include an owner: the last one cannot leave, be removed or lose the role', async () => {
    const last = await world.given.tenant();
    const admin = await world.given.member(last, 'admin');
    const refused = { status: 409, body: { code: 'last_owner' } };
    for (const answer of [
      await patch(last, last, 'admin'),
      await remove(last, last),
      await as(last).post('/members/leave'),
    ])
      expect(answer).toMatchObject(refused);
    expect((await patch(last, admin, 'owner')).status).toBe(200);
    expect((await as(last).post('/members/leave')).status).toBe(204);
    expect(await patch(admin, admin, 'viewer')).toMatchObject(refused);
  });

  it('always include an owner, after any changes, also of two at once', async () => {
    const first = await world.given.tenant();
    const [second, third] = [await world.given.member(first, 'owner'), await world.given.member(first, 'admin')];
    const people = [first, second, third];
    const source = world.app.get(DataSource);
    /** Puts everyone back, with the sessions that ended with a membership. */
    const reset = async (): Promise<void> => {
      const sessions = await source.query('select * from session where tenant_id = $1', [first.tenantId]);
      await source.query('delete from membership where tenant_id = $1', [first.tenantId]);
      for (const [at, { userId }] of people.entries())
        await source.query('insert into membership values ($1, now(), now(), $2, $3, $4)', [
          randomUUID(),
          first.tenantId,
          userId,
          at < 2 ? 'owner' : 'admin',
        ]);
      for (const session of sessions) remembered.set(session.id, session);
      for (const { id, created_at, updated_at, user_id, tenant_id, secret_hash, expires_at } of remembered.values())
        await source.query(
          'insert into session (id, created_at, updated_at, user_id, tenant_id, secret_hash, expires_at) values ($1, $2, $3, $4, $5, $6, $7)',
          [id, created_at, updated_at, user_id, tenant_id, secret_hash, expires_at],
        );
    };
    const remembered = new Map<string, Record<string, unknown>>();
    const person = fc.nat(people.length - 1);
    const step = fc.oneof(
      fc.record({ by: person, of: person, to: fc.constantFrom(...ROLES) }),
      fc.record({ by: person, of: person, to: fc.constant('removed' as const) }),
      fc.record({ by: person, of: person, to: fc.constant('left' as const) }),
    );
    const make = ({ by, of, to }: { readonly by: number; readonly of: number; readonly to: string }, at: World) => {
      const [asker, member] = [people[by] ?? first, people[of] ?? first];
      if (to === 'left') return as(asker, at).post('/members/leave');
      if (to === 'removed') return as(asker, at).delete(`/members/${member.userId}`);
      return as(asker, at).patch(`/members/${member.userId}`, { role: to });
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, step), { minLength: 1, maxLength: 5 }), async (pairs) => {
        await reset();
        for (const [one, another] of pairs) {
          const answers = await Promise.all([make(one, world), make(another, other)]);
          expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
          const [{ owners }] = await source.query(
            `select count(*)::int as owners from membership where tenant_id = $1 and role = 'owner'`,
            [first.tenantId],
          );
          expect(owners).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('a user of two tenants', () => {
  let world: World;
  let own: Tenant;
  let elsewhere: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    own = await world.given.tenant();
    elsewhere = await world.given.tenant();
    const token = await world.given.invitation(elsewhere, own.email, 'publisher');
    expectStatus(await world.api.as({ cookie: own.cookie }).post('/invitations/join', { token }), 200);
  });
  afterAll(() => world.close());

  const session = (): ReturnType<World['api']['as']> => world.api.as({ cookie: own.cookie });
  const lookAt = (tenantId: string): Promise<Answer> => session().post('/auth/tenant', { tenantId });
  const exchanged = async (): Promise<string> => expectStatus(await session().post('/auth/token'), 200).body.token;

  it('sees both, and looks at the first until the session is switched', async () => {
    const tenants = [
      { id: own.tenantId, name: 'Author', role: 'owner' },
      { id: elsewhere.tenantId, name: 'Author', role: 'publisher' },
    ];
    expect((await session().get('/auth/me')).body).toMatchObject({
      tenant: { id: own.tenantId },
      role: 'owner',
      tenants,
    });
    expect(await lookAt(elsewhere.tenantId)).toMatchObject({
      status: 200,
      body: { user: { email: own.email }, tenant: { id: elsewhere.tenantId }, role: 'publisher', tenants },
    });
    expect((await session().get('/auth/me')).body.tenant.id).toBe(elsewhere.tenantId);
    expectStatus(await lookAt(own.tenantId), 200);
  });

  it('meets in each only what belongs to it, with the role there', async () => {
    const mine = await world.given.extension(own);
    const theirs = await world.given.extension(elsewhere);
    const seen = async (): Promise<readonly number[]> => {
      const token = await exchanged();
      const answers = [mine, theirs].map((id) => world.api.as({ token }).get(`/extensions/${id}`));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await seen()).toEqual([200, 404]);
    await lookAt(elsewhere.tenantId);
    expect(await seen()).toEqual([404, 200]);
    expect(await session().get('/access-tokens')).toMatchObject(notAllowed('publisher', 'tokens:read'));
    await lookAt(own.tenantId);
    expect((await session().get('/access-tokens')).status).toBe(200);
  });

  it('ends the tokens that the session was exchanged for by switching it, and no others', async () => {
    const before = await exchanged();
    await lookAt(elsewhere.tenantId);
    expect(await world.api.as({ token: before }).get('/extensions')).toMatchObject(unauthenticated);
    expect((await world.api.as({ token: own.token }).get('/extensions')).status).toBe(200);
    await lookAt(own.tenantId);
  });

  it('cannot look at a tenant of others', async () => {
    const stranger = await world.given.tenant();
    for (const tenantId of [stranger.tenantId, randomUUID(), 'no id'])
      expect(await lookAt(tenantId)).toMatchObject({ status: 404, body: { code: 'tenant_not_found' } });
  });

  it('keeps the one when removed from the other', async () => {
    const { cookie } = await world.given.loggedIn(own);
    await lookAt(elsewhere.tenantId);
    const removed = await world.api.as({ cookie: elsewhere.cookie }).delete(`/members/${own.userId}`);
    expect(removed.status).toBe(204);
    expect(await session().get('/auth/me')).toMatchObject(unauthenticated);
    const { body } = await world.api.as({ cookie }).get('/auth/me');
    expect(body.tenants).toEqual([{ id: own.tenantId, name: 'Author', role: 'owner' }]);
  });

  it('creates another tenant where sign-up is open', async () => {
    const founder = await world.given.tenant();
    const api = world.api.as({ cookie: founder.cookie });
    const { status, body } = await api.post('/tenants', { name: ' Second ' });
    expect({ status, body }).toEqual({ status: 201, body: { id: expect.any(String), name: 'Second', role: 'owner' } });
    expect((await api.post('/auth/tenant', { tenantId: body.id })).body.tenant).toMatchObject({ plan: 'standard' });
    for (const SIGNUP of ['closed', '']) {
      const shut = await startWorld({ with: world, env: { SIGNUP } });
      expect(await shut.api.as({ cookie: founder.cookie }).post('/tenants', { name: 'Third' })).toMatchObject({
        status: 403,
        body: { code: 'signup_closed' },
      });
      await shut.close();
    }
  });
});
