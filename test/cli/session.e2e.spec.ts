import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stat } from 'node:fs/promises';
import { generate } from 'otplib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { Shell } from './shell.js';

describe('at the shell', () => {
  let world: World;
  let tenant: Tenant;
  let shell: Shell;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    tenant = await world.given.tenant();
    shell = await Shell.open();
  });
  afterEach(() => shell.close());

  const logIn = (...more: readonly string[]) =>
    shell.run(['login', world.url, '--email', tenant.email, '--password-stdin', ...more], {
      stdin: `${tenant.password}\n`,
    });

  it('a user logs in by password, is known, and logs out', async () => {
    expect(await logIn()).toMatchObject({
      code: 0,
      stdout: `Logged in to ${world.url} as ${tenant.email}.\n`,
      stderr: '',
    });
    expect((await stat(shell.userFile)).mode & 0o777).toBe(0o600);
    expect(await shell.run(['whoami'])).toMatchObject({
      code: 0,
      stdout: `${tenant.email}, owner of Author at ${world.url}.\n`,
    });
    expect(await shell.json(['whoami'])).toMatchObject({
      url: world.url,
      by: 'session',
      user: { email: tenant.email },
    });
    const before = await shell.read('home/pierhead/config.json');
    expect(await shell.run(['logout'])).toMatchObject({ code: 0, stdout: `Logged out of ${world.url}.\n`, stderr: '' });
    expect(JSON.parse(await shell.read('home/pierhead/config.json'))).toEqual({ services: {} });
    expect(await shell.run(['logout', world.url])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `✗ You are not logged in to ${world.url}.\n`,
    });
    const session: string = JSON.parse(before).services[world.url].session;
    expect(await world.api.as({ cookie: `svc_session=${session}` }).get('/auth/me')).toMatchObject({ status: 401 });
    expect(shell.said).not.toContain(session);
    expect(shell.said).not.toContain(tenant.password);
  });

  it('a script signs up, with a tenant that is named after the address', async () => {
    const email = `${randomUUID()}@example.com`;
    const signUp = ['login', world.url, '--sign-up', '--email', email, '--password-stdin'];
    expect(await shell.run(signUp, { stdin: 'password12\n' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('  password: '),
    });
    await expect(stat(shell.userFile)).rejects.toThrow('ENOENT');
    expect(await shell.run(signUp, { stdin: 'correct horse battery staple\n' })).toMatchObject({ code: 0, stderr: '' });
    expect(await shell.run(['whoami'])).toMatchObject({ stdout: `${email}, owner of ${email} at ${world.url}.\n` });
    const again = [...signUp, '--tenant', 'Owls'];
    expect(await shell.run(again, { stdin: 'correct horse battery staple\n' })).toMatchObject({ code: 1 });
  });

  it('a session reaches routes that want it and routes that want a token', async () => {
    await logIn();
    expect(await shell.json(['api', 'GET', '/access-tokens'])).toMatchObject({
      items: [expect.objectContaining({ name: 'CI' })],
    });
    expect(await shell.json(['api', 'POST', '/extensions', '-i', '-'], { stdin: '{"name":"Owl"}' })).toMatchObject({
      name: 'Owl',
    });
    expect(await shell.json(['api', 'get', 'api/v1/extensions?limit=1'])).toMatchObject({ items: [{ name: 'Owl' }] });
  });

  it('a wrong password is refused, and nothing is kept', async () => {
    tenant = { ...tenant, password: 'another long password' };
    const { code, stderr } = await logIn();
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/^✗ The e-mail address or the password is wrong\.\n {2}request [\da-f-]{36}\n$/),
    ]);
    await expect(stat(shell.userFile)).rejects.toThrow('ENOENT');
  });

  it('a user with a second factor needs a terminal, or a token', async () => {
    const begun = expectStatus(
      await world.api.as(tenant).post('/auth/second-factor', { password: tenant.password }),
      201,
    );
    const code = await generate({ secret: begun.body.secret, epoch: Math.floor(world.clock.now().getTime() / 1000) });
    expectStatus(await world.api.as(tenant).post('/auth/second-factor/confirm', { code }), 200);
    expect(await logIn()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/recovery code: there is nobody to ask\.\n.*--token-stdin/),
    });
  });

  it.each([['*'], ['artifacts:write']])('a token with the scope %s is taken', async (scope) => {
    const token = await world.given.token(tenant, [scope]);
    expect(await shell.run(['login', world.url, '--token-stdin'], { stdin: `${token}\n` })).toMatchObject({ code: 0 });
    expect(await shell.json(['whoami'])).toEqual({ url: world.url, by: 'token', expiresAt: null });
    expect(await shell.run(['logout'])).toMatchObject({ code: 0 });
    expect(shell.said).not.toContain(token);
  });

  it('a token knows when it ends', async () => {
    const body = { name: 'CI', scopes: ['*'], expiresInDays: 9 };
    const { token, expiresAt } = (await world.api.as({ cookie: tenant.cookie }).post('/access-tokens', body)).body;
    const env = { PIERHEAD_URL: world.url, PIERHEAD_TOKEN: token };
    expect(Date.parse((await shell.json(['whoami'], { env })).expiresAt)).toBe(
      Math.floor(Date.parse(expiresAt) / 1000) * 1000,
    );
    const { stdout } = await shell.run(['whoami'], { env });
    expect(stdout).toMatch(/^An access token at \S+, which ends in \d+ (days|h)\.\n$/);
    expect((await shell.run(['doctor'], { env })).stdout).toMatch(
      /; ends in .*\n {2}Make another one before it ends: pierhead tokens create/,
    );
  });

  it.each([
    ['that is wrong', 'not-a-token', 4],
    ['that is empty', '\n', 2],
  ])('a token %s is not taken', async (_case, stdin, code) => {
    expect(await shell.run(['login', world.url, '--token-stdin'], { stdin })).toMatchObject({ code });
    await expect(stat(shell.userFile)).rejects.toThrow('ENOENT');
  });

  it('several services are known at a time, and the environment chooses', async () => {
    await logIn();
    const other = await world.given.tenant();
    expect(await shell.run(['whoami'], { env: { PIERHEAD_TOKEN: other.token } })).toMatchObject({
      stdout: `An access token at ${world.url}.\n`,
    });
    expect(await shell.run(['whoami'], { env: { PIERHEAD_URL: 'https://other.example' } })).toMatchObject({
      code: 4,
      stderr:
        '✗ You are not logged in to https://other.example.\n  Log in with: pierhead login https://other.example\n',
    });
  });

  it('a token that may not is told which scope is missing, and ends with 4', async () => {
    const token = await world.given.token(tenant, ['artifacts:write']);
    const { code, stderr } = await shell.run(['status'], { env: { PIERHEAD_URL: world.url, PIERHEAD_TOKEN: token } });
    expect([code, stderr]).toEqual([4, expect.stringContaining('extensions:read')]);
  });

  it('a refused field is named', async () => {
    await logIn();
    const { code, stderr } = await shell.run(['api', 'POST', '/extensions', '-i', '-'], { stdin: '{"name":""}' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^✗ .+\n {2}name: .+\n {2}request [\da-f-]{36}\n$/)]);
  });

  it('status shows every extension at every store', async () => {
    const given = await world.given.publishable();
    const author = await Shell.for(given, world.url);
    expect(await author.run(['status'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^ {2}EXTENSION +CHROME +FIREFOX +EDGE +SAFARI\n {2}Extension .+ {2}nothing pushed {2}— +— +—\n$/,
      ),
    });
    const { name } = (await world.api.as(given).get(`/extensions/${given.extensionId}`)).body;
    for (const named of [name, name.toUpperCase(), given.extensionId])
      expect(await author.json(['status', named])).toMatchObject({
        items: [
          {
            extension: { id: given.extensionId, name },
            targets: expect.arrayContaining([expect.objectContaining({ store: 'chrome' })]),
          },
        ],
      });
    expect(await author.run(['status', 'Unknown'])).toMatchObject({
      code: 1,
      stderr: `✗ You have no extension "Unknown".\n  They are "${name}".\n`,
    });
    await author.close();
  });

  it('status of nothing says how to begin', async () => {
    await logIn();
    expect(await shell.run(['status'])).toMatchObject({
      code: 0,
      stdout: 'You have no extensions yet. Register one with: pierhead init\n',
    });
    expect(await shell.json(['status'])).toEqual({ items: [] });
  });

  it.each([
    [['unknown'], 'unknown command'],
    [['status', '--unknown'], 'unknown option'],
    [['api', 'GET'], 'missing required argument'],
    [['completion', 'csh'], 'Allowed choices are bash, zsh, fish'],
    [['login', 'ftp://x.example', '--token-stdin'], 'is not the address of a service'],
    [['login', 'https://x.example', '--no-input'], 'cannot be reached'],
  ])('%j is answered in a sentence', async (args, says) => {
    const { code, stdout, stderr } = await shell.run(args, { env: { PIERHEAD_PATIENCE: '0' } });
    expect([code === 2 || code === 1, stdout, stderr]).toEqual([true, '', expect.stringContaining(says)]);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  it('a redirect is not followed with a token', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(308, { location: `${world.url}${request.url}` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const env = {
      PIERHEAD_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      PIERHEAD_TOKEN: tenant.token,
    };
    expect(await shell.run(['status'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('redirect to'),
    });
    expect(seen).toHaveLength(1);
    await new Promise((resolve) => server.close(resolve));
  });
});
