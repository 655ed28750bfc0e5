import { randomInt, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { pg, startWorld, Transactions, type World } from '../support/app.js';
import { MINUTE, SECOND } from '../support/clock.js';
import type { Tenant } from '../support/given.js';
import { CHROME, dayOf, FIREFOX, nextDay, ping, pingAll, rollUp, type Sent } from './install.js';

/** Of one file of the log of changes, as PostgreSQL makes them. */
const WAL_FILE_BYTES = 16 * 2 ** 20;

const invalid = (...fields: readonly string[]) => ({
  status: 400,
  body: { code: 'invalid_request', errors: fields.map((field) => ({ field })) },
});

/** What a client gets to see, without what differs between any two answers. */
function seenOf({ status, text, headers }: Answer): object {
  const shown = Object.fromEntries(headers.entries());
  return { status, text, headers: { ...shown, date: '', 'x-request-id': '' } };
}

describe('a ping', () => {
  let world: World;
  let owner: Tenant;
  let extensionId: string;
  beforeAll(async () => {
    world = await startWorld({ env: { TRUST_PROXY: '1', COUNTRY_HEADER: 'CF-IPCountry' } });
    owner = await world.given.tenant();
  });
  beforeEach(async () => {
    extensionId = await world.given.extension(owner, `Pinged ${randomUUID()}`);
  });
  afterAll(() => world.close());

  const report = async (query = '') =>
    (await world.api.as(owner).get(`/extensions/${extensionId}/analytics${query}`)).body;
  const today = async () => (await report()).days.at(-1);
  const shareOf = async (dimension: string) => (await report()).shares[dimension];

  it('counts once per install and day, and the first of the day wins', async () => {
    const installId = randomUUID();
    await ping(world, { extensionId, installId, version: '1.0.0', language: 'pt-BR' });
    await ping(world, { extensionId, installId, version: '2.0.0', userAgent: FIREFOX });
    await ping(world, { extensionId });
    expect(await today()).toEqual({ date: dayOf(world), active: 2, new: 2, lapsed: 0, unique7: 2, unique28: 2 });
    expect(await shareOf('version')).toEqual([{ value: '1.0.0', installs: 2, share: 1 }]);
    expect(await shareOf('language')).toEqual([
      { value: null, installs: 1, share: 0.5 },
      { value: 'pt-BR', installs: 1, share: 0.5 },
    ]);
  });

  it('gets the same answer, to the byte, whether it counts or not', async () => {
    const installId = randomUUID();
    const off = await world.given.extension(owner, `Off ${randomUUID()}`);
    await world.api.as(owner).patch(`/extensions/${off}`, { analytics: { enabled: false } });
    const outcomes: Readonly<Record<string, Sent>> = {
      counted: { extensionId, installId },
      duplicate: { extensionId, installId },
      unknown: { extensionId: randomUUID() },
      'no id at all': { extensionId: "'; drop table extension; --" },
      bot: { extensionId, userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
      program: { extensionId, userAgent: 'curl/8.5.0' },
      'switched off': { extensionId: off },
      'odd version': { extensionId: off, version: '💥' },
    };
    const tx = world.app.get(Transactions);
    const rows = tx.preparedArrays.bind(tx);
    let asked: string[] = [];
    tx.preparedArrays = (statement, values) => {
      asked.push(statement.name);
      return rows(statement, values);
    };
    const first = seenOf(await ping(world, { extensionId, installId: randomUUID() }));
    expect(first).toMatchObject({ status: 202, text: '', headers: { 'content-length': '0' } });
    for (const [outcome, sent] of Object.entries(outcomes)) {
      asked = [];
      expect({ outcome, ...seenOf(await ping(world, sent)) }).toEqual({ outcome, ...first });
      // The same work before the answer, so that the time does not tell either.
      expect({ outcome, asked }).toEqual({ outcome, asked: ['count_pings'] });
    }
    tx.preparedArrays = rows;
    expect((await today()).active).toBe(2);
  });

  it('counts only while analytics of its extension is enabled', async () => {
    for (const [enabled, active] of [
      [false, 0],
      [true, 1],
    ] as const) {
      expect(
        (await world.api.as(owner).patch(`/extensions/${extensionId}`, { analytics: { enabled } })).body.analytics,
      ).toEqual({
        enabled,
      });
      await ping(world, { extensionId });
      expect((await today()).active).toBe(active);
    }
  });

  it('is accepted as text/plain, without a preflight, from any origin', async () => {
    const raw = JSON.stringify({ extensionId, installId: 'a', version: '1', more: { ignored: true } });
    for (const type of [
      'text/plain',
      'text/plain;charset=UTF-8',
      'application/json',
      'application/json; charset=utf-8',
    ]) {
      const headers = { 'content-type': type, 'user-agent': CHROME, origin: 'chrome-extension://abcdefghijklmnop' };
      const answer = await world.api.post('/analytics/ping', undefined, { raw, headers });
      expect(answer.status).toBe(202);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
    const preflight = await fetch(`${world.url}/api/v1/analytics/ping`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/content-type/i);
    expect((await today()).active).toBe(1);
  });

  it.each<[string, object, ReturnType<typeof invalid>]>([
    ['nothing', {}, invalid('installId', 'extensionId', 'version')],
    [
      'empty text',
      { installId: '', extensionId: '', version: '', language: '' },
      invalid('installId', 'extensionId', 'version', 'language'),
    ],
    ['numbers', { installId: 1, extensionId: 2, version: 3 }, invalid('installId', 'extensionId', 'version')],
    ['too long an installId', { installId: 'x'.repeat(129), extensionId: 'x', version: '1' }, invalid('installId')],
    ['too long a version', { installId: 'x', extensionId: 'x', version: '1'.repeat(65) }, invalid('version')],
    [
      'too long a language',
      { installId: 'x', extensionId: 'x', version: '1', language: 'x'.repeat(36) },
      invalid('language'),
    ],
    ['no language', { installId: 'x', extensionId: 'x', version: '1', language: null }, invalid('language')],
    ['NUL', { installId: 'x\0', extensionId: 'x', version: '1' }, invalid('installId')],
    ['a broken surrogate', { installId: 'x', extensionId: 'x', version: '\ud800' }, invalid('version')],
  ])('with %s is refused with the names of its fields', async (_, body, refusal) => {
    expect(await world.api.post('/analytics/ping', body)).toMatchObject(refusal);
  });

  it('is refused when it is not JSON, too large, or of another type', async () => {
    const send = (raw: string, headers: Record<string, string> = { 'content-type': 'text/plain' }) =>
      world.api.post('/analytics/ping', undefined, { raw, headers });
    for (const raw of ['{', '[]', '1', 'null', '"x"', '{"installId":'])
      expect(await send(raw)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await send('x'.repeat(300_000))).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
    for (const type of ['application/xml', 'text/plain; charset=iso-8859-1', 'application/x-www-form-urlencoded'])
      expect(await send('{}', { 'content-type': type })).toMatchObject({ status: 415 });
    const zipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(await send('{}', zipped)).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it('around midnight counts for the day of its arrival, in any order', async () => {
    nextDay(world, 23 * 60 * MINUTE + 59 * MINUTE + 59 * SECOND + 999);
    const [early, late] = [randomUUID(), randomUUID()];
    const headers = { date: 'Tue, 01 Jan 2019 00:00:00 GMT' };
    await ping(world, { extensionId, installId: early, headers });
    const yesterday = dayOf(world);
    world.clock.forward(1);
    expect(dayOf(world)).not.toBe(yesterday);
    await ping(world, { extensionId, installId: late, headers });
    await ping(world, { extensionId, installId: early, headers });
    const lines = [
      { date: yesterday, active: 1, new: 1, lapsed: 0, unique7: 1, unique28: 1 },
      { date: dayOf(world), active: 2, new: 1, lapsed: 0, unique7: 2, unique28: 2 },
    ];
    expect((await report()).days.slice(-2)).toEqual(lines);
    await rollUp(world);
    expect((await report()).days.slice(-2)).toEqual(lines);
    world.clock.forward(20 * MINUTE);
    await rollUp(world);
    expect((await report()).days.slice(-2)).toEqual(lines);
  });

  it('records browser, system, country and language, as far as they are known', async () => {
    await pingAll(world, [
      { extensionId, userAgent: FIREFOX, from: '203.0.113.1', headers: { 'cf-ipcountry': 'pt' }, language: 'pt_BR' },
      { extensionId, userAgent: CHROME, from: '8.8.8.8', language: 'zh-Hant-TW' },
      {
        extensionId,
        userAgent: 'Mozilla/5.0 (Nobody knows) Some/1',
        from: '8.8.8.8',
        headers: { 'cf-ipcountry': 'XX' },
        language: '?',
      },
    ]);
    const { shares } = await report();
    const valuesOf = (dimension: string) =>
      shares[dimension].map(({ value }: { readonly value: unknown }) => String(value)).toSorted();
    expect(valuesOf('browser')).toEqual(['Chrome', 'Firefox', 'null']);
    expect(valuesOf('browserVersion')).toEqual(['Chrome 131', 'Firefox 133', 'null']);
    expect(valuesOf('os')).toEqual(['Linux', 'Windows', 'null']);
    expect(valuesOf('country')).toEqual(['PT', 'US', 'null']);
    expect(valuesOf('language')).toEqual(['other', 'pt-BR', 'zh-TW']);
  });

  it('counts once per install when two hundred arrive at once', async () => {
    const installs = Array.from({ length: 7 }, () => randomUUID());
    await pingAll(
      world,
      Array.from({ length: 200 }, (_, at) => ({ extensionId, installId: installs[at % 7] ?? '' })),
    );
    expect((await today()).active).toBe(7);
  });

  it('creates the partition of its day when it is missing', async () => {
    world.clock.forward(40 * 24 * 60 * MINUTE);
    await ping(world, { extensionId });
    expect((await today()).active).toBe(1);
  });
});

describe('two thousand pings', () => {
  let world: World;
  // Not the service's connections: these bound how long a statement takes, and a checkpoint waits for the disk.
  let client: InstanceType<typeof pg.Client>;
  beforeAll(async () => {
    world = await startWorld({ env: { TRUST_PROXY: '1' } });
    client = new pg.Client(world.database.url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await world.close();
  });

  const query = async <Row extends object>(sql: string, values?: unknown[]): Promise<Row[]> =>
    (await client.query<Row>(sql, values)).rows;

  it('leave no installId, no address and no User-Agent in the database, its write-ahead log or the log', async () => {
    const owner = await world.given.tenant();
    const extensionId = await world.given.extension(owner);
    const [start] = await query<{ lsn: string }>('select pg_current_wal_lsn() as lsn');
    // The log of changes is that of the whole server: nobody else is to write what is looked for.
    const network = [240, 100, 100].map((from) => randomInt(from, 256)).join('.');
    const marks = ['MARKEDINSTALL', `${network}.`, 'MARKEDAGENT', 'MARKEDVERSION', 'MARKEDLANGUAGE'];
    const agent = new Agent({ keepAlive: true, maxSockets: 32 });
    const send = (at: number): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = {
          'content-type': 'text/plain',
          'user-agent': `Mozilla/5.0 (MARKEDAGENT${at}; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0`,
          'x-forwarded-for': `${network}.${at % 250}`,
        };
        const sending = request(
          `${world.url}/api/v1/analytics/ping`,
          { method: 'POST', agent, headers },
          (response) => {
            response.resume().once('end', () => resolve(response.statusCode));
          },
        );
        const odd = at % 10 === 0 ? { version: 'MARKEDVERSION', language: `MARKEDLANGUAGE${at}` } : { version: '1.0' };
        sending.once('error', reject);
        sending.end(JSON.stringify({ extensionId, installId: `MARKEDINSTALL${at}`, ...odd }));
      });
    const statuses: (number | undefined)[] = [];
    for (let from = 0; from < 2000; from += 500)
      statuses.push(...(await Promise.all(Array.from({ length: 500 }, (_, at) => send(from + at)))));
    agent.destroy();
    expect(new Set(statuses)).toEqual(new Set([202]));
    await rollUp(world);
    const { body } = await world.api.as(owner).get(`/extensions/${extensionId}/analytics`);
    expect(body.days.at(-1).active).toBe(2000);

    const tables = await query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    for (const { name } of tables) {
      const found = await query(
        `select distinct mark from "${name}" as row join unnest($1::text[]) as mark on row::text ilike '%' || mark || '%'`,
        [marks],
      );
      expect({ name, found }).toEqual({ name, found: [] });
    }
    // Databases under test do not wait for the disk: this one commit does, and with it goes everything before.
    await query('set synchronous_commit = on');
    const [written] = await query<{ lsn: string }>(`select pg_logical_emit_message(true, 'test', 'end') as lsn`);
    expect(await query('select pg_current_wal_flush_lsn() >= $1::pg_lsn as "isOnDisk"', [written?.lsn])).toEqual([
      { isOnDisk: true },
    ]);
    const wal = await query<{ name: string }>(
      `select name from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$' and name between pg_walfile_name($1) and pg_walfile_name(pg_current_wal_lsn())`,
      [start?.lsn],
    );
    expect(wal.length).toBeGreaterThan(0);
    for (const { name } of wal) {
      const found = await query(
        // A checkpoint may have put the file to another use meanwhile.
        `select mark from pg_read_binary_file('pg_wal/' || $1, 0, $3, true) as wal, unnest($2::text[]) as mark
          where position(convert_to(mark, 'UTF8') in wal) > 0`,
        [name, marks, WAL_FILE_BYTES],
      );
      expect({ name, found }).toEqual({ name, found: [] });
    }
    // The files themselves, with what was deleted or overwritten in them, indexes and statistics included.
    await query('checkpoint');
    const files = await query<{ files: number; found: string[] | null }>(
      `select count(*)::int as files, array_agg(distinct relname || ' ' || mark) filter (where mark is not null) as found
         from pg_class cross join lateral pg_read_binary_file(pg_relation_filepath(oid), 0, pg_relation_size(oid), true) as content
              left join unnest($1::text[]) as mark on position(convert_to(mark, 'UTF8') in content) > 0
        where pg_relation_size(oid) > 0`,
      [marks],
    );
    expect(files).toEqual([{ files: expect.any(Number), found: null }]);
    expect(files[0]?.files).toBeGreaterThan(tables.length);
    const log = world.log.join('\n');
    for (const mark of marks) expect(log).not.toContain(mark);
  }, 300_000);
});

describe('a flood of made-up installs from one address', () => {
  let world: World;
  beforeAll(async () => {
    const env = { RATE_LIMITS: 'on', RATE_LIMIT_PING_PER_ADDRESS: '600', TRUST_PROXY: '1' };
    world = await startWorld({ env });
  });
  afterAll(() => world.close());

  it('changes the figures by at most the limit, and neither slows nor hides other installs', async () => {
    const owner = await world.given.tenant();
    const [extensionId, other] = [await world.given.extension(owner), await world.given.extension(owner)];
    const known = randomUUID();
    await ping(world, { extensionId, installId: known, from: '198.51.100.7' });
    // What was counted before takes no place again.
    for (let time = 0; time < 60; time += 1) await ping(world, { extensionId, installId: known, from: '198.51.100.7' });
    const flood = Array.from({ length: 500 }, (_, at) => ({
      extensionId,
      from: at % 2 ? '198.51.100.7' : '::ffff:198.51.100.7',
    }));
    await pingAll(world, flood);
    const active = async (id: string): Promise<number> =>
      (await world.api.as(owner).get(`/extensions/${id}/analytics`)).body.days.at(-1).active;
    expect(await active(extensionId)).toBe(50);
    await ping(world, { extensionId, from: '198.51.100.8' });
    await ping(world, { extensionId: other, from: '198.51.100.7' });
    expect([await active(extensionId), await active(other)]).toEqual([51, 1]);
    const answers: Answer[] = [];
    for (let time = 0; time < 45; time += 1) answers.push(await ping(world, { extensionId, from: '198.51.100.7' }));
    expect(answers.at(-1)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(answers.at(-1)?.headers.get('access-control-allow-origin')).toBe('*');
    expect((await ping(world, { extensionId, from: '2001:db8:1:1::1' })).status).toBe(202);
    expect(await active(extensionId)).toBe(52);
    nextDay(world, MINUTE);
    await pingAll(
      world,
      Array.from({ length: 120 }, (_, at) => ({ extensionId, from: `2001:db8:1:1::${at.toString(16)}` })),
    );
    expect(await active(extensionId)).toBe(50);
  });
});
