import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { ipaOf, pkgOf } from '../support/apple-packages.js';
import { manifestOf, zipOf } from '../support/packages.js';
import { authorAt, type Author } from './author.js';

describe('packages for several stores', () => {
  let world: World;
  let author: Author;
  beforeAll(async () => {
    world = await startWorld();
    author = await authorAt(world, ['chrome', 'firefox', 'edge']);
  });
  afterAll(async () => {
    await author.shell.close();
    await world.close();
  });

  const given = (settings: object) => author.shell.write('pierhead.json', JSON.stringify(settings));
  const planned = async () =>
    (await author.shell.json(['push', '--dry-run'])).packages.map(
      ({ stores: [store], version, sha256 }: { stores: string[]; version: string; sha256: string }) => [
        store,
        version,
        sha256,
      ],
    );

  it('are named by the version that was built last, and Edge takes that of Chrome', async () => {
    await author.pack('1.0.0', {}, 'dist/owl-chrome-1.0.0.zip');
    await author.pack('1.1.0', { name: 'For Chrome' }, 'dist/owl-chrome-1.1.0.zip');
    await author.pack('1.1.0', { name: 'For Firefox' }, 'dist/owl-firefox-1.1.0.zip');
    await given({ package: { chrome: 'dist/owl-chrome-{version}.zip', firefox: 'dist/owl-firefox-*.zip' } });
    const [chrome, firefox, edge] = await planned();
    expect([chrome, firefox, edge]).toEqual([
      ['chrome', '1.1.0', expect.anything()],
      ['firefox', '1.1.0', expect.anything()],
      ['edge', '1.1.0', chrome[2]],
    ]);
    expect(firefox[2]).not.toBe(chrome[2]);
  });

  it('are one version, or nothing is pushed', async () => {
    await author.pack('1.2.0', {}, 'new/chrome.zip');
    await author.pack('1.1', {}, 'old/firefox.zip');
    await given({ package: { chrome: 'new/chrome.zip', firefox: 'old/firefox.zip' } });
    const { code, stderr } = await author.shell.run(['push']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        'new/chrome.zip is version 1.2.0, and old/firefox.zip is version 1.1. Nothing was pushed.',
      ),
    });
    const { body } = await world.api.as(author).get(`/artifacts?extension=${author.extensionId}`);
    expect(body.artifacts).toEqual([]);
    await author.pack('1.2', {}, 'old/firefox.zip');
    expect((await planned()).map(([store]: string[]) => store)).toEqual(['chrome', 'firefox', 'edge']);
  });

  it('may be sources of that version, too, and are refused where nothing matches', async () => {
    await author.shell.write('dist/owl-1.2.0-sources.zip', await zipOf({ 'package.json': '{}' }));
    await given({ package: 'new/*.zip', sources: 'dist/owl-{version}-sources.zip' });
    expect((await author.shell.run(['push', '--dry-run'])).code).toBe(0);
    for (const settings of [{ package: 'none/*.zip' }, { package: 'new/*.zip', sources: 'src-{version}.zip' }]) {
      await given(settings);
      expect(await author.shell.run(['push', '--dry-run'])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/✗ Nothing matches \S+(none\/\*|src-\{version\})\.zip\./),
      });
    }
  });

  it('may be an app, for the App Store alone', async () => {
    await author.shell.write('Owl.pkg', pkgOf({ version: '1.2.0', build: '27' }));
    await author.shell.write('Owl.ipa', await ipaOf({ version: '1.2', build: '27' }));
    expect(await author.shell.run(['push', 'Owl.pkg', '--store', 'chrome'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /Owl\.pkg is an app, which only Safari takes\. Nothing was pushed\..*--store safari/s,
      ),
    });
    const pushed = async (name: string) => (await author.shell.json(['push', name])).pushed[0].artifact;
    const macos = { store: 'safari', platform: 'macos', buildNumber: '27', version: '1.2.0', storeVersion: '1.2.0' };
    expect(await pushed('Owl.pkg')).toMatchObject(macos);
    expect(await pushed('Owl.ipa')).toMatchObject({ ...macos, platform: 'ios', storeVersion: '1.2' });
    await author.shell.write('Broken.pkg', 'xar!');
    expect(await author.shell.run(['push', 'Broken.pkg'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('truncated or damaged'),
    });
  });

  it('need not be there for stores to which the push does not go', async () => {
    await given({ package: { chrome: 'new/*.zip', firefox: 'none/*.zip' } });
    expect((await author.shell.run(['push', '--dry-run', '--store', 'chrome'])).code).toBe(0);
    expect(await author.shell.run(['push', '--dry-run'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nothing matches'),
    });
  });

  it('may be sent as they are by `api`', async () => {
    const zip = await author.pack('1.2.6', {}, 'raw.zip');
    const path = `/artifacts?extension=${author.extensionId}&version=1.2.6`;
    const sent = await author.shell.json(['api', 'POST', path, '--input', zip, '--content-type', 'application/zip']);
    expect(sent).toMatchObject({ artifact: { version: '1.2.6' } });
  });

  it('are found in a folder for each browser', async () => {
    for (const browser of ['chromium', 'firefox'])
      await author.shell.write(`dist/${browser}/manifest.json`, JSON.stringify(manifestOf('1.3.0', { name: browser })));
    await given({});
    const [chrome, firefox, edge] = await planned();
    expect([chrome[1], edge[2], firefox[2] === chrome[2]]).toEqual(['1.3.0', chrome[2], false]);
  });
});
