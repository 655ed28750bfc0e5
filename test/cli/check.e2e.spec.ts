import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CASES, packed } from '../artifacts/field-packages.js';
import { manifestOf, zipOf } from '../support/packages.js';
import { Shell } from './shell.js';

interface Finding {
  readonly store: string;
  readonly code: string;
  readonly severity: string;
  readonly message: string;
}

const KEYED = manifestOf('1.0.0', { key: 'MIIB' });

describe('a check without a service', () => {
  let shell: Shell;
  beforeEach(async () => {
    shell = await Shell.open();
  });
  afterEach(() => shell.close());

  const check = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await shell.run(['check', ...args, '--json']);
    expect(stderr).not.toContain('✗');
    return { code, ...(JSON.parse(stdout) as { readonly ok: boolean; readonly findings: readonly Finding[] }) };
  };

  it.each(CASES.map((field) => [field.name, field] as const))(
    'says what the push of a package is warned about: %s',
    async (_name, field) => {
      await shell.write('owl.zip', await packed(field));
      const { warning = '', stores, channel } = field;
      const { code, ok, findings } = await check(
        'owl.zip',
        '--store',
        ...stores.map((one) => (channel === undefined ? one : `${one}:${channel}`)),
      );
      const isRefused = /refuses? this package/.test(warning);
      expect([code, ok]).toEqual([isRefused ? 1 : 0, !isRefused]);
      expect(findings.length === 0).toBe(warning === '');
      for (const { message } of findings) expect(warning).toContain(message.slice(1));
    },
  );

  it('takes what the build made, for all stores, and shows each store with the place and the source', async () => {
    await shell.write('dist/manifest.json', JSON.stringify(KEYED));
    await shell.write('dist/background.js', '');
    const { code, stdout } = await shell.run(['check']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Chrome:\n {2}warning {2}The manifest has the key "key", .+\n {4}manifest\.json: key {2}https:/m,
    );
    expect(stdout).toMatch(/^Firefox refuses this package:\n {2}refused {2}.*gecko\.id/m);
    expect(stdout).toMatch(
      /^Edge refuses this package:\n {2}refused {2}The manifest has the key "key"\. Remove it\.\n/m,
    );
  });

  it('takes the stores for which pierhead.json names packages, and those of --store', async () => {
    await shell.write('owl.zip', await zipOf({ 'manifest.json': JSON.stringify(KEYED), 'background.js': '' }));
    await shell.write('pierhead.json', JSON.stringify({ package: { chrome: 'owl.zip' } }));
    expect(await check()).toMatchObject({ code: 0, ok: true, findings: [{ store: 'chrome', severity: 'warning' }] });
    expect(await check('--store', 'edge')).toMatchObject({ code: 1, ok: false, findings: [{ store: 'edge' }] });
    expect(await shell.run(['check', '--store', 'firefox'])).toMatchObject({
      code: 1,
      stderr: '✗ The build has no package for Firefox.\n',
    });
    expect(await shell.run(['check', 'owl.zip', '--store', 'edge:unlisted'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: '✗ Edge has no channel "unlisted".\n',
    });
    expect(await shell.run(['check', 'owl.zip', '--store', 'firefox:beta'])).toMatchObject({
      code: 2,
      stderr: '✗ Firefox has no channel "beta".\n  Its channels are listed and unlisted.\n',
    });
    expect(await shell.run(['check', '--store', 'safari'])).toMatchObject({ code: 2, stdout: '' });
  });

  it("adds the errors of Mozilla's linter, where the project has it", async () => {
    const gecko = { id: 'owl@night.example', data_collection_permissions: { required: ['none'] } };
    const own = { browser_specific_settings: { gecko }, omnibox: {} };
    await shell.write('dist/manifest.json', JSON.stringify(manifestOf('1.0.0', own)));
    await shell.write('dist/background.js', '');
    const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
    await symlink(modules, join(shell.folder, 'node_modules'));
    const linted = await check('--store', 'firefox');
    expect(linted).toMatchObject({ code: 1, ok: false });
    expect(linted.findings).toContainEqual(
      expect.objectContaining({ id: null, store: 'firefox', severity: 'refused', file: 'manifest.json' }),
    );
    expect(await check('--store', 'firefox', '--no-lint')).toMatchObject({ code: 0, findings: [] });
  });

  it('says why a zip cannot be judged', async () => {
    const whole = await zipOf({ 'manifest.json': JSON.stringify(KEYED), 'background.js': 'void 0;'.repeat(50) });
    const at = whole.indexOf('background.js') + 'background.js'.length;
    whole.fill(0xff, at, at + 4);
    await shell.write('owl.zip', whole);
    expect(await shell.run(['check', 'owl.zip', '--json'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/✗ The entry "background\.js" is damaged/),
    });
  });
});
