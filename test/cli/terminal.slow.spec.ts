import { generate } from 'otplib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { authorAt, whileWorking, type Author } from './author.js';
import { PseudoTerminal } from './pseudo-terminal.js';
import { Shell } from './shell.js';

describe('in a terminal', () => {
  let world: World;
  let author: Author;
  let shell: Shell;
  beforeAll(async () => {
    world = await startWorld();
    shell = await Shell.open();
  });
  afterAll(async () => {
    await shell.close();
    await world.close();
  });
  afterEach(() => author.shell.close());

  const pushed = async (version: string, permissions: readonly string[]) =>
    expect(
      await whileWorking(
        world,
        author.shell.start(['push', await author.pack(version, { permissions }), '--wait', 'live']),
      ),
    ).toMatchObject({ code: 0 });

  it('log-in asks for the password, then for the second factor, again after a wrong one', async () => {
    author = await authorAt(world, []);
    const begun = expectStatus(
      await world.api.as(author).post('/auth/second-factor', { password: author.password }),
      201,
    );
    const codeNow = () =>
      generate({ secret: begun.body.secret, epoch: Math.floor(world.clock.now().getTime() / 1000) });
    expectStatus(await world.api.as(author).post('/auth/second-factor/confirm', { code: await codeNow() }), 200);
    await world.forward(60_000);
    const terminal = PseudoTerminal.run(shell, ['login', world.url, '--email', author.email]);
    await terminal.answers(/Password/, author.password);
    await terminal.answers(/authenticator app/, '000000');
    await terminal.reads(/The code is wrong/);
    await terminal.answers(/authenticator app/, await codeNow());
    await terminal.reads(new RegExp(`Logged in to .* as ${author.email}`));
    expect(await terminal.ends()).toBe(0);
    expect(terminal.said).not.toContain(author.password);
  });

  it('a push that would disable the extension for users is asked about', async () => {
    author = await authorAt(world, ['chrome']);
    await pushed('1.0.0', ['storage']);
    const file = await author.pack('1.1.0', { permissions: ['storage', 'tabs'] });
    const refused = PseudoTerminal.run(author.shell, ['push', file]);
    await refused.reads(/⚠ .*tabs/);
    await refused.answers(/Push anyway\?/);
    expect(await refused.ends()).toBe(1);
    expect(refused.said).toContain('Nothing was pushed.');
    const interrupted = PseudoTerminal.run(author.shell, ['push', file]);
    await interrupted.reads(/Push anyway\?/);
    interrupted.press('interrupt');
    expect(await interrupted.ends()).toBe(130);
    const allowed = PseudoTerminal.run(author.shell, ['push', file]);
    await allowed.reads(/Push anyway\?/);
    allowed.types('y');
    expect(await allowed.ends()).toBe(0);
    expect(allowed.said).toContain('Pushed Night Owl 1.1.0.');
  });

  it('a line for each store is redrawn, and Ctrl-C leaves the service to go on', async () => {
    author = await authorAt(world, ['chrome', 'firefox']);
    await author.testStore('chrome').review(null);
    const terminal = PseudoTerminal.run(author.shell, ['push', await author.pack('1.0.0'), '--wait', 'live']);
    await terminal.reads(/Chrome +○○○○○ {2}waiting .*\s+Firefox +○○○○○ {2}waiting/);
    await world.tick();
    await world.forward(60_000);
    await terminal.reads(/Chrome +●●●○○ {2}in review +\d+ s/);
    terminal.resize(40, 10);
    await terminal.reads(/Chrome +●●●○○ {2}in review +\d+ s…\s+Firefox /);
    terminal.press('interrupt');
    expect(await terminal.ends()).toBe(130);
    expect(terminal.said).toContain('The service continues.');
    // Neither a hidden cursor nor another screen is left behind, and the lines are gone.
    expect(terminal.wrote).not.toContain('\u001B[?');
    expect(terminal.wrote).toContain('A\r\u001B[J✗ Interrupted');
  });

  it('a rollback asks for the name of the extension', async () => {
    author = await authorAt(world, ['chrome']);
    await pushed('1.0.0', ['storage']);
    await pushed('1.1.0', ['storage']);
    const rollback = ['rollback', 'chrome', '--to', '1.0.0', '--reason', 'It miscounts.'];
    const wrong = PseudoTerminal.run(author.shell, rollback);
    await wrong.reads(/Chrome is to serve 1\.0\.0 again, as 1\.1\.1\./);
    await wrong.answers(/Type "Night Owl"/, 'y');
    expect(await wrong.ends()).toBe(1);
    const right = PseudoTerminal.run(author.shell, rollback);
    await right.answers(/Type "Night Owl"/, 'Night Owl');
    expect(await right.ends()).toBe(0);
  });
});
