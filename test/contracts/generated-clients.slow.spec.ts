import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pusher, sha256Of } from '../artifacts/pusher.js';
import { startWorld, type World } from '../support/app.js';
import { packageOf } from '../support/packages.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = join(ROOT, 'test/node_modules');
const OPENAPI = join(ROOT, 'openapi.json');
const TIMEOUT_MS = 120_000;

const execute = promisify(execFile);

/** As strict as a user's project may be. */
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: [],
    outDir: 'compiled',
  },
};

/** Each pushes a version, and reads what may be null: the manifest, an object, and a text. */
const GENERATORS = [
  {
    name: 'oazapfts',
    generate: [join(MODULES, 'oazapfts/dist/cli.js'), OPENAPI, 'client/index.ts'],
    program: `
      import { artifactsControllerPush, brandingControllerGet, defaults } from './client/index.js';
      export async function use(baseUrl: string, token: string, extension: string, file: Blob) {
        Object.assign(defaults, { baseUrl, headers: { authorization: \`Bearer \${token}\` } });
        const pushed = await artifactsControllerPush(extension, '1.0', { file, notes: 'Counts tabs.' });
        const branding = await brandingControllerGet();
        if (pushed.status !== 201 || branding.status !== 200) throw new Error(JSON.stringify([pushed, branding]));
        const { version, notes, sha256, manifest } = pushed.data.artifact;
        const name: string | undefined = manifest?.name;
        const logo: string | null = branding.data.logo === null ? null : branding.data.logo.url;
        return { version, notes, sha256, name, logo };
      }`,
  },
  {
    name: '@hey-api/openapi-ts',
    generate: [join(MODULES, '@hey-api/openapi-ts/bin/run.js'), '-i', OPENAPI, '-o', 'client', '--no-log-file', '-s'],
    program: `
      import { client } from './client/client.gen.js';
      import { artifactsControllerPush, brandingControllerGet } from './client/index.js';
      export async function use(baseUrl: string, auth: string, extension: string, file: Blob) {
        client.setConfig({ baseUrl, auth });
        const body = { file, notes: 'Counts tabs.' };
        const pushed = await artifactsControllerPush({ query: { extension, version: '1.0' }, body });
        const branding = await brandingControllerGet();
        if (pushed.data === undefined || branding.data === undefined) throw new Error(JSON.stringify([pushed, branding]));
        const { version, notes, sha256, manifest } = pushed.data.artifact;
        const name: string | undefined = manifest?.name;
        const logo: string | null = branding.data.logo === null ? null : branding.data.logo.url;
        return { version, notes, sha256, name, logo };
      }`,
  },
];

const RUN = `
  import { openAsBlob } from 'node:fs';
  import { use } from './compiled/program.js';
  const [url, token, extension, zip] = process.argv.slice(1);
  process.stdout.write(JSON.stringify(await use(url, token, extension, await openAsBlob(zip))));`;

describe.each(GENERATORS)('the client that $name makes from openapi.json', ({ generate, program }) => {
  let world: World;
  let folder: string;
  beforeAll(async () => {
    world = await startWorld();
    folder = await mkdtemp(join(tmpdir(), 'pierhead-generated-'));
    await symlink(MODULES, join(folder, 'node_modules'));
    await mkdir(join(folder, 'client'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await writeFile(join(folder, 'program.ts'), program);
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs Node in the folder. */
  const node = async (...args: readonly string[]): Promise<string> => {
    const options = { cwd: folder, env: { PATH: process.env['PATH'] }, timeout: TIMEOUT_MS };
    const { stdout } = await execute(process.execPath, args, options);
    return stdout;
  };

  it('compiles under --strict, pushes a form, and reads what may be null', async () => {
    const pusher = await Pusher.in(world);
    const zip = await packageOf('1.0');
    await writeFile(join(folder, 'package.zip'), zip);

    await node(...generate);
    const compiled = node(join(MODULES, 'typescript/bin/tsc'), '-p', '.');
    expect(await compiled.catch((failure: { readonly stdout: string }) => failure.stdout)).toBe('');
    const used = await node(
      '--input-type=module',
      '--eval',
      RUN,
      world.url,
      pusher.mine.token,
      pusher.extension,
      'package.zip',
    );
    expect(JSON.parse(used)).toEqual({
      version: '1.0',
      notes: 'Counts tabs.',
      sha256: sha256Of(zip),
      name: 'Night Owl',
      logo: null,
    });
  });
});
