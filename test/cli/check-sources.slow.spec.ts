import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shell } from './shell.js';

const BUILD = { commands: ['mkdir dist', 'cp src/* dist/'], output: 'dist' };

describe('pierhead check-sources', () => {
  let shell: Shell;
  beforeEach(async () => {
    shell = await Shell.open();
    await shell.write('src/manifest.json', '{"manifest_version":3,"name":"Counter","version":"1.0"}');
    await shell.write('src/main.js', 'count();');
    await shell.write('dist/manifest.json', await shell.read('src/manifest.json'));
    await shell.write('dist/main.js', 'count();');
  });
  afterEach(() => shell.close());

  it('ends with 0 when the sources build the package', async () => {
    await shell.write('pierhead.json', JSON.stringify({ sources: '.', build: BUILD }));
    const { code, stdout, stderr } = await shell.run(['check-sources']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `The sources build ${shell.folder}/dist exactly.\n` });
    expect(stderr).toContain('$ cp src/* dist/\n');
  });

  it('ends with 1 and names each file that differs', async () => {
    await shell.write('pierhead.json', JSON.stringify({ build: BUILD }));
    await shell.write('dist/main.js', 'steal();');
    await shell.write('dist/more.js', '');
    expect(await shell.run(['check-sources', '--sources', '.'])).toMatchObject({
      code: 1,
      stdout: `The sources build something else than ${shell.folder}/dist: 2 files differ.\n  ≠ main.js  changed\n  − more.js  missing\n`,
    });
    const { stdout } = await shell.run(['check-sources', '--sources', '.', '--json', '--quiet']);
    expect(JSON.parse(stdout)).toMatchObject({
      differences: [
        { path: 'main.js', how: 'changed' },
        { path: 'more.js', how: 'missing' },
      ],
    });
  });

  it.each<[string, object, number, RegExp]>([
    ['how to build', {}, 2, /pierhead\.json does not say how the sources build the package/],
    ['where the sources are', { build: BUILD }, 2, /There are no sources to build/],
    ['a command that works', { sources: '.', build: { ...BUILD, commands: ['exit 7'] } }, 1, /"exit 7" ended with 7/],
  ])('says what is missing: %s', async (_case, settings, code, message) => {
    await shell.write('pierhead.json', JSON.stringify(settings));
    expect(await shell.run(['check-sources'])).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });

  it('ignores what web-ext ignores', async () => {
    await shell.write('pierhead.json', JSON.stringify({ sources: '.', build: BUILD }));
    await shell.write('dist/main.js.map', '{}');
    await shell.write('web-ext-config.mjs', "export default { ignoreFiles: ['**/*.map'] };");
    expect(await shell.run(['check-sources'])).toMatchObject({ code: 0 });
  });
});
