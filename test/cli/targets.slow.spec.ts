import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { authorAt, whileWorking, type Author } from './author.js';

interface Change {
  readonly store: string;
  readonly phase: string;
  readonly version: string;
}

describe('pierhead', () => {
  let world: World;
  let author: Author;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  afterEach(() => author.shell.close());

  const working = (...args: readonly string[]) => whileWorking(world, author.shell.start(args));
  const published = async (version: string) =>
    expect(await working('push', await author.pack(version), '--wait', 'live')).toMatchObject({ code: 0 });
  const itemOf = (): string => author.testStore('chrome').settings.storeItemId;
  const settings = async (change: object) => {
    const targetId = await world.given.targetOf(author, author.extensionId, 'chrome');
    await world.api.as(author).patch(`/extensions/${author.extensionId}/targets/${targetId}`, change);
  };

  it('next shows the next step at each store, and why, and so does its former name', async () => {
    author = await authorAt(world, ['chrome', 'firefox']);
    await author.shell.run(['push', await author.pack('1.0.0')]);
    const { code, stdout } = await author.shell.run(['next']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^ {2}Chrome +upload {2}.+\n {2}Firefox +upload {2}.+\n$/),
    ]);
    expect(await author.shell.run(['plan'])).toMatchObject({ code, stdout });
    expect(await author.shell.json(['plan', 'night owl'])).toMatchObject({
      extension: { name: 'Night Owl' },
      targets: expect.arrayContaining([expect.objectContaining({ store: 'chrome', step: 'upload' })]),
    });
  });

  it('watch tells each change as a line of JSON, and ends when all is live', async () => {
    author = await authorAt(world, ['chrome', 'edge']);
    await author.shell.run(['push', await author.pack('1.0.0')]);
    const watching = author.shell.start(['watch', '--json']);
    await watching.says(/"store":"edge"/);
    const { code, stdout } = await whileWorking(world, watching);
    const changes = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Change);
    expect(code).toBe(0);
    for (const store of ['chrome', 'edge']) {
      const ofStore = changes.filter((change) => change.store === store);
      expect(ofStore[0]).toMatchObject({ version: '1.0.0', liveVersion: null });
      expect(ofStore.at(-1)).toMatchObject({
        phase: 'live',
        version: '1.0.0',
        liveVersion: '1.0.0',
        verdict: 'reached',
      });
    }
  });

  it('watch ends with 3 at a rejection, with 5 where a person is needed, and at once where nothing is pushed', async () => {
    author = await authorAt(world, ['chrome']);
    expect(await author.shell.run(['watch'])).toMatchObject({
      code: 0,
      stderr: 'No version of Night Owl is pushed there.\n',
    });
    await author.testStore('chrome').review(null);
    expect(await working('push', await author.pack('1.0.0'), '--wait', 'submitted')).toMatchObject({ code: 0 });
    const watching = author.shell.start(['watch']);
    const ended = whileWorking(world, watching);
    await watching.says(/^Chrome: in review/m);
    await world.control.act(itemOf(), 'reject');
    expect(await ended).toMatchObject({ code: 3, stdout: expect.stringMatching(/^ {2}Chrome {2}✗ 1\.0\.0 rejected/) });
    expect(await author.shell.run(['pause'])).toMatchObject({ code: 0 });
    await author.shell.run(['push', await author.pack('1.0.1')]);
    expect(await author.shell.run(['watch', 'chrome'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Chrome is paused. Resume it with: pierhead resume chrome\n'),
    });
  });

  it('release publishes what waits for it', async () => {
    author = await authorAt(world, ['chrome']);
    expect(await author.shell.run(['release'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No approved version is waiting for you.'),
    });
    await settings({ release: 'manual' });
    expect(await working('push', await author.pack('1.0.0'), '--wait', 'live')).toMatchObject({ code: 5 });
    expect(await author.shell.run(['release'])).toMatchObject({ code: 0, stdout: 'Chrome will publish 1.0.0.\n' });
    expect(await working('watch')).toMatchObject({ code: 0 });
    expect(await author.testStore('chrome').served()).toMatchObject([{ version: '1.0.0' }]);
  });

  it('pause and resume change every store, or those that are named', async () => {
    author = await authorAt(world, ['chrome', 'firefox']);
    expect(await author.shell.run(['pause'])).toMatchObject({
      code: 0,
      stdout: 'Chrome is paused.\nFirefox is paused.\n',
    });
    expect(await author.shell.run(['resume', 'AMO'])).toMatchObject({ code: 0, stdout: 'Firefox is resumed.\n' });
    const { items } = await author.shell.json(['status']);
    expect(items[0].targets).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ store: 'chrome', paused: true }),
        expect.objectContaining({ store: 'firefox', paused: false }),
      ]),
    );
    expect((await author.shell.run(['status'])).stdout).toContain('– nothing pushed, paused');
  });

  it('rollout sets the share of users, which the store then has', async () => {
    author = await authorAt(world, ['chrome']);
    await world.control.patch(itemOf(), { weeklyUsers: 50_000 });
    expect(await author.shell.run(['rollout', 'chrome', '10%'])).toMatchObject({
      code: 0,
      stdout: 'Chrome offers versions to 10 % of the users.\n',
    });
    expect(await author.shell.run(['rollout', 'chrome', '10'])).toMatchObject({ code: 0 });
    await published('1.0.0');
    expect((await author.shell.run(['status'])).stdout).toContain('1.0.0 live for 10 %');
    expect(await author.shell.json(['rollout', 'chrome', '100'])).toMatchObject({
      store: 'chrome',
      rolloutPercent: 100,
    });
    expect((await author.shell.run(['rollout', 'chrome', '20'])).stdout).toBe(
      'Chrome offers 1.0.0 to 20 % of the users, as soon as Pierhead has asked for it, instead of to 10 %.\n',
    );
    expect((await author.shell.run(['rollout', 'chrome', '5'])).stdout).toBe(
      'Chrome: 1.0.0 is offered to 10 % of the users; the next version starts at 5 %.\n',
    );
    for (const percent of ['0', '101', 'half'])
      expect(await author.shell.run(['rollout', 'chrome', percent])).toMatchObject({ code: 2 });
  });

  it('rollback brings a version back under a new number', async () => {
    author = await authorAt(world, ['chrome']);
    await published('1.0.0');
    await published('1.1.0');
    const rollback = ['rollback', 'chrome', '--to', '1.0.0', '--reason', 'It miscounts.'];
    expect(await author.shell.run(rollback)).toMatchObject({ code: 2, stderr: expect.stringContaining('Use --yes.') });
    expect(await author.shell.run([...rollback, '--yes'])).toMatchObject({
      code: 0,
      stdout: 'Chrome will serve 1.0.0 again, as 1.1.1. Follow it with: pierhead watch\n',
    });
    expect(await working('watch')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ {2}Chrome {2}● 1\.1\.1 live/),
    });
    expect(await author.shell.run([...rollback, '--as', '1.2.0', '--yes', '--store', 'x'])).toMatchObject({ code: 2 });
    expect(await author.shell.run(['rollback', 'chrome', '--to', '9.0.0', '--reason', 'x', '--yes'])).toMatchObject({
      code: 1,
    });
  });

  it.each([
    [['pause', 'opera'], 2, /"opera" is not a known store.*\n.*chrome, firefox, edge and safari/],
    [['pause', 'firefox:beta'], 1, /no target "firefox:beta"/],
    [['release', '-e', 'Other'], 1, /You have no extension "Other"/],
    [['rollback', 'chrome'], 2, /Required option/],
    [['watch', '--timeout', 'soon'], 2, /not a valid duration/],
  ])('%j ends with %d', async (args, code, says) => {
    author = await authorAt(world, []);
    expect(await author.shell.run(args)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
  });

  it('with several extensions wants one to be named', async () => {
    author = await authorAt(world, ['chrome']);
    await world.given.extension(author, 'Tab Counter');
    expect(await author.shell.run(['next'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/several extensions.*\n.*Tab Counter, Night Owl\./),
    });
    await author.shell.write('pierhead.json', '{"extension":"Night Owl"}');
    expect(await author.shell.run(['next'])).toMatchObject({ code: 0 });
  });
});
