import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { chromeKeyOf, newcomerAt, type Newcomer } from './newcomer.js';
import { PseudoTerminal } from './pseudo-terminal.js';
import { Shell } from './shell.js';

describe('a person who is asked', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  describe('for the address of the service', () => {
    let shell: Shell;
    beforeEach(async () => {
      shell = await Shell.open();
    });
    afterEach(() => shell.close());

    it('is asked again, until a Pierhead is there', async () => {
      const other = createServer((_request, answered) => answered.setHeader('content-type', 'text/html').end('Hello'));
      other.listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const gone = createServer().listen(0, '127.0.0.1');
      await once(gone, 'listening');
      const nowhere = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`;
      await once(gone.close(), 'close');
      const { email, password } = await world.given.tenant();
      const terminal = PseudoTerminal.run(shell, ['login', '--email', email], { PIERHEAD_PATIENCE: '1s' });
      await terminal.answers(/Address of the service/, 'ftp://a.example');
      await terminal.reads(/"ftp:\/\/a\.example" is not the address of a service/);
      terminal.press(...Array<'backspace'>(15).fill('backspace'));
      terminal.types(nowhere).press('enter');
      await terminal.reads(/✗ http:\/\/127\.0\.0\.1:\d+ cannot be reached: it refuses the connection\./);
      await terminal.answers(/Address of the service/, `http://127.0.0.1:${port}`);
      await terminal.reads(/✗ .+ not with a response from Pierhead/);
      await terminal.answers(/Address of the service/, world.url);
      await terminal.answers(/Password/, password);
      await terminal.reads(new RegExp(`Logged in to ${world.url} as ${email}`));
      expect(await terminal.ends()).toBe(0);
      other.close();
    });

    it('is asked, too, where the address came with the command', async () => {
      const { email, password } = await world.given.tenant();
      const args = ['login', 'http://127.0.0.1:9', '--email', email];
      const terminal = PseudoTerminal.run(shell, args, { PIERHEAD_PATIENCE: '1s' });
      await terminal.reads(/✗ http:\/\/127\.0\.0\.1:9 cannot be reached/);
      await terminal.answers(/Address of the service/, world.url);
      await terminal.answers(/Password/, password);
      expect(await terminal.ends()).toBe(0);
    });
  });

  describe('with an answer at hand', () => {
    let me: Newcomer;
    beforeEach(async () => {
      me = await newcomerAt(world);
    });
    afterEach(() => me.shell.close());

    it('replaces it by typing, takes it by Enter, and reads of options where it is refused', async () => {
      const { shell, guid } = me;
      await world.given.extension(me, 'Night Owl');
      const firefox = await me.testStore('firefox');
      await shell.write('amo.json', JSON.stringify(firefox.credentials));
      const connect = ['connect', 'firefox', '--key-file', 'amo.json'];
      const terminal = PseudoTerminal.run(shell, connect);
      await terminal.answers(
        new RegExp(
          String.raw`Add-on id, or the URL of the item \(Enter for ${guid.replaceAll(/[{}]/g, String.raw`\$&`)}\)`,
        ),
        'nobody@pierhead.example',
      );
      await terminal.reads(/✗ Firefox: [^]+--item/);
      await terminal.answers(/Add-on id, or the URL of the item/, guid);
      await terminal.reads(/✓ Firefox knows the item/);
      expect(await terminal.ends()).toBe(0);
      expect(terminal.said).not.toContain('storeItemId');
      const again = PseudoTerminal.run(shell, connect);
      await again.answers(/\(Enter for /);
      await again.reads(/✓ Firefox knows the item/);
      expect(await again.ends()).toBe(0);
    });

    it('reads of options and questions, also without a terminal', async () => {
      const { shell } = me;
      await world.given.extension(me, 'Night Owl');
      const { publisherId, serviceAccount } = chromeKeyOf(await me.testStore('chrome'));
      await shell.write('key.json', JSON.stringify({ ...serviceAccount, private_key: 'no key' }));
      const item = ['--item', 'a'.repeat(32)];
      const args = ['connect', 'chrome', '--key-file', 'key.json', '--set', `publisherId=${publisherId}`, ...item];
      const broken = await shell.run(args);
      expect([broken.code, broken.stderr]).toEqual([1, expect.stringMatching(/^✗ Private key: must be a PKCS#8/m)]);
      await shell.write('key.json', JSON.stringify(serviceAccount));
      const strange = await shell.run(args);
      expect([strange.code, strange.stderr]).toEqual([1, expect.stringMatching(/Check --item/)]);
      for (const { stderr } of [broken, strange]) expect(stderr).not.toMatch(/storeItemId|credentials\.|private_key/);
    });
  });
});
