import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { preparePackage } from './prepared.js';
import { checkSources, type Recipe } from './sources.js';

const FILES = { 'manifest.json': '{"manifest_version":3,"name":"Counter","version":"1.0"}', 'main.js': 'count();' };
const BUILD = [
  'mkdir -p dist',
  'cp src/manifest.json dist/',
  `node -e "fs.writeFileSync('dist/main.js', fs.readFileSync('src/main.ts', 'utf8').trim())"`,
];

describe('sources', () => {
  let root: string;
  let ran: string[];
  let printed: string;
  let onOutput: () => void;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'pierhead-test-'));
    ran = [];
    printed = '';
    onOutput = () => undefined;
    await write('package', FILES);
    await write('project', {
      'src/manifest.json': FILES['manifest.json'],
      'src/main.ts': `${FILES['main.js']}\n`,
      'dist/stale.js': 'from an earlier build',
      'node_modules/x/index.js': 'left out',
    });
  });
  afterEach(() => rm(root, { recursive: true }));

  const write = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, folder, name)), { recursive: true });
      await writeFile(join(root, folder, name), content);
    }
  };
  const check = (recipe: Partial<Recipe> = {}, signal = new AbortController().signal) =>
    checkSources(
      join(root, 'package'),
      { sources: join(root, 'project'), commands: BUILD, output: 'dist', ...recipe },
      {
        env: { ...process.env, PIERHEAD_TOKEN: 'secret' },
        signal,
        onCommand: (command) => ran.push(command),
        onOutput: (line) => {
          printed += `${line}\n`;
          onOutput();
        },
      },
    );

  it('that build the package do not differ from it', async () => {
    expect(await check()).toEqual([]);
    expect(ran).toEqual(BUILD);
  });

  it.each(['zip', 'tar.gz', 'tgz', 'tar.bz2'])('are unpacked from a %s', async (type) => {
    const archive = join(root, `sources.${type}`);
    if (type === 'zip') {
      const zip = await preparePackage(join(root, 'package'));
      execFileSync('cp', [zip.path, archive]);
      await zip.discard();
      expect(await check({ sources: archive, commands: ['mkdir out', 'cp *.js* out'], output: 'out' })).toEqual([]);
      return;
    }
    execFileSync('tar', ['-caf', archive, '-C', join(root, 'project'), 'src']);
    expect(await check({ sources: archive })).toEqual([]);
  });

  it('are compared with a zip that they build, too', async () => {
    const zip = await preparePackage(join(root, 'package'));
    expect(await check({ commands: [`cp '${zip.path}' built.zip`], output: 'built.zip' })).toEqual([]);
    await zip.discard();
  });

  it('that build something else differ file by file', async () => {
    await write('package', { 'only-in-package.js': '' });
    const commands = [...BUILD, 'echo changed >> dist/main.js', 'echo new > dist/new.js'];
    expect(await check({ commands })).toEqual([
      { path: 'main.js', how: 'changed' },
      { path: 'new.js', how: 'added' },
      { path: 'only-in-package.js', how: 'missing' },
    ]);
  });

  it('are built without what lies beside them, and without access to the service', async () => {
    await check({ commands: ['ls -A', 'echo token:$PIERHEAD_TOKEN.', 'mv src out'], output: 'out' });
    expect(printed).toBe('dist\nsrc\ntoken:.\n');
  });

  it.each<[string, Partial<Recipe>, string]>([
    [
      'when a command fails',
      { commands: ['exit 3', 'echo not run'] },
      '"exit 3" ended with 3 in the unpacked sources.',
    ],
    ['when what is built lies outside', { output: '../..' }, 'The output ../.. is not inside of the sources.'],
    ['when what is built is all', { output: '.' }, 'The output . is not inside of the sources.'],
    ['when nothing is built', { commands: ['true'] }, 'The commands made no dist.'],
  ])('cannot be compared %s', async (_case, recipe, message) => {
    await expect(check(recipe)).rejects.toThrow(message);
    expect(printed).toBe('');
  });

  it('leave nothing behind, also when they are broken off', async () => {
    const before = await readdir(tmpdir());
    const interruption = new AbortController();
    const broken = check({ commands: ['echo started; exec sleep 60'] }, interruption.signal);
    await new Promise<void>((begun) => (onOutput = begun));
    interruption.abort();
    await expect(broken).rejects.toThrow(/abort/i);
    const left = (await readdir(tmpdir())).filter((name) => name.startsWith('pierhead-sources-'));
    expect(left.filter((name) => !before.includes(name))).toEqual([]);
  });
});
