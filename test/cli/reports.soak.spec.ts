import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { expectStatus } from '../support/given.js';
import { atShell } from './at-shell.js';
import { Shell } from './shell.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

describe('at the shell', () => {
  const at = atShell((tenant, world) => Shell.for(tenant, world.url));

  it('analytics show installs by day and by what they are', async () => {
    const extensionId = await at.world.given.extension(at.tenant, 'Tab Counter');
    const ping = { extensionId, installId: randomUUID(), version: '1.4.0', language: 'de-CH' };
    expectStatus(await at.world.api.as({}).post('/analytics/ping', ping, { headers: { 'user-agent': FIREFOX } }), 202);
    const today = at.world.clock.now().toISOString().slice(0, 10);
    const range = ['--from', today, '--to', today];
    expect(await at.shell.run(['analytics', 'tab counter', ...range])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(`${today} +1 +1 +1 +1\n\n {2}Versions +1\\.4\\.0 100 %\n {2}Browsers +Firefox 100 %`),
      ),
      stderr: '',
    });
    await at.shell.write('pierhead.json', '{ "extension": "Tab Counter" }');
    expect(await at.shell.json(['analytics', '--by', 'language', ...range])).toMatchObject({
      by: 'language',
      items: [{ value: 'de-CH', installs: 1, share: 1 }],
    });
    expect(await at.shell.run(['analytics', '--csv', ...range])).toMatchObject({
      stdout: expect.stringMatching(/^date,figure,value,number,share\r?\n(.+\r?\n)+$/),
    });
    expect(await at.shell.run(['analytics', '--all', ...range])).toMatchObject({
      stdout: expect.stringMatching(/^ {2}EXTENSION .*\n {2}Tab Counter +1 +1 +1 +1\n$/),
    });
    expect(await at.shell.run(['analytics', '--all', '--by', 'os'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('access tokens are made by a user who is logged in, printed once, and revoked by name', async () => {
    expect(await at.shell.run(['tokens', 'list'])).toMatchObject({
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
    expect(await user.run(['tokens', 'revoke', token.slice(-4), '--yes'])).toMatchObject({ code: 0 });
    expect(await ask()).toBe(401);
    expect(user.said.split(token)).toHaveLength(2);
    await user.close();
  });

  it.each([
    [['tokens', 'create', 'Deploy'], 'scope'],
    [['tokens', 'create', 'Deploy', '--scope', 'everything'], 'Allowed choices are'],
    [['tokens', 'create', 'Deploy', '--scope', '*', '--expires', 'soon'], '"soon" is no number of days'],
    [['analytics', '--csv', '--json'], 'exclude each other'],
  ])('%j is refused before anything is asked', async (args, says) => {
    expect(await at.shell.run(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
  });
});
