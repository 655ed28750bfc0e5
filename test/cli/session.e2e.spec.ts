import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { atShell } from './at-shell.js';
import { PROGRAM } from './shell.js';

describe('at the shell', () => {
  const at = atShell();

  const logIn = (...more: readonly string[]) =>
    at.shell.run(['login', at.world.url, '--email', at.tenant.email, '--password-stdin', ...more], {
      stdin: `${at.tenant.password}\n`,
    });

  it('a user logs in by password, is known, and logs out', async () => {
    expect(await logIn()).toMatchObject({
      code: 0,
      stdout: `Logged in to ${at.world.url} as ${at.tenant.email}.\n`,
      stderr: '',
    });
    expect((await stat(at.shell.userFile)).mode & 0o777).toBe(0o600);
    expect(await at.shell.run(['whoami'])).toMatchObject({
      code: 0,
      stdout: `${at.tenant.email}, owner of Author at ${at.world.url}.\n`,
    });
    expect(await at.shell.json(['whoami'])).toMatchObject({
      url: at.world.url,
      by: 'session',
      user: { email: at.tenant.email },
    });
    const before = await at.shell.read('home/pierhead/config.json');
    expect(await at.shell.run(['logout'])).toMatchObject({
      code: 0,
      stdout: `Logged out of ${at.world.url}.\n`,
      stderr: '',
    });
    expect(JSON.parse(await at.shell.read('home/pierhead/config.json'))).toEqual({ services: {} });
    expect(await at.shell.run(['logout', at.world.url])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `✗ You are not logged in to ${at.world.url}.\n`,
    });
    const session: string = JSON.parse(before).services[at.world.url].session;
    expect(await at.world.api.as({ cookie: `svc_session=${session}` }).get('/auth/me')).toMatchObject({ status: 401 });
    expect(at.shell.said).not.toContain(session);
    expect(at.shell.said).not.toContain(at.tenant.password);
  });

  it('a session reaches routes that want it and routes that want a token', async () => {
    await logIn();
    expect(await at.shell.json(['api', 'GET', '/access-tokens'])).toMatchObject({
      items: [expect.objectContaining({ name: 'CI' })],
    });
    expect(await at.shell.json(['api', 'POST', '/extensions', '-i', '-'], { stdin: '{"name":"Owl"}' })).toMatchObject({
      name: 'Owl',
    });
    expect(await at.shell.json(['api', 'get', 'api/v1/extensions?limit=1'])).toMatchObject({
      items: [{ name: 'Owl' }],
    });
  });

  it("any route is called, with headers of one's own, and also by nobody", async () => {
    await logIn();
    const { id, updatedAt } = await at.shell.json(['api', 'POST', '/extensions', '-i', '-'], {
      stdin: '{"name":"Owl"}',
    });
    const rename = ['api', 'PATCH', `/extensions/${id}`, '-i', '-', '-H'];
    const stdin = '{"name":"Owlet"}';
    expect(await at.shell.run([...rename, 'if-match: "2000-01-01T00:00:00.000Z"'], { stdin })).toMatchObject({
      code: 1,
    });
    expect(await at.shell.json([...rename, `if-match: "${updatedAt}"`], { stdin })).toMatchObject({ name: 'Owlet' });
    expect(await at.shell.run([...rename, 'a header'], { stdin })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"a header" is not a valid header.'),
    });
    const { stdout } = await at.shell.run(['api', 'GET', '/audit/export']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).action),
    ).toContain('extension.updated');
    const refused = await at.shell.run(['api', 'GET', '/nowhere']);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^✗ No route .*\n {2}request/),
    });
    const { code, stdout: problem, stderr } = await at.shell.run(['api', 'GET', '/nowhere', '--json']);
    expect([code, JSON.parse(problem), stderr]).toEqual([1, expect.objectContaining({ status: 404 }), '']);
    await at.shell.run(['logout']);
    const env = { PIERHEAD_URL: at.world.url };
    expect(await at.shell.json(['api', 'GET', '/stores'], { env })).toHaveProperty('items');
    expect(await at.shell.run(['api', 'GET', '/extensions'], { env })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('pierhead login'),
    });
  });

  it('a command ends the same where nobody takes what it says, and says when its result is lost', async () => {
    const full = openSync('/dev/full', 'w');
    const ran = (args: readonly string[], stdout: 'pipe' | number, stderr: 'pipe' | number) =>
      spawnSync(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', stdout, stderr], encoding: 'utf8' });
    expect(ran(['unknown'], 'pipe', full).status).toBe(2);
    expect(ran(['--help'], full, 'pipe')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^✗ The result cannot be written: .*\n$/),
    });
    closeSync(full);
  });

  it('a wrong password is refused, and nothing is kept', async () => {
    at.tenant = { ...at.tenant, password: 'another long password' };
    const { code, stderr } = await logIn();
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/^✗ The e-mail address or the password is wrong\.\n {2}request [\da-f-]{36}\n$/),
    ]);
    await expect(stat(at.shell.userFile)).rejects.toThrow('ENOENT');
  });

  it('nobody is logged in where the log-in cannot be kept, and the environment needs no file', async () => {
    const sessions = async () => (await at.world.api.as(at.tenant).get('/auth/sessions')).body.items.length;
    const before = await sessions();
    const env = { XDG_CONFIG_HOME: await at.shell.write('no-folder', '') };
    const login = ['login', at.world.url, '--email', at.tenant.email, '--password-stdin'];
    const unusable = {
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/✗ .*no-folder.* cannot be \w+: .*\n {2}Set XDG_CONFIG_HOME/),
    };
    expect(await at.shell.run(login, { env, stdin: at.tenant.password })).toEqual(unusable);
    expect(await at.shell.run(['status'], { env })).toEqual(unusable);
    expect(await sessions()).toBe(before);
    const { url } = at.world;
    expect(
      await at.shell.run(['status'], { env: { ...env, PIERHEAD_URL: url, PIERHEAD_TOKEN: at.tenant.token } }),
    ).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    [['unknown'], '✗ Unknown command'],
    [['status', '--unknown'], '✗ Unknown option'],
    [['api', 'GET'], '✗ Missing required argument'],
    [['api', 'FETCH', '/extensions'], '✗ "FETCH" is not a method of the API.'],
    [['completion', 'csh'], 'Allowed choices are bash, zsh, fish'],
    [['login', 'ftp://x.example', '--token-stdin'], 'is not the address of a service'],
    [['login', 'https://x.example', '--no-input'], 'cannot be reached'],
  ])('%j is answered in a sentence', async (args, says) => {
    const { code, stdout, stderr } = await at.shell.run(args, { env: { PIERHEAD_PATIENCE: '0' } });
    expect([code === 2 || code === 1, stdout, stderr]).toEqual([true, '', expect.stringContaining(says)]);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});
