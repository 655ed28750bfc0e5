import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/api.js';
import { DataSource, pg, startWorld, TenantDeletionWorker, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';

const onServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';

// The embedded database has one session, which a lock would hold for all.
(onServer ? describe : describe.skip)('while a membership or a tenant goes', () => {
  let world: World;
  let user: Tenant;
  let other: InstanceType<typeof pg.Client>;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    user = await world.given.tenant();
    other = new pg.Client(world.database.url);
    await other.connect();
    await other.query('begin');
  });
  afterEach(() => other.end());

  /** Asks while the other transaction holds its locks, and lets that commit once the request waits for it. */
  const meanwhile = async <T>(ask: () => Promise<T>): Promise<T> => {
    const asked = ask();
    for (;;) {
      const [{ waiting }] = await world.app
        .get(DataSource)
        .query(
          'select count(*)::int as waiting from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0',
        );
      if (waiting > 0) break;
    }
    await other.query('commit');
    return asked;
  };
  const logIn = (): Promise<Answer> => world.api.post('/auth/login', { email: user.email, password: user.password });
  const removeFrom = (tenantId: string): Promise<unknown> =>
    other.query('delete from membership where tenant_id = $1 and user_id = $2', [tenantId, user.userId]);

  it('a log-in begins no session there', async () => {
    await removeFrom(user.tenantId);
    expect(await meanwhile(logIn)).toMatchObject({ status: 403, body: { code: 'no_tenant' } });
  });

  it('a log-in looks at another tenant of the user', async () => {
    const elsewhere = await world.given.tenant();
    const token = await world.given.invitation(elsewhere, user.email);
    expectStatus(await world.api.as({ cookie: user.cookie }).post('/invitations/join', { token }), 200);
    await removeFrom(user.tenantId);
    expect(await meanwhile(logIn)).toMatchObject({ status: 200, body: { tenant: { id: elsewhere.tenantId } } });
  });

  it('a person whose account goes with it joins no tenant', async () => {
    const token = await world.given.invitation(await world.given.tenant(), user.email);
    await other.query('delete from tenant_user where id = $1', [user.userId]);
    const { password } = user;
    const answer = await meanwhile(() => world.api.post('/invitations/accept', { token, password }));
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    expectStatus(await world.api.post('/invitations/accept', { token, password }), 200);
  });

  it('a member whose membership goes invites nobody', async () => {
    await removeFrom(user.tenantId);
    const invitation = { email: `${randomUUID()}@author.example`, role: 'viewer' };
    const answer = await meanwhile(() => world.api.as({ cookie: user.cookie }).post('/invitations', invitation));
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  it('who was joining goes with the tenant', async () => {
    const [id, email] = [randomUUID(), `${randomUUID()}@author.example`];
    const tenantName = 'Author';
    const api = world.api.as({ cookie: user.cookie });
    expectStatus(await api.post('/tenant/deletion', { password: user.password, tenantName }), 201);
    await other.query(
      'insert into tenant_user (id, created_at, updated_at, email, is_operator) values ($1, now(), now(), $2, false)',
      [id, email],
    );
    await other.query(
      `insert into membership (id, created_at, updated_at, tenant_id, user_id, role) values ($1, now(), now(), $2, $1, 'viewer')`,
      [id, user.tenantId],
    );
    world.clock.forward(7 * DAY);
    await meanwhile(() => world.app.get(TenantDeletionWorker).tick());
    const left = 'select email from tenant_user where email = any($1)';
    expect(await world.app.get(DataSource).query(left, [[email, user.email]])).toEqual([]);
  });
});
