import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FirefoxControl } from '../../sandbox/firefox/firefox-control.js';
import { startWorld, type World } from '../support/app.js';
import { manifestOf } from '../support/packages.js';
import { authorAt, whileWorking, type Author } from './author.js';

const JUSTIFICATIONS = {
  singlePurpose: 'Counts tabs.',
  permissions: { tabs: 'To count them.', bookmarks: 'No longer.' },
  hosts: { '*': 'To show the number.' },
  dataUses: { webHistory: 'Addresses of tabs, on the device.' },
};
const ASKING = { permissions: ['tabs', 'storage'], host_permissions: ['https://a.example/*'] };
const FAULTS = [
  'pierhead.json: The permission storage has no reason.',
  'pierhead.json: There is a reason for the permission bookmarks, which the manifest does not request.',
];

describe('texts that go with a version', () => {
  let world: World;
  let author: Author;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    author = await authorAt(world, ['chrome', 'firefox']);
  });
  afterEach(() => author.shell.close());

  const push = async (...args: readonly string[]) =>
    author.shell.run(['push', await author.pack('1.0.0', ASKING), '--no-lint', '--yes', ...args]);
  const pushed = async () =>
    (await world.api.as(author).get(`/artifacts?extension=${author.extensionId}`)).body.artifacts[0];

  it('come from the files of a folder, and reach the store in their languages', async () => {
    await author.shell.write('notes/default.md', 'Counts faster.\n');
    await author.shell.write('notes/de.md', 'Zählt schneller.');
    await author.shell.write('notes/pt_br.txt', 'Conta mais rápido.');
    await author.shell.write('pierhead.json', JSON.stringify({ notesFile: 'notes' }));
    expect(await push()).toMatchObject({ code: 0 });
    expect(await pushed()).toMatchObject({
      notes: 'Counts faster.',
      localizedNotes: { de: 'Zählt schneller.', 'pt-BR': 'Conta mais rápido.' },
    });
    expect(await whileWorking(world, author.shell.start(['watch']))).toMatchObject({ code: 0 });
    const { storeItemId } = author.testStore('firefox').settings;
    const { versions } = await new FirefoxControl(world.sandbox.url).addonState(storeItemId);
    expect(versions.at(-1)?.releaseNotes).toEqual({
      'en-US': 'Counts faster.',
      de: 'Zählt schneller.',
      'pt-BR': 'Conta mais rápido.',
    });
  });

  it('stay out of the package, unless ignoreFiles takes them back in', async () => {
    const version = (number: string) => author.shell.write('manifest.json', JSON.stringify(manifestOf(number)));
    const filesOf = async (): Promise<readonly string[]> => {
      const { code, stderr } = await author.shell.run([
        'push',
        '.',
        '--no-lint',
        '--yes',
        '--notes-file',
        '!new [1].md',
      ]);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('✗')]);
      const { changes } = await author.shell.json(['diff', '--since', '0.1.0']);
      return changes.files.items.map(({ path }: { readonly path: string }) => path);
    };
    await author.shell.write('background.js', '');
    await version('1.0.0');
    for (const name of ['notes/de.md', '!new [1].md', 'review.md', 'review.mdx']) await author.shell.write(name, 'x');
    expect(await author.shell.run(['push', await author.pack('0.1.0'), '--no-lint'])).toMatchObject({ code: 0 });
    const named = { notesFile: 'notes', reviewerNotesFile: './review.md' };
    await author.shell.write('pierhead.json', JSON.stringify(named));
    expect(await filesOf()).toEqual(['manifest.json', 'review.mdx']);
    await version('1.1.0');
    await author.shell.write('pierhead.json', JSON.stringify({ ...named, ignoreFiles: ['!notes', '*.mdx'] }));
    expect(await filesOf()).toEqual(['manifest.json', 'notes/de.md']);
  });

  it.each([
    ['notes/German.md', 'x', 'is named after no language.'],
    ['notes/de.html', 'x', 'is named after no language.'],
    ['notes/de.md', ' \n', 'is empty.'],
    ['notes/de.md', 'x'.repeat(4001), 'Notes of 4001 characters are too long.'],
    ['notes/de.md', '😀'.repeat(4001), 'Notes of 4001 characters are too long.'],
  ])('are refused before anything is sent: %s', async (name, text, words) => {
    await author.shell.write(name, text);
    expect(await push('--notes-file', 'notes')).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    expect(await pushed()).toBeUndefined();
  });

  it.each([
    ['--notes-file', 'notes.md', ' \n', 'notes.md is empty.'],
    ['--reviewer-notes-file', 'notes.md', '', 'notes.md is empty.'],
    ['--notes-file', 'notes.md', Buffer.from('Z\xe4hler', 'latin1'), 'notes.md is not valid UTF-8.'],
    ['--notes-file', 'notes.md', 'a\0b', 'notes.md contains a NUL character.'],
    ['--notes-file', '-', '', 'Standard input is empty.'],
    ['--notes', ' ', '', '--notes is empty.'],
  ])('are refused before anything is sent: %s %s', async (option, named, text, words) => {
    await author.shell.write('notes.md', text);
    expect(await push(option, named, '--dry-run')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`✗ ${words}`),
    });
  });

  it('are refused by the store that takes shorter ones, and told of a language that it does not have', async () => {
    await author.shell.write('notes/de.md', 'x'.repeat(3001));
    expect(await push('--notes-file', 'notes', '--dry-run')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('and de has 3001'),
    });
    await author.shell.write('notes/de.md', 'Kurz.');
    await author.shell.write('notes/eo.md', 'Mallonga.');
    expect((await push('--notes-file', 'notes')).stderr).toContain('⚠ Firefox Add-ons has no listings in eo');
  });

  it('are read from the metadata of fastlane as it is', async () => {
    await author.shell.write('fastlane/metadata/copyright.txt', '2026 Ann');
    await author.shell.write('fastlane/metadata/de-DE/release_notes.txt', 'Zählt schneller.\n');
    await author.shell.write('fastlane/metadata/default/release_notes.txt', 'Counts faster.');
    await author.shell.write('fastlane/metadata/fr-FR/release_notes.txt', '');
    expect(await push('--notes-file', 'fastlane/metadata')).toMatchObject({ code: 0 });
    expect(await pushed()).toMatchObject({
      notes: 'Counts faster.',
      localizedNotes: { 'de-DE': 'Zählt schneller.' },
    });
  });

  it('are compared with the manifest by check and push, and printed for the pages of stores', async () => {
    expect((await author.shell.run(['privacy'])).stdout).toContain('No justifications of Night Owl were pushed.');
    await author.shell.write('pierhead.json', JSON.stringify({ justifications: JUSTIFICATIONS }));
    const checked = await author.shell.run(['check', await author.pack('1.0.0', ASKING), '--json', '--no-lint']);
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, justifications: FAULTS });
    const { code, stderr } = await push();
    expect(code).toBe(0);
    for (const fault of FAULTS) expect(stderr).toContain(`⚠ ${fault}\n`);
    expect(await pushed()).toMatchObject({ justifications: JUSTIFICATIONS });
    const { stdout } = await author.shell.run(['privacy']);
    expect(stdout).toMatch(/^Chrome, 1\.0\.0: copy each text into its field at https:\S+\/edit\/privacy\n/);
    expect(stdout).toContain('\nPermission tabs\nTo count them.\n');
    expect(stdout).toContain('\nPermission storage\nNo reason is given.\n');
    expect(stdout).not.toContain('bookmarks');
    const { pages } = await author.shell.json(['privacy']);
    expect(pages).toMatchObject([{ store: 'chrome', version: '1.0.0', fields: expect.any(Array) }]);
  });

  it('are refused as settings where they cannot be used', async () => {
    const write = (justifications: object) => author.shell.write('pierhead.json', JSON.stringify({ justifications }));
    await write({ permissions: { tabs: '' } });
    expect(await push()).toMatchObject({ code: 2, stderr: expect.stringContaining('justifications.permissions.tabs') });
    await write({ dataUses: { shoes: 'x' } });
    const { code, stderr } = await push();
    expect([code, stderr]).toEqual([1, expect.stringContaining('⚠ pierhead.json: shoes is no kind of data')]);
    expect(stderr).toContain('must name kinds of data');
  });
});
