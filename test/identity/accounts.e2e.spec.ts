import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorld, TenantDeletionWorker, type World, DataSource } from '../support/app.js';
import { DAY } from '../support/clock.js';

const PASSWORD = 'a long enough password';
const newEmail = (): string => `${randomUUID()}@author.example`;
const signup = (email = newEmail(), more: object = {}): object => ({
  email,
  password: PASSWORD,
  tenantName: 'Author',
  ...more,
});
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

describe('sign-up', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it('creates a tenant with the default quota, and logs the user in', async () => {
    const email = newEmail();
    const { status, body, headers } = await world.api.post(
      '/auth/signup',
      signup(email, { tenantName: ' Night Owl ' }),
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({ user: { email }, tenant: { name: 'Night Owl', quota: 'standard', plan: 'standard' } });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await world.api.as({ cookie }).get('/auth/me')).body).toEqual(body);
  });

  it('compares e-mail addresses without case', async () => {
    const email = newEmail();
    const { body } = await world.api.post('/auth/signup', signup(` ${email.toUpperCase()} `));
    expect(body.user.email).toBe(email);
    for (const spelled of [email, email.toUpperCase(), ` ${email}\n`]) {
      const login = await world.api.post('/auth/login', { email: spelled, password: PASSWORD });
      expect(login).toMatchObject({ status: 200, body });
    }
  });

  it('uses the password exactly as sent, spaces and non-ASCII letters included', async () => {
    const email = newEmail();
    const password = '  pässword 🔑 ';
    expect((await world.api.post('/auth/signup', signup(email, { password }))).status).toBe(201);
    expect((await world.api.post('/auth/login', { email, password })).status).toBe(200);
    expect((await world.api.post('/auth/login', { email, password: password.trim() })).status).toBe(401);
  });

  it('stores the password only as Argon2id', async () => {
    const email = newEmail();
    await world.api.post('/auth/signup', signup(email));
    const [row] = await world.app.get(DataSource).query('select * from tenant_user where email = $1', [email]);
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(row)).not.toContain(PASSWORD);
  });

  it('refuses an e-mail address that is taken, in any case', async () => {
    const email = newEmail();
    await world.api.post('/auth/signup', signup(email));
    for (const spelled of [email, email.toUpperCase()])
      expect(await world.api.post('/auth/signup', signup(spelled))).toMatchObject({
        status: 409,
        body: { code: 'email_taken' },
      });
  });

  it('lets one of ten simultaneous sign-ups have an e-mail address, and leaves no tenant of the others', async () => {
    const email = newEmail();
    const tenantName = `Racer ${email}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => world.api.post('/auth/signup', signup(email, { tenantName }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'email_taken')).toHaveLength(9);
    const left = await world.app.get(DataSource).query('select id from tenant where name = $1', [tenantName]);
    expect(left).toHaveLength(1);
  });

  it.each<[string, string, object]>([
    ['email', 'no address', { email: 'nobody' }],
    ['email', 'null', { email: null }],
    ['password', 'too short', { password: 'too short' }],
    ['password', 'too long', { password: 'x'.repeat(1025) }],
    ['password', 'a number', { password: 1234567890 }],
    ['password', 'among the commonest', { password: 'Password123' }],
    ['password', 'their address', { email: 'ann.longname@author.example', password: 'Ann.Longname' }],
    ['password', 'the name of their tenant', { tenantName: 'Night Owl Studio', password: 'night owl studio' }],
    ['tenantName', 'blank', { tenantName: ' ' }],
    ['tenantName', 'too long', { tenantName: 'x'.repeat(201) }],
    ['plan', 'not theirs to choose', { plan: 'unlimited' }],
  ])('names a field %s that is %s', async (field, _, wrong) => {
    const { status, body } = await world.api.post('/auth/signup', { ...signup(), ...wrong });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field }] });
  });
});

describe('log-in', () => {
  let world: World;
  let email: string;
  beforeAll(async () => {
    world = await startWorld();
    ({ email } = await world.given.tenant());
  });
  afterAll(() => world.close());

  const logIn = (as: string, password: string) => world.api.post('/auth/login', { email: as, password });

  it('gives the same answer for a wrong password and an unknown e-mail address', async () => {
    const answers = [await logIn(email, 'a wrong password'), await logIn(newEmail(), 'a wrong password')];
    const told = answers.map(({ status, headers, text, body }) => ({
      status,
      headers: [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
      text: text.replace(body.requestId, 'the-request'),
      code: body.code,
    }));
    expect(told[0]).toEqual(told[1]);
    expect(told[0]).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(told[0]?.headers.flat()).not.toContain('set-cookie');
  });

  it('takes the same time for a wrong password and an unknown e-mail address', async () => {
    const times: Record<'wrong' | 'unknown', number[]> = { wrong: [], unknown: [] };
    const timed = async (into: number[], as: string): Promise<void> => {
      const began = performance.now();
      await logIn(as, 'a wrong password');
      into.push(performance.now() - began);
    };
    for (let round = 0; round < 9; round += 1) {
      await timed(times.wrong, email);
      await timed(times.unknown, newEmail());
    }
    // Without a hash to check, the unknown one would take a tenth of the time.
    expect(median(times.unknown)).toBeGreaterThan(median(times.wrong) / 2);
    expect(median(times.unknown)).toBeLessThan(median(times.wrong) * 2);
  });

  it('does not let pages of other origins read the answer', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    const answer = await world.api.post('/auth/login', { email, password: 'a wrong password' }, { headers });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('sign-up of new tenants', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ env: { SIGNUP: '' } });
  });
  beforeEach(() => world.app.get(DataSource).query('truncate tenant, tenant_user, operator_setting cascade'));
  afterAll(() => world.close());

  /** Another process on the same database. */
  const others: World[] = [];
  const start = async (env: Readonly<Record<string, string>>): Promise<World> => {
    const other = await startWorld({ with: world, env });
    others.push(other);
    return other;
  };
  afterEach(async () => {
    for (const other of others.splice(0)) await other.close();
  });

  const tenants = async (): Promise<readonly string[]> => {
    const rows: { name: string }[] = await world.app.get(DataSource).query('select name from tenant');
    return rows.map(({ name }) => name);
  };
  const closed = { status: 403, body: { code: 'signup_closed' } };

  it('is open until the first tenant exists, by default', async () => {
    expect((await world.api.post('/auth/signup', signup())).status).toBe(201);
    expect(await world.api.post('/auth/signup', signup())).toMatchObject(closed);
    expect(await tenants()).toHaveLength(1);
  });

  it('stays closed when the last tenant and its users are gone, and makes no second operator', async () => {
    const account = { ...signup(), tenantName: 'First' };
    const { headers } = await world.api.post('/auth/signup', account);
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const confirmation = { password: PASSWORD, tenantName: 'First' };
    expect((await world.api.as({ cookie }).post('/tenant/deletion', confirmation)).status).toBe(201);
    await world.forward(8 * DAY);
    await world.app.get(TenantDeletionWorker).tick();
    expect(await tenants()).toEqual([]);
    expect(await world.api.post('/auth/signup', signup())).toMatchObject(closed);
    expect((await world.api.get('/auth/methods')).body).toMatchObject({ signup: false, firstRun: false });
    const open = await start({ SIGNUP: 'open' });
    expect((await open.api.post('/auth/signup', signup())).body).toMatchObject({ user: { operator: false } });
  });

  it('stays closed where users exist since before that was recorded', async () => {
    expect((await world.api.post('/auth/signup', signup())).status).toBe(201);
    await world.app.get(DataSource).query('truncate operator_setting');
    expect(await world.api.post('/auth/signup', signup())).toMatchObject(closed);
    const next = await start({ SIGNUP: '' });
    await world.app.get(DataSource).query('truncate tenant, tenant_user cascade');
    expect(await next.api.post('/auth/signup', signup())).toMatchObject(closed);
  });

  it('admits one of ten simultaneous first sign-ups', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.api.post('/auth/signup', signup())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'signup_closed')).toHaveLength(9);
    expect(await tenants()).toHaveLength(1);
  });

  it('is closed to the first tenant too by SIGNUP=closed, and open to all by SIGNUP=open', async () => {
    const shut = await start({ SIGNUP: 'closed' });
    expect(await shut.api.post('/auth/signup', signup())).toMatchObject(closed);
    expect(await tenants()).toEqual([]);
    const open = await start({ SIGNUP: 'open' });
    for (let times = 0; times < 2; times += 1) expect((await open.api.post('/auth/signup', signup())).status).toBe(201);
  });

  it('is closed when BOOTSTRAP_EMAIL is set, whose tenant exists after the start', async () => {
    const env = { SIGNUP: '', BOOTSTRAP_EMAIL: 'Me@Author.Example', BOOTSTRAP_PASSWORD: PASSWORD };
    const first = await start({ ...env, DEFAULT_TENANT_QUOTA: 'starter' });
    const login = await first.api.post('/auth/login', { email: 'me@author.example', password: PASSWORD });
    expect(login).toMatchObject({
      status: 200,
      body: { user: { email: 'me@author.example' }, tenant: { name: 'me@author.example', plan: 'starter' } },
    });
    expect(await first.api.post('/auth/signup', signup())).toMatchObject(closed);

    const again = await start({ ...env, BOOTSTRAP_PASSWORD: 'another long password' });
    expect(await tenants()).toEqual(['me@author.example']);
    const second = await again.api.post('/auth/login', {
      email: env.BOOTSTRAP_EMAIL,
      password: 'another long password',
    });
    expect(second).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
  });

  it('creates one tenant when two processes with BOOTSTRAP_EMAIL start at once', async () => {
    const env = { BOOTSTRAP_EMAIL: 'me@author.example', BOOTSTRAP_PASSWORD: PASSWORD };
    await Promise.all([start(env), start(env)]);
    expect(await tenants()).toEqual(['me@author.example']);
  });
});
