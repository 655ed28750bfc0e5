import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { PseudoTerminal } from './pseudo-terminal.js';
import { authorAt, whileWorking, type Author } from './author.js';

interface Found {
  readonly store: string;
  readonly code: string;
  readonly holds: boolean;
}

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
      stdout: 'Overridden. Another finding holds 1.0.0 for Edge. Show them with: pierhead override\n',
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

  it('is told before it is sent, with what only the whole package shows, once', async () => {
    author = await authorAt(world, ['chrome', 'edge']);
    const faults = { ...KEYED, icons: { 128: 'none.png' } };
    const { code, stderr } = await push('1.0.0', faults);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /⚠ Chrome refuses this package:\n[^]+⚠ Edge refuses this package:\n[^]+\nPierhead holds the version for Chrome and Edge until .+: pierhead override\nSending/,
    );
    for (const sentence of [/names "none\.png", which/g, /The manifest has the key "key"/g])
      expect(stderr.match(sentence)).toHaveLength(2);
    const { packages } = await author.shell.json(['push', await author.pack('1.1.0', faults), '--dry-run']);
    expect(packages[0].findings.map(({ store, code: rule, holds }: Found) => [store, rule, holds])).toEqual([
      ['chrome', 'absent_file', true],
      ['chrome', 'has_key', false],
      ['edge', 'has_key', true],
      ['edge', 'absent_file', true],
    ]);
  });

  it('is asked about, unless the target is to send it all the same', async () => {
    author = await authorAt(world, ['edge']);
    const file = await author.pack('1.0.0', KEYED);
    const refused = PseudoTerminal.run(author.shell, ['push', file]);
    await refused.reads(/⚠ Edge refuses this package:/);
    await refused.answers(/Push anyway\?/);
    expect(await refused.ends()).toBe(1);
    expect(refused.said).toContain('Nothing was pushed.');
    const allowed = PseudoTerminal.run(author.shell, ['push', file, '--yes']);
    expect(await allowed.ends()).toBe(0);
    expect(allowed.said).not.toContain('Push anyway?');
    const targetId = await world.given.targetOf(author, author.extensionId, 'edge');
    await world.api.as(author).patch(`/extensions/${author.extensionId}/targets/${targetId}`, { preflight: 'off' });
    const off = PseudoTerminal.run(author.shell, ['push', await author.pack('1.1.0', KEYED)]);
    expect(await off.ends()).toBe(0);
    expect(off.said).toMatch(/⚠ Edge refuses this package:/);
    expect(off.said).not.toMatch(/Push anyway\?|pierhead override/);
  });

  it('is no longer said to be refused once a person has overridden it, or the store has taken it', async () => {
    author = await authorAt(world, ['edge']);
    const lacking = { icons: { 128: 'none.png' } };
    await push('1.0.0', lacking);
    const { findings } = await author.shell.json(['override']);
    await author.shell.json(['override', findings[0].id, '--yes']);
    const again = await push('1.0.0', lacking);
    expect(again.stderr).toMatch(/⚠ Edge:\n {2}overridden {2}.*none\.png/);
    expect(again.stderr).not.toContain('pierhead override');
    expect(await whileWorking(world, author.shell.start(['watch']))).toMatchObject({ code: 0 });
    await push('1.1.0', {});
    expect(await whileWorking(world, author.shell.start(['watch']))).toMatchObject({ code: 0 });
    const later = await push('1.2.0', lacking);
    expect(later.stderr).not.toMatch(/none\.png|refuses this package/);
    expect(await whileWorking(world, author.shell.start(['watch']))).toMatchObject({ code: 0 });
  });
});
