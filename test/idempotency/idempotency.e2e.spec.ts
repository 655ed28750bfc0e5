import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromeAccount } from '../credentials/chrome-account.js';
import type { Answer } from '../support/api.js';
import { DataSource, startWorld, type World } from '../support/app.js';
import { DAY, MINUTE } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';

/** Requests that make something and take no key of this kind, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  'POST /api/v1/auth/signup': 'nobody has called before',
  'POST /api/v1/auth/cli': 'nobody has called before',
  'POST /api/v1/auth/second-factor': 'a second one takes the place of the first',
  'POST /api/v1/tenant/deletion': 'there is only one',
  'POST /api/v1/notifications/endpoints/{id}/test': 'it only sends',
  'POST /api/v1/artifacts': 'a version is pushed once, whatever is sent again',
  'POST /api/v1/artifacts/{id}/pin': 'a version is pinned once',
};

const onServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';

interface Described {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

describe('Idempotency-Key', () => {
  let world: World;
  let tenant: Tenant;
  let extensionId: string;
  let planId: string;
  beforeAll(async () => {
    world = await startWorld();
    tenant = await world.given.tenant();
    extensionId = await world.given.extension(tenant);
    planId = expectStatus(await api().post('/plans', { extensionId, tier: 'pro' }), 201).body.id;
  });
  afterAll(() => world.close());

  const api = (of: Pick<Tenant, 'token'> = tenant) => world.api.as({ token: of.token });
  const sql = <Row>(text: string, ...parameters: unknown[]): Promise<Row[]> =>
    world.app.get(DataSource).query(text, parameters);
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
  const issue = (key: string, buyerEmail = 'ann@buyer.example', of = tenant): Promise<Answer> =>
    api(of).post('/licenses', { planId, buyerEmail }, keyed(key));
  const count = async (table: string): Promise<number> =>
    (await sql<{ count: number }>(`select count(*)::int as count from ${table}`))[0]?.count ?? 0;
  /** How many rows of a table work adds. */
  const added = async (table: string, work: () => Promise<unknown>): Promise<number> => {
    const before = await count(table);
    await work();
    return (await count(table)) - before;
  };
  /** Has the database fail at a table. */
  const failing = async (when: string, work: () => Promise<void>): Promise<void> => {
    await sql(`create function fail() returns trigger language plpgsql as $$ begin raise exception 'a fault'; end $$`);
    await sql(`create trigger fail ${when} for each row execute function fail()`);
    try {
      await work();
    } finally {
      await sql('drop function fail() cascade');
    }
  };

  it('is taken by every request that makes something, unless there is a reason', () => {
    const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
    const { paths } = JSON.parse(text) as { readonly paths: Record<string, Record<string, Described>> };
    const making = Object.entries(paths).flatMap(([path, { post }]) =>
      post?.responses['201'] ? [{ path, post }] : [],
    );
    const without = making.filter(({ post }) => !post.parameters?.some(({ name }) => name === 'Idempotency-Key'));
    expect(making.length).toBeGreaterThanOrEqual(20);
    expect(without.map(({ path }) => `POST ${path}`).toSorted()).toEqual(Object.keys(WITHOUT).toSorted());
  });

  it('makes one license of ten requests at once, and gives all the same answer', async () => {
    const key = randomUUID();
    let answers: Answer[] = [];
    const made = await added('license', async () => {
      answers = await Promise.all(Array.from({ length: 10 }, () => issue(key)));
    });
    expect(made).toBe(1);
    for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: answers[0]?.body });
    expect(answers[0]?.body.code).toMatch(/\S{10}/);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(9);
    expect(new Set(answers.map(({ headers }) => headers.get('etag')))).toEqual(
      new Set([answers[0]?.headers.get('etag')]),
    );
  });

  it('belongs to its caller and route, and to one body', async () => {
    const key = randomUUID();
    const first = expectStatus(await issue(key), 201).body;
    const other = await issue(key, 'bob@buyer.example');
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_taken' } });
    const reordered = { buyerEmail: 'ann@buyer.example', planId };
    expect((await api().post('/licenses', reordered, keyed(key))).body).toEqual(first);
    const second = { token: await world.given.token(tenant) };
    expect(expectStatus(await issue(key, 'bob@buyer.example', { ...tenant, ...second }), 201).body.id).not.toBe(
      first.id,
    );
    expectStatus(await api().post('/plans', { extensionId, tier: 'team' }, keyed(key)), 201);
    const stranger = await world.given.tenant();
    expect((await issue(key, 'ann@buyer.example', stranger)).body.code).toBe('plan_not_found');
  });

  it('is forgotten after a day', async () => {
    const key = randomUUID();
    const first = expectStatus(await issue(key), 201).body;
    await world.forward(DAY - 1000);
    expect((await issue(key)).body).toEqual(first);
    await world.forward(1000);
    expect(expectStatus(await issue(key), 201).body.id).not.toBe(first.id);
  });

  it('keeps no refusal and no failure, with which nothing was made', async () => {
    const key = randomUUID();
    expect((await issue(key, 'nobody')).status).toBe(400);
    await failing('before insert on license', async () => expect((await issue(key)).status).toBe(500));
    expect(await added('license', () => issue(key))).toBe(1);
  });

  it('makes nothing when its answer cannot be kept: they commit together', async () => {
    const key = randomUUID();
    const before = await count('license');
    await failing('before update on idempotent_answer', async () => expect((await issue(key)).status).toBe(500));
    expect(await count('license')).toBe(before);
    expect(await added('license', () => issue(key))).toBe(1);
  });

  it('is 1 to 255 visible characters', async () => {
    for (const key of ['', 'a b', 'x'.repeat(256)])
      expect((await issue(key)).body).toMatchObject({ errors: [{ field: 'Idempotency-Key' }] });
  });

  it('keeps codes sealed, and forgets them with the buyer', async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    const { body } = await issue(key, 'carl@buyer.example');
    expectStatus(await issue(other), 201);
    const rows = await sql<object>('select * from idempotent_answer');
    expect(rows.length).toBeGreaterThan(0);
    for (const secret of [body.code, 'carl@buyer.example']) expect(JSON.stringify(rows)).not.toContain(secret);
    expectStatus(await api().post(`/licenses/${body.id}/revoke`), 200);
    expectStatus(await api().delete(`/licenses/${body.id}`), 204);
    const forgotten = await sql<{ count: number }>(
      'select count(*)::int as count from idempotent_answer where sealed is not null',
    );
    expect(forgotten).toEqual([{ count: 0 }]);
    // That they were given is kept: nothing is made twice.
    for (const [again, buyer] of [[key, 'carl@buyer.example'], [other]] as const)
      expect(await issue(again, buyer)).toMatchObject({ status: 409, body: { code: 'idempotent_answer_forgotten' } });
  });

  it('belongs to a route however its path is written, and tells a list from an object', async () => {
    const key = randomUUID();
    const input = { planId, buyerEmail: 'dora@buyer.example', metadata: {} };
    const { id } = expectStatus(await api().post('/licenses', input, keyed(key)), 201).body;
    for (const path of ['licenses/', 'LICENSES']) {
      const repeated = await fetch(`${world.url}/api/v1/${path}`, {
        method: 'POST',
        body: JSON.stringify(input),
        headers: { ...keyed(key).headers, 'content-type': 'application/json', authorization: `Bearer ${tenant.token}` },
      });
      expect(await repeated.json()).toMatchObject({ id });
    }
    expect((await api().post('/licenses', { ...input, metadata: [] }, keyed(key))).status).toBe(422);
    const raw = `{"planId":"${planId}","metadata":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`;
    const headers = { ...keyed(randomUUID()).headers, 'content-type': 'application/json' };
    const deep = await api().post('/licenses', undefined, { raw, headers });
    expect(deep).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('holds no connection for requests of the process that wait for the first one', async () => {
    const key = randomUUID();
    const other = world.app.get(DataSource).createQueryRunner();
    if (!onServer) return;
    await other.startTransaction();
    await other.query('select 1 from plan where id = $1 for update', [planId]);
    const answers = Promise.all(Array.from({ length: 20 }, () => issue(key)));
    // All the others of the pool are free.
    expectStatus(await api().get('/extensions'), 200);
    const [found] = await sql<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(found?.waiting).toBeLessThanOrEqual(1);
    await other.rollbackTransaction();
    await other.release();
    expect(new Set((await answers).map(({ body }) => body.id)).size).toBe(1);
  });

  it('makes one credential, for which a store is asked outside of a transaction', async () => {
    const at = await chromeAccount(world);
    const key = randomUUID();
    const create = (label: string) =>
      world.api
        .as({ cookie: tenant.cookie })
        .post('/credentials', { store: 'chrome', label, credentials: at.key }, keyed(key));
    let answers: Answer[] = [];
    const made = await added('credential', async () => {
      answers = await Promise.all(Array.from({ length: 5 }, () => create('main')));
      answers.push(await create('main'));
    });
    expect(made).toBe(1);
    const [id] = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    for (const { status, body } of answers)
      expect(status === 201 ? body : { ...body, id }).toMatchObject(
        status === 201 ? { id } : { status: 409, code: 'idempotent_request_unanswered' },
      );
    expect(answers.at(-1)).toMatchObject({ status: 201, body: { id } });
    expect((await create('other')).status).toBe(422);
    // A process that ended before it had answered.
    await sql('update idempotent_answer set sealed = null, answered_at = null');
    const unanswered = await create('main');
    expect(unanswered).toMatchObject({ status: 409, body: { code: 'idempotent_request_unanswered' } });
    expect(unanswered.headers.get('retry-after')).toBe('5');
    expect((await create('other')).status).toBe(422);
    await world.forward(MINUTE);
    expect((await create('main')).headers.get('retry-after')).toBeNull();
  });

  it('keeps no refusal of a store', async () => {
    const at = await chromeAccount(world);
    const key = randomUUID();
    const create = (storeItemId?: string) =>
      world.api
        .as({ cookie: tenant.cookie })
        .post(
          '/credentials',
          { store: 'chrome', credentials: at.key, ...(storeItemId !== undefined && { storeItemId }) },
          keyed(key),
        );
    expect((await create('a'.repeat(32))).status).toBe(422);
    expect((await create()).status).toBe(201);
  });

  it('makes one import of a file that is sent twice', async () => {
    const raw = 'email,tier,order\nbuyer@example.com,pro,1\n';
    const key = randomUUID();
    const send = (text: string) =>
      api().post(`/license-imports?extension=${extensionId}`, undefined, {
        raw: text,
        headers: { 'content-type': 'text/csv', 'idempotency-key': key },
      });
    const { id } = expectStatus(await send(raw), 201).body;
    expect(expectStatus(await send(raw), 201).body.id).toBe(id);
    expect((await send(`${raw}ann@example.com,pro,2\n`)).status).toBe(422);
    const chunked = await api().post(`/license-imports?extension=${extensionId}`, undefined, {
      raw: new ReadableStream({
        start: (stream) => {
          stream.enqueue(new TextEncoder().encode(raw));
          stream.close();
        },
      }),
      headers: { 'content-type': 'text/csv', 'idempotency-key': key },
    });
    expect(chunked).toMatchObject({ status: 400, body: { errors: [{ field: 'Idempotency-Key' }] } });
  });
});

// The embedded database runs one transaction after another anyway.
(onServer ? describe : describe.skip)('issuing licenses of one plan', () => {
  it('does not wait for others who do the same', async () => {
    const world = await startWorld();
    const tenant = await world.given.tenant();
    const extensionId = await world.given.extension(tenant);
    const api = world.api.as(tenant);
    const planId = expectStatus(await api.post('/plans', { extensionId, tier: 'pro' }), 201).body.id;
    const other = world.app.get(DataSource).createQueryRunner();
    await other.startTransaction();
    try {
      await other.query('select 1 from plan where id = $1 for share', [planId]);
      expectStatus(await api.post('/licenses', { planId, buyerEmail: 'ann@buyer.example' }), 201);
    } finally {
      await other.rollbackTransaction();
      await other.release();
      await world.close();
    }
  });
});
