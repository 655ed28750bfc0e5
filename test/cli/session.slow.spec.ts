import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, stat } from 'node:fs/promises';
import { generate } from 'otplib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectStatus } from '../support/given.js';
import { atShell } from './at-shell.js';
import { PseudoTerminal } from './pseudo-terminal.js';
import { Shell } from './shell.js';

const CODE = /shows this code: ([A-Z]{4}-[A-Z]{4})/;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

describe('at the shell', () => {
  const at = atShell();

  const logIn = (...more: readonly string[]) =>
    at.shell.run(['login', at.world.url, '--email', at.tenant.email, '--password-stdin', ...more], {
      stdin: `${at.tenant.password}\n`,
    });

  it('a script signs up, with a tenant that is named after the address', async () => {
    const email = `${randomUUID()}@example.com`;
    const signUp = ['login', at.world.url, '--sign-up', '--email', email, '--password-stdin'];
    expect(await at.shell.run(signUp, { stdin: 'password12\n' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('✗ password: '),
    });
    await expect(stat(at.shell.userFile)).rejects.toThrow('ENOENT');
    expect(await at.shell.run(signUp, { stdin: 'correct horse battery staple\n' })).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await at.shell.run(['whoami'])).toMatchObject({
      stdout: `${email}, owner of ${email} at ${at.world.url}.\n`,
    });
    const again = [...signUp, '--tenant', 'Owls'];
    expect(await at.shell.run(again, { stdin: 'correct horse battery staple\n' })).toMatchObject({ code: 1 });
  });

  it('a user with a second factor needs a terminal, or a token', async () => {
    const begun = expectStatus(
      await at.world.api.as(at.tenant).post('/auth/second-factor', { password: at.tenant.password }),
      201,
    );
    const code = await generate({
      secret: begun.body.secret,
      epoch: Math.floor(at.world.clock.now().getTime() / 1000),
    });
    expectStatus(await at.world.api.as(at.tenant).post('/auth/second-factor/confirm', { code }), 200);
    expect(await logIn()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/recovery code: cannot ask without a terminal\.\n.*--token-stdin/),
    });
  });

  it.each([['*'], ['artifacts:write']])('a token with the scope %s is taken', async (scope) => {
    const token = await at.world.given.token(at.tenant, [scope]);
    expect(await at.shell.run(['login', at.world.url, '--token-stdin'], { stdin: `${token}\n` })).toMatchObject({
      code: 0,
    });
    expect(await at.shell.json(['whoami'])).toEqual({ url: at.world.url, by: 'token', expiresAt: null });
    expect(await at.shell.run(['logout'])).toMatchObject({ code: 0 });
    expect(at.shell.said).not.toContain(token);
  });

  it('a token knows when it expires', async () => {
    const body = { name: 'CI', scopes: ['*'], expiresInDays: 9 };
    const { token, expiresAt } = (await at.world.api.as({ cookie: at.tenant.cookie }).post('/access-tokens', body))
      .body;
    const env = { PIERHEAD_URL: at.world.url, PIERHEAD_TOKEN: token };
    expect(Date.parse((await at.shell.json(['whoami'], { env })).expiresAt)).toBe(
      Math.floor(Date.parse(expiresAt) / 1000) * 1000,
    );
    const { stdout } = await at.shell.run(['whoami'], { env });
    expect(stdout).toMatch(/^An access token at \S+, which expires in \d+ (days|h)\.\n$/);
    expect((await at.shell.run(['doctor'], { env })).stdout).toMatch(
      /; expires in .*\n {2}Make another one before it expires: pierhead tokens create/,
    );
  });

  it.each([
    ['that is wrong', 'not-a-token', 4],
    ['that is empty', '\n', 2],
  ])('a token %s is not taken', async (_case, stdin, code) => {
    expect(await at.shell.run(['login', at.world.url, '--token-stdin'], { stdin })).toMatchObject({ code });
    await expect(stat(at.shell.userFile)).rejects.toThrow('ENOENT');
  });

  it('several services are known at a time, and the environment chooses', async () => {
    await logIn();
    const other = await at.world.given.tenant();
    expect(await at.shell.run(['whoami'], { env: { PIERHEAD_TOKEN: other.token } })).toMatchObject({
      stdout: `An access token at ${at.world.url}.\n`,
    });
    expect(await at.shell.run(['whoami'], { env: { PIERHEAD_URL: 'https://other.example' } })).toMatchObject({
      code: 4,
      stderr:
        '✗ You are not logged in to https://other.example.\n  Log in with: pierhead login https://other.example\n',
    });
  });

  it('a token of the environment that is refused is to be set again, where nobody can log in', async () => {
    const env = { PIERHEAD_URL: at.world.url, PIERHEAD_TOKEN: 'cut-off' };
    expect(await at.shell.run(['status'], { env })).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(/^✗ .*\n {2}Set PIERHEAD_TOKEN to a valid access token, or unset it/),
    });
  });

  it('a token without permission is refused with the missing scope, and the command exits with 4', async () => {
    const token = await at.world.given.token(at.tenant, ['artifacts:write']);
    const { code, stderr } = await at.shell.run(['status'], {
      env: { PIERHEAD_URL: at.world.url, PIERHEAD_TOKEN: token },
    });
    expect([code, stderr]).toEqual([4, expect.stringContaining('extensions:read')]);
  });

  it('a refused field is named', async () => {
    await logIn();
    const { code, stderr } = await at.shell.run(['api', 'POST', '/extensions', '-i', '-'], { stdin: '{"name":""}' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^✗ name: .+\n {2}request [\da-f-]{36}\n$/)]);
  });

  it('status shows every extension at every store', async () => {
    const given = await at.world.given.publishable();
    const author = await Shell.for(given, at.world.url);
    expect(await author.run(['status'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^ {2}EXTENSION +CHROME +FIREFOX +EDGE +SAFARI\n {2}Extension .+ {2}– nothing pushed {2}— +— +—\n$/,
      ),
    });
    const { name } = (await at.world.api.as(given).get(`/extensions/${given.extensionId}`)).body;
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
      stderr: `✗ You have no extension "Unknown".\n  Your extensions: ${name}.\n`,
    });
    await author.close();
  });

  it('status of nothing says how to begin', async () => {
    await logIn();
    expect(await at.shell.run(['status'])).toMatchObject({
      code: 0,
      stdout: 'You have no extensions yet. Register one with: pierhead init\n',
    });
    expect(await at.shell.json(['status'])).toEqual({ items: [], needs: [] });
  });

  it('a redirect is not followed with a token', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(308, { location: `${at.world.url}${request.url}` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const env = {
      PIERHEAD_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      PIERHEAD_TOKEN: at.tenant.token,
    };
    expect(await at.shell.run(['status'], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('redirect to'),
    });
    expect(seen).toHaveLength(1);
    await new Promise((resolve) => server.close(resolve));
  });

  describe('in a terminal, a log-in', () => {
    const decide = async (userCode: string, decision: 'approve' | 'deny'): Promise<void> => {
      const { cookie } = at.tenant;
      const body = new URLSearchParams({ userCode, decision });
      const { status } = await fetch(`${at.world.url}/cli-login`, { method: 'POST', headers: { cookie }, body });
      expect(status).toBe(200);
    };
    const codeIn = async (terminal: PseudoTerminal): Promise<string> => {
      await terminal.reads(/allows sign-up[^]+Log in to an existing account/);
      terminal.press('down', 'enter');
      return (await terminal.reads(CODE))[1] ?? '';
    };

    it('opens a browser, shows the code, and goes on when the person approves there', async () => {
      const opened = await at.shell.write('browser', '#!/bin/sh\nprintf %s "$1" > opened\n');
      await chmod(opened, 0o755);
      const terminal = PseudoTerminal.run(at.shell, ['login', at.world.url], { BROWSER: opened });
      const code = await codeIn(terminal);
      expect(terminal.said).toContain(`/cli-login?code=${code}`);
      await decide(code, 'approve');
      await terminal.reads(new RegExp(`Logged in to ${at.world.url} as ${at.tenant.email}\\.`));
      expect(await terminal.ends()).toBe(0);
      expect(await at.shell.read('opened')).toContain(`/cli-login?code=${code}`);
      expect((await stat(at.shell.userFile)).mode & 0o777).toBe(0o600);
      expect(await at.shell.json(['whoami'])).toMatchObject({ by: 'session', user: { email: at.tenant.email } });
      const { items } = (await at.world.api.as(at.tenant).get('/auth/sessions')).body;
      expect(items[0].name).toMatch(/^pierhead on ./);
    });

    it('ends with 4 when the person denies, and keeps nothing', async () => {
      const terminal = PseudoTerminal.run(at.shell, ['login', at.world.url], { BROWSER: '/nowhere/at/all' });
      const code = await codeIn(terminal);
      expect(terminal.said).toContain('Open this page in a browser:');
      await decide(code, 'deny');
      await terminal.reads(/✗ The log-in was denied in the browser\./);
      expect(await terminal.ends()).toBe(4);
      await expect(stat(at.shell.userFile)).rejects.toThrow('ENOENT');
    });

    it('ends with 130 by Ctrl-C while it waits, and keeps nothing', async () => {
      const terminal = PseudoTerminal.run(at.shell, ['login', at.world.url]);
      await codeIn(terminal);
      terminal.press('interrupt');
      expect(await terminal.ends()).toBe(130);
      expect(terminal.said).not.toMatch(/\n\s+at /);
      await expect(stat(at.shell.userFile)).rejects.toThrow('ENOENT');
    });

    it('asks for the address, and by --email for the password, which it does not show', async () => {
      const terminal = PseudoTerminal.run(at.shell, ['login', '--email', at.tenant.email]);
      await terminal.answers(/Address of the service/, at.world.url);
      await terminal.answers(/Password/, at.tenant.password);
      await terminal.reads(/Logged in to/);
      expect(await terminal.ends()).toBe(0);
      expect(terminal.said).not.toContain(at.tenant.password);
    });

    it('creates an account, with a password that is typed twice, until the service takes it', async () => {
      const email = `${randomUUID()}@example.com`;
      const terminal = PseudoTerminal.run(at.shell, ['login', at.world.url]);
      await terminal.reads(/allows sign-up/);
      terminal.press('enter');
      await terminal.answers(/E-mail address/, email);
      await terminal.answers(/Name of the team \(Enter for .+\)/, 'Ann and friends');
      await terminal.answers(/Password/, 'password12');
      await terminal.answers(/again/, 'password12');
      await terminal.reads(/✗ password: .+commonest/);
      await terminal.answers(/Password/, 'correct horse battery staple');
      await terminal.answers(/again/, 'incorrect horse');
      await terminal.reads(/The two are not the same\./);
      await terminal.answers(/Password/, 'correct horse battery staple');
      await terminal.answers(/again/, 'correct horse battery staple');
      await terminal.reads(/Logged in to/);
      expect(await terminal.ends()).toBe(0);
      expect(terminal.said).not.toMatch(/battery|incorrect/);
      expect(await at.shell.run(['whoami'])).toMatchObject({
        stdout: `${email}, owner of Ann and friends at ${at.world.url}.\n`,
      });
    });

    it('creates nothing by Ctrl-C at any question', async () => {
      const email = `${randomUUID()}@example.com`;
      for (const answers of [[], [email], [email, ''], [email, '', 'correct horse battery staple']]) {
        const terminal = PseudoTerminal.run(at.shell, ['login', at.world.url, '--sign-up']);
        const questions = [/E-mail address/, /Name of the team/, /Password/, /again/];
        for (const [at, line] of answers.entries()) await terminal.answers(questions[at] ?? /never/, line);
        await terminal.reads(questions[answers.length] ?? /never/);
        terminal.press('interrupt');
        expect(await terminal.ends()).toBe(130);
      }
      await expect(stat(at.shell.userFile)).rejects.toThrow('ENOENT');
      const body = { email, password: 'correct horse battery staple' };
      expect(await at.world.api.post('/auth/login', body)).toMatchObject({ status: 401 });
    });

    it('says in a sentence that there is no such service', async () => {
      const terminal = PseudoTerminal.run(at.shell, ['login', 'http://127.0.0.1:9'], { PIERHEAD_PATIENCE: '1s' });
      await terminal.reads(/✗ .+127\.0\.0\.1:9/);
      await terminal.reads(/Address of the service/);
      terminal.press('interrupt');
      expect(await terminal.ends()).toBe(130);
      expect(terminal.said).not.toMatch(/\n\s+at /);
    });
  });

  describe('by a token', () => {
    let shell: Shell;
    beforeEach(async () => {
      shell = await Shell.for(at.tenant, at.world.url);
    });
    afterEach(() => shell.close());

    it('analytics show installs by day and by what they are', async () => {
      const extensionId = await at.world.given.extension(at.tenant, 'Tab Counter');
      const ping = { extensionId, installId: randomUUID(), version: '1.4.0', language: 'de-CH' };
      expectStatus(
        await at.world.api.as({}).post('/analytics/ping', ping, { headers: { 'user-agent': FIREFOX } }),
        202,
      );
      const today = at.world.clock.now().toISOString().slice(0, 10);
      const range = ['--from', today, '--to', today];
      expect(await shell.run(['analytics', 'tab counter', ...range])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(
          new RegExp(`${today} +1 +1 +1 +1\n\n {2}Versions +1\\.4\\.0 100 %\n {2}Browsers +Firefox 100 %`),
        ),
        stderr: '',
      });
      await shell.write('pierhead.json', '{ "extension": "Tab Counter" }');
      expect(await shell.json(['analytics', '--by', 'language', ...range])).toMatchObject({
        by: 'language',
        items: [{ value: 'de-CH', installs: 1, share: 1 }],
      });
      expect(await shell.run(['analytics', '--csv', ...range])).toMatchObject({
        stdout: expect.stringMatching(/^date,figure,value,number,share\r?\n(.+\r?\n)+$/),
      });
      expect(await shell.run(['analytics', '--all', ...range])).toMatchObject({
        stdout: expect.stringMatching(
          /^ {2}1 active a day, 1 new, 0 silent for 28 days\n.*\n\n {2}EXTENSION .*\n {2}Tab Counter +1 +1 +1 +1\n$/,
        ),
      });
      expect(await shell.run(['analytics', '--all', '--by', 'os'])).toMatchObject({ code: 2, stdout: '' });
    });

    it('access tokens are made by a user who is logged in, printed once, and revoked by name', async () => {
      expect(await shell.run(['tokens', 'list'])).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('pierhead login'),
      });
      const user = await Shell.open();
      const { email, password } = at.tenant;
      await user.run(['login', at.world.url, '--email', email, '--password-stdin'], { stdin: password });
      const extensionId = await at.world.given.extension(at.tenant, 'Tab Counter');
      const wish = ['--scope', 'extensions:read', '--extension', 'tab counter', '--expires', '30d'];
      const created = await user.run(['tokens', 'create', 'Deploy', ...wish]);
      const token = created.stdout.trim();
      expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+\n$/) });
      expect(created.stderr).not.toContain(token);
      expect(await user.json(['tokens', 'list'])).toMatchObject({
        items: [{ name: 'Deploy', scopes: ['extensions:read'], extensionIds: [extensionId] }, { name: 'CI' }],
      });
      const ask = async () => (await at.world.api.as({ token }).get('/extensions')).status;
      expect(await ask()).toBe(200);
      expect(await user.run(['tokens', 'revoke', 'Deploy'])).toMatchObject({ code: 2, stdout: '' });
      expect(await ask()).toBe(200);
      // As the list shows it: a token may end in four characters that begin like an option.
      expect(await user.run(['tokens', 'revoke', `…${token.slice(-4)}`, '--yes'])).toMatchObject({ code: 0 });
      expect(await ask()).toBe(401);
      expect(user.said.split(token)).toHaveLength(2);
      await user.close();
    });

    it.each([
      [['tokens', 'create', 'Deploy'], 'scope'],
      [['tokens', 'create', 'Deploy', '--scope', 'everything'], 'Allowed choices are'],
      [['tokens', 'create', 'Deploy', '--scope', '*', '--expires', 'soon'], '"soon" is not a number of days'],
      [['analytics', '--csv', '--json'], 'cannot be combined'],
    ])('%j is refused before anything is asked', async (args, says) => {
      expect(await shell.run(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
    });
  });
});
