import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preflight } from '../../src/stores/pure.js';
import { hasChromium } from '../support/chromium.js';
import { packs } from '../support/oracles.js';

const inChromium = hasChromium('shortcuts beside Chromium') ? describe : describe.skip;

inChromium('a shortcut is refused where Chromium refuses it', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-shortcuts-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const agree = async (commands: object): Promise<void> => {
    const manifest = { manifest_version: 3, name: 'Owl', version: '1.0', description: 'It hoots.', commands };
    const extension = join(await mkdtemp(join(folder, 'package-')), 'extension');
    await mkdir(extension);
    await writeFile(join(extension, 'manifest.json'), JSON.stringify(manifest));
    const codes = preflight({ manifest, repeatedKeys: [], size: 1000, contents: null })
      .filter(({ store, severity }) => store === 'chrome' && severity === 'refused')
      .map(({ code }) => code);
    expect(codes).toEqual((await packs(extension, folder)) ? [] : ['wrong_command']);
  };
  const hoot = (suggested_key: unknown): object => ({ hoot: { description: 'Hoots', suggested_key } });

  it.each([
    'Ctrl+K',
    'Ctrl + Shift + K',
    'Alt+Shift+9',
    'Ctrl+Ctrl+K',
    'Ctrl+Shift+Ctrl+K',
    'Ctrl+Shift+Ctrl+Shift+K',
    'Alt+PageDown',
    'MediaStop',
    'Ctrl+MediaStop',
    'F5',
    'Ctrl+Alt+K',
    'Shift+K',
    'Alt+Shift+F1',
    'Command+K',
    'MacCtrl+K',
    'Search+K',
    'ctrl+k',
    'Ctrl+k',
    'Ctrl+K+L',
    'Ctrl',
    'K',
    '',
    7,
  ])('%j', async (text) => {
    await agree(hoot(text));
    await agree(hoot({ default: text }));
  });

  it.each<[string, object]>([
    ['of a Mac', { default: 'Ctrl+K', mac: 'Command+Shift+K' }],
    ['of a Mac with Ctrl', { default: 'Ctrl+K', mac: 'MacCtrl+K' }],
    ['of a Mac with too much', { default: 'Ctrl+K', mac: 'Command+Alt+K' }],
    ['of a Mac with Ctrl and Alt', { default: 'Ctrl+K', mac: 'MacCtrl+Alt+K' }],
    ['of ChromeOS', { default: 'Ctrl+K', chromeos: 'Search+K' }],
    ['of another platform than its own', { default: 'Ctrl+K', linux: 'Command+K' }],
    ['of another platform that is none', { default: 'Ctrl+K', linux: 'nope' }],
    ['of no platform', { default: 'Ctrl+K', beos: 'Ctrl+K' }],
  ])('%s', (_case, suggested) => agree(hoot(suggested)));

  it.each(['MediaStop', 'Ctrl+K', 'K'])('of the button: %s', (text) =>
    agree({ _execute_action: { suggested_key: { default: text } } }),
  );

  it.each([
    ['four texts', 4, 'Alt+1'],
    ['five texts', 5, 'Alt+1'],
    ['five media keys', 5, 'MediaStop'],
  ])('%s', (_case, count, text) =>
    agree(
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `c${at}`,
          { description: 'It', suggested_key: text.replace('1', String(at)) },
        ]),
      ),
    ),
  );
});
