import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { authorAt } from './author.js';
import { Shell } from './shell.js';

describe('a doctor at the shell', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it('finds nothing wrong with an extension that is published', async () => {
    const author = await authorAt(world, ['chrome']);
    const { shell, name } = author;
    await shell.write('pierhead.json', JSON.stringify({ extension: name, package: await author.pack('1.4.0') }));
    expect(await shell.run(['doctor'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^– An access token cannot check keys\.\n.*\n✓ \d checks passed\. Show with: pierhead doctor -v\n$/,
      ),
      stderr: 'Nothing is wrong.\n',
    });
    const { code, stdout } = await shell.run(['doctor', '-v']);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('✗')]);
    for (const says of [
      /^✓ .*pierhead\.json is valid\.$/m,
      /^✓ .* 1\.4\.0 \(Manifest V3\) is in /m,
      /^✓ .* is reachable and ready\.$/m,
      /^✓ The service is version /m,
      /^✓ The access token has extensions:read, artifacts:write/m,
      /^– An access token cannot check keys\.$/m,
      /^✓ Night Owl at Chrome is /m,
    ])
      expect(stdout).toMatch(says);
    await shell.close();
  });

  it('names each fault with its remedy, and ends with 1', async () => {
    const author = await authorAt(world, ['chrome']);
    const { shell, extensionId, email, password } = author;
    const [{ id }] = expectStatus(await world.api.as({ cookie: author.cookie }).get('/credentials'), 200).body.items;
    const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
    expectStatus(await world.api.as({ cookie: author.cookie }).patch(`/credentials/${id}`, { expiresAt }), 200);
    const targetId = await world.given.targetOf(author, extensionId, 'edge');
    expectStatus(
      await world.api.as(author).patch(`/extensions/${extensionId}/targets/${targetId}`, { enabled: true }),
      200,
    );
    const user = await Shell.open();
    await user.run(['login', world.url, '--email', email, '--password-stdin'], { stdin: password });
    await user.write('pierhead.json', '{ "stores": ["opera"] }');
    const { code, stdout } = await user.run(['doctor', '--json']);
    const { ok, findings } = JSON.parse(stdout);
    expect([code, ok]).toEqual([1, false]);
    expect(findings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ check: 'project', state: 'failed', message: expect.stringContaining('stores.0') }),
        expect.objectContaining({ check: 'log-in', state: 'ok', message: expect.stringContaining(email) }),
        expect.objectContaining({
          check: 'credential',
          state: 'warning',
          remedy: 'Renew it with: pierhead connect chrome',
        }),
        expect.objectContaining({ check: 'target', state: 'failed', remedy: 'pierhead connect edge' }),
      ]),
    );
    const { stdout: text, stderr } = await user.run(['doctor']);
    expect(text.match(/^[✗⚠–✓]/gm)).toEqual(['✗', '✗', '⚠', '✓']);
    expect(stderr).toBe('2 faults and 1 warning.\n');
    await Promise.all([shell.close(), user.close()]);
  });

  it('says that the service cannot be reached, and that nobody is logged in', async () => {
    const shell = await Shell.open({ PIERHEAD_PATIENCE: '0' });
    expect(await shell.run(['doctor'])).toMatchObject({ code: 1, stdout: expect.stringContaining('pierhead login') });
    const env = { PIERHEAD_URL: 'http://127.0.0.1:9', PIERHEAD_TOKEN: 'any' };
    expect(await shell.run(['doctor'], { env })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('✗ http://127.0.0.1:9 cannot be reached'),
      stderr: '1 fault.\n',
    });
    await shell.close();
  });

  it('pages are printed where there is no terminal', async () => {
    const author = await authorAt(world, ['chrome']);
    const { shell } = author;
    const printed = async (...args: string[]): Promise<string> => (await shell.run(['open', ...args])).stdout.trim();
    expect(await printed('docs')).toBe(`${world.url}/api/docs`);
    expect(await printed('extension')).toBe(`${world.url}/extensions/${author.extensionId}`);
    const { storeItemId } = author.testStore('chrome').settings;
    expect(await printed('chrome')).toBe(`https://chromewebstore.google.com/detail/${storeItemId}`);
    const { publisherId } = author.testStore('chrome').credentials as { readonly publisherId: string };
    expect(await printed('chrome', '--dashboard')).toBe(
      `https://chrome.google.com/webstore/devconsole/${publisherId}/${storeItemId}/edit`,
    );
    expect(await shell.run(['open', 'edge'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--dashboard'),
    });
    expect(await shell.run(['open', 'opera'])).toMatchObject({ code: 2, stdout: '' });
    await shell.close();
  });
});
