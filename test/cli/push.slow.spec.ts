import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { manifestOf, zipOf } from '../support/packages.js';
import { authorAt, whileWorking, type Author } from './author.js';
import { Shell } from './shell.js';

interface Pushed {
  readonly artifact: { readonly store: string | null; readonly manifest: { readonly name: string } | null };
}

const ALL = ['chrome', 'firefox', 'edge', 'safari'] as const;

const FAULTS = [
  { kind: 'status', status: 500 },
  { kind: 'drop-before' },
  { kind: 'status-after', status: 503 },
  { kind: 'drop-after' },
] as const;
/** How many answers are good before each that is not: a fifth is faulty, without a beat that the calls of one release could fall into. */
const GOOD_BETWEEN = [1, 7, 3, 6, 3];

/** Makes a fifth of a store's answers fail, in one way or another. */
async function disturb(world: World, store: (typeof ALL)[number]): Promise<void> {
  let skip = 0;
  for (let at = 0; at < 25; at += 1) {
    skip += GOOD_BETWEEN[at % GOOD_BETWEEN.length] ?? 0;
    await world.control.fault({ store, times: 1, skip, ...(FAULTS[at % FAULTS.length] ?? FAULTS[0]) });
  }
}

describe('pierhead push', () => {
  let world: World;
  let author: Author;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await author.shell.close();
    await world.control.clearFaults();
  });

  const pushed = (...args: readonly string[]) => whileWorking(world, author.shell.start(['push', ...args]));

  it('--wait live ends with 0 when every store serves the version, although a fifth of their answers fail', async () => {
    author = await authorAt(world, ALL);
    await author.testStore('safari').deliver('1.0.0');
    for (const store of ALL) await disturb(world, store);
    const { code, stdout, stderr } = await pushed(await author.pack('1.0.0'), '--wait', 'live', '--timeout', '5m');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^ {2}Chrome {3}● 1\.0\.0 live .*\n {2}Firefox {2}● 1\.0\.0 live .*\n {2}Edge {5}● 1\.0\.0 live .*\n {2}Safari {3}● 1\.0\.0 live .*\n$/,
      ),
    });
    expect(stderr).toMatch(/^Chrome: .+\n/m);
    await world.control.clearFaults();
    for (const testStore of author.testStores) {
      expect((await testStore.served()).map(({ version }) => version)).toEqual(['1.0.0']);
      expect((await testStore.done()).submissions).toBe(1);
    }
    expect(author.shell.said).not.toContain(author.token);
  });

  it('twice makes one version, and says so', async () => {
    author = await authorAt(world, ['chrome']);
    const file = await author.pack('1.0.0');
    expect(await pushed(file, '--wait', 'live')).toMatchObject({ code: 0 });
    const again = await pushed(file, '--wait', 'live');
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('The same content was pushed before') });
    expect(await author.testStore('chrome').done()).toEqual({ uploads: 1, submissions: 1 });
    const { body } = await world.api.as(author).get(`/artifacts?extension=${author.extensionId}`);
    expect(body.artifacts).toHaveLength(1);
  });

  it('ends with 3 and the words of the store that rejects the version', async () => {
    author = await authorAt(world, ['chrome', 'firefox']);
    await author.testStore('chrome').review(null);
    const running = author.shell.start(['push', await author.pack('1.0.0'), '--wait', 'live']);
    const ended = whileWorking(world, running);
    await running.says(/^Chrome: in review/m);
    await world.control.act(author.testStore('chrome').settings.storeItemId, 'reject');
    const { code, stdout } = await ended;
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^ {2}Chrome {3}✗ 1\.0\.0 rejected {2}.*reject/im)]);
  });

  it('ends with 5 when a person is needed and all others are done', async () => {
    author = await authorAt(world, ['chrome', 'firefox']);
    const targetId = await world.given.targetOf(author, author.extensionId, 'chrome');
    const target = `/extensions/${author.extensionId}/targets/${targetId}`;
    expectStatus(await world.api.as(author).patch(target, { release: 'manual' }), 200);
    const { code, stdout, stderr } = await pushed(await author.pack('1.0.0'), '--wait', 'live');
    expect([code, stdout]).toEqual([
      5,
      expect.stringMatching(/Chrome {3}! 1\.0\.0 approved .*\n {2}Firefox {2}● 1\.0\.0 live /),
    ]);
    expect(stderr).toContain('Chrome has approved the version. Publish it with: pierhead release chrome\n');
  });

  it.each([
    ['submitted', 'in_review'],
    ['approved', 'live'],
  ])('--wait %s ends when that is reached', async (state, phase) => {
    author = await authorAt(world, ['chrome']);
    if (state === 'submitted') await author.testStore('chrome').review(null);
    const { code, stdout } = await pushed(await author.pack('1.0.0'), '--wait', state, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      extension: { id: author.extensionId, name: 'Night Owl' },
      pushed: [{ artifact: { version: '1.0.0', store: null }, deduplicated: false, warning: null }],
      targets: [{ store: 'chrome', status: { phase } }],
      outcome: state,
    });
  });

  it('ends with 124 when it has waited long enough', async () => {
    author = await authorAt(world, ['chrome']);
    await author.testStore('chrome').review(null);
    const { code, stdout, stderr } = await pushed(await author.pack('1.0.0'), '--wait', 'live', '--timeout', '2s');
    expect([code, stdout]).toEqual([124, expect.stringContaining('in review')]);
    expect(stderr).toContain('The service continues; resume with: pierhead watch');
  });

  it('ends with 130 at Ctrl-C, and the service goes on', async () => {
    author = await authorAt(world, ['chrome']);
    const running = author.shell.start(['push', await author.pack('1.0.0'), '--wait', 'live']);
    await running.says(/^Chrome: /m);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringMatching(/✗ Interrupted\. The service continues\.\n {2}Resume with: pierhead watch\n$/),
    });
    while ((await author.testStore('chrome').done()).submissions === 0) {
      await world.tick();
      await world.forward(60_000);
    }
    expect(await author.testStore('chrome').served()).toMatchObject([{ version: '1.0.0' }]);
  });

  it('ends with 1 when the service is lost, and says what was last known', async () => {
    // Of its own, which ends when it is closed.
    const lost = await startWorld({ env: {} });
    author = await authorAt(lost, ['chrome']);
    const running = author.shell.start(['push', await author.pack('1.0.0'), '--wait', 'live'], {
      env: { PIERHEAD_PATIENCE: '2s' },
    });
    await running.says(/^Chrome: /m);
    await lost.close();
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /Waiting for http:.+: it .+\nChrome: waiting\. .* \(last known\)\n✗ http:.+ cannot be reached: it refuses the connection\.\n/,
      ),
    ]);
  });

  it('without --wait ends at once, and names what follows', async () => {
    author = await authorAt(world, ['chrome']);
    expect(await author.shell.run(['push', await author.pack('1.0.0')])).toMatchObject({
      code: 0,
      stdout: 'Pushed Night Owl 1.0.0. Follow it with: pierhead watch\n',
    });
  });

  it('--dry-run says what would be pushed, and sends nothing', async () => {
    author = await authorAt(world, ['chrome', 'firefox']);
    const file = await author.pack('1.0.0');
    expect(await author.shell.run(['push', file, '--dry-run'])).toMatchObject({
      code: 0,
      stdout: 'Would push 1.0.0 for Chrome and Firefox.\n',
    });
    expect(await author.shell.json(['push', file, '--dry-run'])).toMatchObject({
      dryRun: true,
      packages: [{ stores: ['chrome', 'firefox'], version: '1.0.0', deduplicated: false, warnings: [] }],
    });
    const { body } = await world.api.as(author).get(`/artifacts?extension=${author.extensionId}`);
    expect(body.artifacts).toEqual([]);
  });

  it('shows how far the packing of a large folder is', async () => {
    author = await authorAt(world, ['chrome']);
    await author.shell.write('dist/manifest.json', JSON.stringify(manifestOf('1.0.0')));
    await author.shell.write('dist/background.js', '');
    await author.shell.write('dist/model.bin', randomBytes(6_000_000));
    const { code, stderr } = await author.shell.run(['push', 'dist', '--dry-run']);
    expect(code).toBe(0);
    const shares = [...stderr.matchAll(/^Packing the package, 6\.0 MB: (\d+) %$/gm)].map(([, share]) => Number(share));
    expect(shares.at(-1)).toBe(100);
    expect(shares).toEqual([...new Set(shares)].toSorted((one, other) => one - other));
    const quiet = await author.shell.run(['push', 'dist', '--dry-run', '--quiet']);
    expect(quiet.stderr).not.toContain('Packing');
  });

  it('sends a folder, its notes and its sources as pierhead.json says', async () => {
    author = await authorAt(world, ['firefox']);
    const { shell } = author;
    await author.pack('1.0.0');
    await shell.write(
      'dist/manifest.json',
      JSON.stringify({ manifest_version: 3, name: 'Night Owl', version: '1.0.0' }),
    );
    await shell.write('CHANGES.txt', 'Faster.\n');
    await shell.write('src/index.ts', 'export {};');
    const settings = {
      extension: 'night owl',
      package: 'dist',
      sources: 'src',
      stores: ['firefox'],
      notesFile: 'CHANGES.txt',
    };
    await shell.write('pierhead.json', JSON.stringify(settings));
    const said = await shell.json(['push', '--no-lint']);
    expect(said).toMatchObject({ pushed: [{ artifact: { version: '1.0.0', store: 'firefox' } }], outcome: 'pushed' });
    const { artifact } = said.pushed[0];
    expect((await world.api.as(author).get(`/artifacts/${artifact.id}`)).body.sourceSha256).toMatch(/^[\da-f]{64}$/);
    expect((await world.api.as(author).get(`/extensions/${author.extensionId}/targets`)).body.targets).toContainEqual(
      expect.objectContaining({ store: 'firefox', paused: false }),
    );
  });

  it('sends each store its own package, as WXT builds them', async () => {
    author = await authorAt(world, ['chrome', 'firefox', 'edge']);
    await author.pack('1.0.0', {}, '.output/night-owl-1.0.0-chrome.zip');
    await author.pack('1.0.0', { name: 'Night Owl for Firefox' }, '.output/night-owl-1.0.0-firefox.zip');
    await author.shell.write('.output/night-owl-1.0.0-sources.zip', await zipOf({ 'package.json': '{}' }));
    const { pushed: parts } = await author.shell.json(['push']);
    expect(parts.map(({ artifact }: Pushed) => [artifact.store, artifact.manifest?.name])).toEqual([
      ['chrome', 'Night Owl'],
      ['firefox', 'Night Owl for Firefox'],
      ['edge', 'Night Owl'],
    ]);
  });

  it('says before anything is sent what the service would refuse', async () => {
    author = await authorAt(world, ['chrome']);
    expect(await pushed(await author.pack('1.1.0'), '--wait', 'live')).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await author.shell.run(['push', await author.pack('1.0.0')]);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringContaining('✗ Chrome Web Store already has version 1.1.0'),
    ]);
  });

  it('warns of wider access, and goes on where nobody can be asked', async () => {
    author = await authorAt(world, ['chrome']);
    expect(await pushed(await author.pack('1.0.0'), '--wait', 'live')).toMatchObject({ code: 0 });
    const { code, stderr } = await author.shell.run([
      'push',
      await author.pack('1.1.0', { permissions: ['storage', 'tabs'] }),
    ]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^⚠ .*tabs/m)]);
  });

  it('needs the scope artifacts:write alone, with the id of the extension', async () => {
    author = await authorAt(world, ['chrome']);
    const token = await world.given.token(author, ['artifacts:write']);
    const file = await author.pack('1.0.0');
    const shell = await Shell.for({ token }, world.url);
    await shell.write(
      file,
      await zipOf({ 'manifest.json': JSON.stringify({ manifest_version: 3, name: 'N', version: '1.0.0' }) }),
    );
    expect(await shell.run(['push', file, '-e', author.extensionId])).toMatchObject({ code: 0 });
    expect(await shell.run(['push', file, '-e', author.name])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('by its id'),
    });
    await shell.close();
  });

  it.each([
    [['nothing.zip'], 2, /There is no .*nothing\.zip/],
    [['1.0.0.zip', '--sources', 'nothing'], 2, /^✗ There is no .*nothing\.$/m],
    [['broken.zip'], 2, /is not a readable zip/],
    [['--timeout', 'soon'], 2, /"soon" is not a valid duration/],
    [['--wait', 'forever'], 2, /Allowed choices are submitted, approved, live/],
    [['--store', 'opera'], 2, /"opera" is not a known store/],
    [['--notes', 'a', '--notes-file', 'b'], 2, /not both/],
    [[], 1, /has nothing to publish/],
  ])('%j ends with %d', async (args, code, says) => {
    author = await authorAt(world, ['firefox']);
    await author.pack('1.0.0');
    await author.shell.write('broken.zip', 'PK');
    expect(await author.shell.run(['push', ...args])).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(says),
    });
  });
});
