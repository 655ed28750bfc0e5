import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { packageOf, zipOf, manifestOf } from '../support/packages.js';
import { Pusher } from './pusher.js';

const require = createRequire(import.meta.url);
const installed = createRequire(require.resolve('web-ext')).resolve('addons-linter/package.json');
const LINTER = join(dirname(installed), 'bin/addons-linter');
const GECKO = { id: 'owl@night.example', data_collection_permissions: { required: ['none'] } };
const FOR_FIREFOX = { browser_specific_settings: { gecko: GECKO }, background: { scripts: ['background.js'] } };

interface Found {
  readonly id: string;
  readonly code: string;
  readonly severity: string;
  readonly holds: boolean;
  readonly message: string;
}

describe('a service with addons-linter', () => {
  let world: World;
  let folder: string;
  let log: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pierhead-linter-'));
    log = join(folder, 'runs');
    const program = join(folder, 'addons-linter');
    // The real one, which first writes down what it was told.
    const report = `require('node:fs').appendFileSync(${JSON.stringify(log)}, JSON.stringify({ env: process.env, argv: process.execArgv }) + '\\n');`;
    const broken = `if (require('node:fs').existsSync(${JSON.stringify(`${log}.broken`)})) { console.log('out of order'); process.exit(1); }`;
    await writeFile(program, `${report}\n${broken}\nimport(${JSON.stringify(`file://${LINTER}`)});\n`);
    await chmod(program, 0o755);
    await writeFile(log, '');
    world = await startWorld({ env: { ADDONS_LINTER: program } });
  });
  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true });
  });

  const runs = async (): Promise<readonly { readonly env: object; readonly argv: readonly string[] }[]> =>
    (await readFile(log, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { env: object; argv: readonly string[] });
  const onFirefox = async (): Promise<Pusher> => {
    const pusher = await Pusher.in(world);
    const targetId = await world.given.targetOf(pusher.mine, pusher.extension, 'firefox');
    const path = `/extensions/${pusher.extension}/targets/${targetId}`;
    expectStatus(await world.api.as(pusher.mine).patch(path, { enabled: true }), 200);
    return pusher;
  };
  const refusedIn = (found: readonly Found[]): readonly Found[] =>
    found.filter(({ severity }) => severity === 'refused');

  it('refuses what it refuses and no rule knows, and keeps its secrets from it', async () => {
    const pusher = await onFirefox();
    const before = (await runs()).length;
    // A theme may have no scripts.
    const zip = await packageOf('1.0.0', { ...FOR_FIREFOX, theme: { colors: { frame: '#fff' } } });
    const { findings, artifact } = expectStatus(await pusher.push('1.0.0', zip), 201).body;
    expect(refusedIn(findings)).toMatchObject([
      {
        store: 'firefox',
        code: 'JSON_INVALID',
        holds: true,
        source: expect.stringMatching(/addons-linter/),
      },
    ]);
    const listed = expectStatus(await world.api.as(pusher.mine).get(`/artifacts/${artifact.id}/findings`), 200).body
      .items;
    expect(refusedIn(listed)).toEqual(refusedIn(findings));
    const own = (await runs()).slice(before);
    expect(own).toEqual([{ env: {}, argv: [expect.stringMatching(/^--max-old-space-size=\d+$/)] }]);
    const override = `/artifacts/${artifact.id}/findings/${refusedIn(findings)[0]?.id}/override`;
    expect(expectStatus(await world.api.as(pusher.mine).post(override), 200).body).toMatchObject({ holds: false });
  });

  it('says once what a rule has found too', async () => {
    const pusher = await onFirefox();
    const zip = await packageOf('1.0.0', { ...FOR_FIREFOX, icons: { 16: 'absent.png' } });
    const { findings } = expectStatus(await pusher.push('1.0.0', zip), 201).body;
    expect(refusedIn(findings).filter(({ id }) => id.startsWith('firefox-'))).toMatchObject([{ code: 'absent_file' }]);
  });

  it('is silent about a good package, and is not run where nothing goes to Firefox', async () => {
    const pusher = await onFirefox();
    const good = expectStatus(await pusher.push('1.0.0', await packageOf('1.0.0', FOR_FIREFOX)), 201).body;
    expect(refusedIn(good.findings)).toEqual([]);
    const before = await runs();
    expectStatus(await pusher.push('1.1.0', await packageOf('1.1.0'), { store: 'chrome' }), 201);
    const chrome = await Pusher.onChrome(world);
    expectStatus(await chrome.push('1.0.0', await packageOf('1.0.0')), 201);
    expect(await runs()).toEqual(before);
  });

  it('keeps no push waiting when it prints no report', async () => {
    const pusher = await onFirefox();
    await writeFile(`${log}.broken`, '');
    const zip = await zipOf({ 'manifest.json': JSON.stringify(manifestOf('1.0.0', FOR_FIREFOX)), 'background.js': '' });
    expectStatus(await pusher.push('1.0.0', zip), 201);
    await rm(`${log}.broken`);
  });
});
