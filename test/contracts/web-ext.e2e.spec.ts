import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FirefoxControl } from '../../sandbox/firefox/firefox-control.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { manifestOf, zipOf } from '../support/packages.js';
import { run, type Ended } from '../support/process.js';
import { createSandbox } from '../support/app.js';

const METADATA = { categories: ['other'], summary: { 'en-US': 'Sleeps by day.' }, version: { license: 'MPL-2.0' } };

describe('web-ext sign, an independent client,', () => {
  let folder: string;
  let sandbox: Sandbox;
  let control: FirefoxControl;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-web-ext-'));
    sandbox = await createSandbox();
    control = new FirefoxControl(sandbox.url);
  });
  afterAll(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** An extension in a folder of its own, with an account for it. */
  const extension = async (guid: string) => {
    const [source, artifacts, key] = [
      join(folder, guid, 'src'),
      join(folder, guid, 'out'),
      await control.firefoxAccount(),
    ];
    await mkdir(source, { recursive: true });
    const write = (version: string): Promise<void> => {
      const gecko = { gecko: { id: guid } };
      const manifest = manifestOf(version, { browser_specific_settings: gecko, background: { scripts: ['b.js'] } });
      return writeFile(join(source, 'manifest.json'), JSON.stringify(manifest));
    };
    await writeFile(join(source, 'b.js'), '');
    const sign = (channel: string, ...more: readonly string[]): Promise<Ended> => {
      const where = ['--source-dir', source, '--artifacts-dir', artifacts, '--amo-base-url', `${sandbox.url}/api/v5/`];
      const args = [
        ...where,
        '--api-key',
        key.issuer,
        '--channel',
        channel,
        '--no-config-discovery',
        '--no-input',
        ...more,
      ];
      return run(['test/node_modules/web-ext/bin/web-ext.js', 'sign', ...args], {
        WEB_EXT_API_SECRET: key.secret,
        HOME: folder,
        NO_UPDATE_NOTIFIER: '1',
      });
    };
    return { key, write, sign, artifacts, source };
  };

  it('signs an unlisted version, downloads it, and fails for a used number', async () => {
    const guid = '{0a3b2c1d-1111-4222-8333-0123456789ab}';
    const { key, write, sign, artifacts, source } = await extension(guid);
    await write('1.0.0');
    const signed = await sign('unlisted');
    expect(signed).toMatchObject({ code: 0, stdout: expect.stringContaining('Signed xpi downloaded') });
    const [xpi = ''] = await readdir(artifacts);
    expect((await readFile(join(artifacts, xpi))).toString('latin1', 0, 2)).toBe('PK');
    expect(await control.addonState(guid)).toMatchObject({
      authors: [key.issuer],
      versions: [{ version: '1.0.0', channel: 'unlisted', status: 'public' }],
      counters: { uploads: 1, versions: 1, refused: 0 },
    });
    const asked = await control.requests({ publisherId: key.issuer });
    expect(asked.map(({ operation }) => operation)).toEqual([
      'upload',
      'uploadStatus',
      'putAddon',
      'version',
      'download',
    ]);

    const again = await sign('unlisted');
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr + again.stdout).toContain('This upload has already been submitted.');
    await rm(join(source, '.amo-upload-uuid'));
    const anew = await sign('unlisted');
    expect(anew).toMatchObject({ code: 1 });
    expect(anew.stderr + anew.stdout).toMatch(/Conflict[\s\S]*Version 1\.0\.0 already exists\./);
    expect((await control.addonState(guid)).counters).toMatchObject({ uploads: 2, versions: 1 });
  }, 60_000);

  it('submits a listed version with its sources, and shows what the listing lacks', async () => {
    const guid = 'night-owl@example.com';
    const { write, sign, artifacts } = await extension(guid);
    await write('1.0.0');
    const lacking = await sign('listed', '--approval-timeout', '0');
    expect(lacking).toMatchObject({ code: 1 });
    expect(lacking.stderr + lacking.stdout).toContain(
      'Addon metadata is required to be set to create a listed version',
    );

    const [metadata, sources] = [join(folder, 'metadata.json'), join(folder, 'sources.zip')];
    await writeFile(metadata, JSON.stringify(METADATA));
    await writeFile(sources, await zipOf({ 'b.ts': 'export {};' }));
    const more = ['--approval-timeout', '0', '--amo-metadata', metadata, '--upload-source-code', sources];
    const submitted = await sign('listed', ...more);
    expect(submitted).toMatchObject({ code: 0, stdout: expect.stringContaining('Waiting for approval') });
    expect(await control.addonState(guid)).toMatchObject({
      status: 'nominated',
      versions: [{ version: '1.0.0', status: 'unreviewed', license: 'MPL-2.0', source: { name: 'sources.zip' } }],
    });
    expect(await readdir(artifacts)).toEqual([]);
    expect(await control.addonAct(guid, 'approve')).toMatchObject({ status: 'public', live: '1.0.0' });
  }, 60_000);

  it('shows the errors of the validation', async () => {
    const { write, sign } = await extension('no-version@example.com');
    await write('1.0.0');
    await write('99999999999.0');
    const refused = await sign('unlisted');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr + refused.stdout).toMatch(/Validation failed[\s\S]*version string/);
  }, 60_000);
});
