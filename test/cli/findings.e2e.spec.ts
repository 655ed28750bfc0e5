import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/app.js';
import { authorAt, whileWorking, type Author } from './author.js';

const KEYED = { key: 'MIIB' };
const HAS_KEY = /edge-has_key-[\da-f]{8}/;

describe('a version that its store would refuse', () => {
  let world: World;
  let author: Author;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  afterEach(() => author.shell.close());

  const push = async (version: string, changes: object = KEYED, ...args: readonly string[]) =>
    author.shell.run(['push', await author.pack(version, changes), '--no-lint', ...args]);

  it('waits, and status, watch and override say by which command it is sent all the same', async () => {
    author = await authorAt(world, ['edge']);
    await push('1.0.0', { ...KEYED, update_url: 'https://example.com/updates.xml' });
    const watched = await whileWorking(world, author.shell.start(['watch']));
    expect([watched.code, watched.stderr]).toEqual([5, expect.stringContaining('with: pierhead override')]);
    expect((await author.shell.run(['status', author.name])).stdout).toContain('with: pierhead override\n');
    const { code, stdout } = await author.shell.run(['override']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Edge refuses this package:\n {2}refused/)]);
    const [id = ''] = HAS_KEY.exec(stdout) ?? [];
    expect(stdout).toContain(`    pierhead override ${id}\n`);
    expect(await author.shell.run(['override', id])).toMatchObject({ code: 2, stdout: '' });
    expect(await author.shell.run(['override', id, '--yes'])).toMatchObject({
      code: 0,
      stdout: 'Overridden. Another finding keeps 1.0.0 from Edge. Show them with: pierhead override\n',
      stderr: 'Edge: The manifest has the key "key". Remove it.\n',
    });
    const { findings } = await author.shell.json(['override']);
    expect(findings).toMatchObject([{ code: 'has_update_url', version: '1.0.0' }]);
    expect(await author.shell.json(['override', findings[0].id, '--yes'])).toMatchObject({ finding: { holds: false } });
    // Again changes nothing.
    expect(await author.shell.run(['override', id, '--yes'])).toMatchObject({
      code: 0,
      stdout: 'Edge gets 1.0.0 all the same. Follow it with: pierhead watch\n',
    });
    expect(await whileWorking(world, author.shell.start(['watch']))).toMatchObject({ code: 0 });
    expect(await author.shell.run(['override'])).toMatchObject({
      code: 0,
      stdout: 'Nothing that stores refuse holds Night Owl.\n',
    });
    expect(await author.shell.run(['override', 'edge-none', '--yes'])).toMatchObject({
      code: 1,
      stderr: '✗ The pinned version has no finding edge-none.\n  List them with: pierhead override\n',
    });
  });
});
