import { mkdtemp, rm } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generate } from 'otplib';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { run, startService, type Ended, type Service } from '../support/process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KEY = Buffer.alloc(32, 3).toString('base64');
const KEYS = { ENCRYPTION_KEYS: `k1:${KEY}`, CODE_PEPPERS: `k1:${KEY}`, TOKEN_SECRET: 'x'.repeat(32) };
const OWNER = { BOOTSTRAP_EMAIL: 'ann@author.example', BOOTSTRAP_PASSWORD: 'a long enough password' };
const COMMANDS = [
  'users',
  'tenants',
  'reset-password',
  'remove-second-factor',
  'login-link',
  'make-owner',
  'make-operator',
  'remove-operator',
  'disable-password-login',
  'enable-password-login',
  'backup',
  'backups',
];

const admin = (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> =>
  run(['dist/commands/admin.js', ...args], env);

/** Runs a command that reads standard input. */
async function fed(
  env: Readonly<Record<string, string>>,
  input: string,
  ...args: readonly string[]
): Promise<Omit<Ended, 'signal'>> {
  const child = spawn(process.execPath, ['dist/commands/admin.js', ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
  });
  child.stdin.end(input);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [[code], stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}

describe.each(['embedded', 'server'])('commands of the operator, on the %s database', (kind) => {
  let dataDir: string;
  let database: TestDatabase | null = null;
  let env: Readonly<Record<string, string>>;
  let service: Service;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'pierhead-admin-'));
    if (kind === 'server') database = await newDatabase();
    const own = database === null ? {} : { DATABASE_URL: database.url, ...KEYS };
    env = { DATA_DIR: dataDir, ...own };
    service = await startService({ ...env, ...OWNER });
  }, 300_000);
  afterAll(async () => {
    await service.terminate();
    await service.ended;
    await database?.drop();
    await rm(dataDir, { recursive: true });
  });

  const logIn = async (password: string): Promise<number> =>
    (await service.api.post('/auth/login', { email: OWNER.BOOTSTRAP_EMAIL, password })).status;

  it('work while the service runs, which goes on', async () => {
    const [users, tenants] = await Promise.all([admin(env, 'users', '--json'), admin(env, 'tenants')]);
    expect(users).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(users.stdout)).toMatchObject([{ email: OWNER.BOOTSTRAP_EMAIL, password: true }]);
    expect(tenants.stdout).toMatch(/^ID +NAME +QUOTA +OWNERS +MEMBERS +CREATED\n[\w-]{36} +ann@/);
    expect(await logIn(OWNER.BOOTSTRAP_PASSWORD)).toBe(200);
  });

  it('take a password from standard input, and print none', async () => {
    const password = 'MARKED by the operator';
    const [reset, short] = await Promise.all([
      fed(env, `${password}\n`, 'reset-password', OWNER.BOOTSTRAP_EMAIL),
      fed(env, 'short', 'reset-password', OWNER.BOOTSTRAP_EMAIL),
    ]);
    expect(reset).toMatchObject({ code: 0, stderr: '' });
    expect(reset.stdout).not.toContain('MARKED');
    expect([await logIn(OWNER.BOOTSTRAP_PASSWORD), await logIn(password)]).toEqual([401, 200]);
    expect(short).toMatchObject({ code: 1, stdout: '' });
  });

  it('make a link that the running service accepts once, and remove a lost second factor in it', async () => {
    const { BOOTSTRAP_EMAIL: email } = OWNER;
    const [none, { stdout }] = await Promise.all([
      admin(env, 'remove-second-factor', email),
      admin({ ...env, PUBLIC_URL: service.url }, 'login-link', email, '--json'),
    ]);
    expect(none).toMatchObject({ code: 1, stderr: `${email} has no second factor.\n` });
    const { link } = JSON.parse(stdout) as { readonly link: string };
    const entered = await fetch(link, { method: 'POST', redirect: 'manual' });
    const again = await fetch(link, { method: 'POST', redirect: 'manual' });
    expect([entered.status, again.status]).toEqual([303, 410]);
    const api = service.api.as({ cookie: entered.headers.getSetCookie()[0]?.split(';')[0] ?? '' });
    const { secret } = (await api.post('/auth/second-factor', { password: 'MARKED by the operator' })).body;
    const code = await generate({ secret, epoch: Math.floor(Date.now() / 1000) });
    expect((await api.post('/auth/second-factor/confirm', { code })).status).toBe(200);
    expect(await logIn('MARKED by the operator')).toBe(403);
    expect(await admin(env, 'remove-second-factor', email)).toMatchObject({ code: 0, stderr: '' });
    expect((await api.get('/auth/me')).status).toBe(401);
    expect(await logIn('MARKED by the operator')).toBe(200);
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('end with 130 and without a word at the prompt after %s', async (_, key) => {
    // As a terminal would be: a pipe that says it is one.
    const terminal = ['--import', 'data:text/javascript,process.stdin.isTTY=true'];
    const child = spawn(
      process.execPath,
      [...terminal, 'dist/commands/admin.js', 'reset-password', OWNER.BOOTSTRAP_EMAIL],
      {
        cwd: ROOT,
        env: { PATH: process.env['PATH'], ...env },
      },
    );
    const exited = once(child, 'exit') as Promise<[number | null]>;
    const said = [text(child.stdout), text(child.stderr)];
    child.stderr.once('data', () => {
      child.stdin.write(key);
      // Unlike a terminal, a pipe keeps its reader until it ends.
      child.stderr.once('data', () => child.stdin.end());
    });
    expect([(await exited)[0], ...(await Promise.all(said))]).toEqual([130, '', 'New password: \n']);
    expect(await logIn('MARKED by the operator')).toBe(200);
  });

  it('switch passwords off in the running service, and on', async () => {
    const oidc = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'pierhead' };
    const [done, refused] = await Promise.all([
      admin({ ...env, ...oidc }, 'disable-password-login'),
      admin(env, 'disable-password-login'),
    ]);
    expect([done, refused]).toMatchObject([{ code: 0 }, { code: 1, stdout: '' }]);
    expect(await logIn('any')).toBe(403);
    expect(await admin({ ...env, ...oidc }, 'enable-password-login')).toMatchObject({ code: 0 });
    expect(await logIn('any')).toBe(401);
  });

  it('end with 3 and name the user or the tenant that there is not', async () => {
    const ended = await Promise.all([
      admin(env, 'login-link', 'nobody@author.example'),
      admin(env, 'remove-second-factor', 'nobody@author.example'),
      admin(env, 'make-owner', OWNER.BOOTSTRAP_EMAIL, 'Nobody'),
    ]);
    const user = 'No user has the e-mail address nobody@author.example.\n';
    const tenant = 'No tenant has the id or name Nobody.\n';
    const expected = [user, user, tenant].map((stderr) => ({ code: 3, stdout: '', stderr }));
    expect(ended).toMatchObject(expected);
  });

  it('work while no service runs, and after one was killed', async () => {
    await service.kill();
    expect(await admin(env, 'users')).toMatchObject({ code: 0, stderr: '' });
    expect(await admin(env, 'make-owner', OWNER.BOOTSTRAP_EMAIL, OWNER.BOOTSTRAP_EMAIL)).toMatchObject({ code: 0 });
    service = await startService({ ...env, ...OWNER });
    expect(service.said).toContain('BOOTSTRAP_EMAIL and BOOTSTRAP_PASSWORD are ignored: a tenant exists. Remove them.');
    expect(await admin(env, 'users')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('npm run admin', () => {
  it.each<[RegExp, readonly string[]]>([
    [/^error: unknown command 'user'/, ['user']],
    [/^error: missing required argument 'email'/, ['login-link']],
    [/^error: too many arguments/, ['users', 'all']],
    [/^error: unknown option '--password'/, ['reset-password', OWNER.BOOTSTRAP_EMAIL, '--password', 'x']],
    [/^Usage: /, []],
  ])('ends with 2 before it asks a database, and says why: %s', async (says, args) => {
    const ended = await admin({}, ...args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(says);
  });

  it('explains each command with an example', async () => {
    const { code, stdout } = await admin({}, '--help');
    expect(code).toBe(0);
    for (const command of COMMANDS) {
      expect(stdout).toContain(`\n  ${command} `);
      const help = await admin({}, command, '--help');
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toMatch(new RegExp(`\nExample:\n  \\$ npm run --silent admin -- ${command}`));
    }
  });

  it('creates no database, and reports invalid settings like the service', async () => {
    const nowhere = join(tmpdir(), 'pierhead-nowhere');
    expect(await admin({ DATA_DIR: nowhere }, 'users')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `${nowhere} has no database. Set DATA_DIR or DATABASE_URL as for the service.\n`,
    });
    expect(await admin({ PORT: 'x' }, 'users')).toMatchObject({ code: 78, stdout: '' });
    const down = { DATABASE_URL: 'postgres://127.0.0.1:1/pierhead', ...KEYS };
    expect(await admin(down, 'users')).toMatchObject({
      code: 1,
      stderr: 'PostgreSQL at DATABASE_URL cannot be reached: ECONNREFUSED at 127.0.0.1:1.\n',
    });
  });
});
