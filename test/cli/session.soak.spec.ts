import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stat } from 'node:fs/promises';
import { generate } from 'otplib';
import { describe, expect, it } from '@jest/globals';
import { expectStatus } from '../support/given.js';
import { atShell } from './at-shell.js';
import { Shell } from './shell.js';

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
      stderr: expect.stringMatching(/recovery code: there is nobody to ask\.\n.*--token-stdin/),
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

  it('a token knows when it ends', async () => {
    const body = { name: 'CI', scopes: ['*'], expiresInDays: 9 };
    const { token, expiresAt } = (await at.world.api.as({ cookie: at.tenant.cookie }).post('/access-tokens', body))
      .body;
    const env = { PIERHEAD_URL: at.world.url, PIERHEAD_TOKEN: token };
    expect(Date.parse((await at.shell.json(['whoami'], { env })).expiresAt)).toBe(
      Math.floor(Date.parse(expiresAt) / 1000) * 1000,
    );
    const { stdout } = await at.shell.run(['whoami'], { env });
    expect(stdout).toMatch(/^An access token at \S+, which ends in \d+ (days|h)\.\n$/);
    expect((await at.shell.run(['doctor'], { env })).stdout).toMatch(
      /; ends in .*\n {2}Make another one before it ends: pierhead tokens create/,
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

  it('a token that may not is told which scope is missing, and ends with 4', async () => {
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
        /^ {2}EXTENSION +CHROME +FIREFOX +EDGE +SAFARI\n {2}Extension .+ {2}nothing pushed {2}— +— +—\n$/,
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
      stderr: `✗ You have no extension "Unknown".\n  They are "${name}".\n`,
    });
    await author.close();
  });

  it('status of nothing says how to begin', async () => {
    await logIn();
    expect(await at.shell.run(['status'])).toMatchObject({
      code: 0,
      stdout: 'You have no extensions yet. Register one with: pierhead init\n',
    });
    expect(await at.shell.json(['status'])).toEqual({ items: [] });
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
});
