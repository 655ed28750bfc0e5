import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { HOUR, MINUTE, SECOND } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { addonAccount, AddonAuthor } from './addon-author.js';

const THROTTLED_MS = 3440 * SECOND;
const THROTTLE = { kind: 'status', status: 429, headers: { 'Retry-After': '3440' } } as const;

describe('a throttle of addons.mozilla.org', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const pass = async (ms: number, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await world.forward(ms);
      await world.tick();
    }
  };

  /** One account with two add-ons: of the first a version is pushed, of the second one waits for its review. */
  const twoAddons = async () => {
    const account = await addonAccount(world, await world.given.tenant());
    const pushed = await AddonAuthor.in(world, account, { live: '1.0.0' });
    const reviewed = await AddonAuthor.in(world, account, { live: '1.0.0' });
    await reviewed.push('1.1.0');
    await world.tick();
    await pass(10 * SECOND, 3);
    expect(await reviewed.status()).toMatchObject({ phase: 'in_review' });
    return { pushed, reviewed };
  };

  it('of new versions does not slow the account’s reads: an approval meanwhile is seen', async () => {
    const { pushed, reviewed } = await twoAddons();
    await pushed.push('1.1.0');
    await pushed.fault('createVersion', THROTTLE);
    await world.tick();
    await pass(10 * SECOND, 3);
    const until = new Date(world.clock.now().getTime() + THROTTLED_MS);
    const { phase, message, nextCheckAt } = await pushed.status();
    const named = /^Firefox Add-ons accepts no changes with this credential before (\S+): Request was throttled/;
    expect({ phase, message }).toEqual({ phase: 'queued', message: expect.stringMatching(named) });
    const [, told = ''] = named.exec(message) ?? [];
    expect(until.getTime() - Date.parse(told)).toBeLessThan(MINUTE);
    expect(Date.parse(nextCheckAt ?? '') - world.clock.now().getTime()).toBeLessThan(12 * MINUTE);

    await reviewed.control.addonAct(reviewed.guid, 'approve');
    await pass(12 * MINUTE, 1);
    expect(await reviewed.status()).toMatchObject({ phase: 'live', liveVersion: '1.1.0' });

    const wait = {
      step: 'wait',
      because: expect.stringContaining(`accepts no changes with this credential before ${told}`),
    };
    expect(await pushed.reconcile()).toMatchObject({ phase: 'queued', steps: [{ ...wait, outcome: 'none' }] });
    expect(await pushed.plan()).toMatchObject({ phase: 'queued', ...wait });
    expect(await pushed.status()).toMatchObject({ failures: 0, message: wait.because });
    expect(await pushed.counters()).toMatchObject({ uploads: 1, versions: 0 });

    await pass(10 * MINUTE, 6);
    expect(await pushed.status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.1.0' });
    expect(await pushed.counters()).toMatchObject({ uploads: 1, versions: 1 });
  });

  it('of uploads does not hold back versions that are uploaded already, nor other accounts', async () => {
    const account = await addonAccount(world, await world.given.tenant());
    const uploaded = await AddonAuthor.in(world, account, { live: '1.0.0' });
    const pushed = await AddonAuthor.in(world, account, { live: '1.0.0' });
    const stranger = await AddonAuthor.in(world, await addonAccount(world, await world.given.tenant()));
    await uploaded.push('1.1.0');
    await uploaded.reconcile();
    expect(await uploaded.status()).toMatchObject({ phase: 'validating' });
    await pushed.fault('upload', THROTTLE);
    await pushed.push('1.1.0');
    expect(await pushed.reconcile()).toMatchObject({
      phase: 'queued',
      steps: [{ step: 'upload', outcome: 'failed' }],
      message: expect.stringMatching(/^Firefox Add-ons accepts no uploads with this credential before 2/),
    });
    await stranger.push('1.0.0');
    await pass(10 * SECOND, 3);
    for (const free of [uploaded, stranger]) expect(await free.status()).toMatchObject({ phase: 'in_review' });
    expect(await pushed.status()).toMatchObject({ phase: 'queued' });
    expect(await pushed.reconcile()).toMatchObject({
      steps: [{ step: 'wait', because: expect.stringMatching(/accepts no uploads with this credential before 2/) }],
    });
    await pass(HOUR, 1);
    await pass(10 * SECOND, 3);
    expect(await pushed.status()).toMatchObject({ phase: 'in_review' });
  });

  it('that AMO begins at the fourth version in a minute ends when AMO lifts it', async () => {
    const account = await addonAccount(world, await world.given.tenant());
    const authors = await Promise.all([1, 2, 3, 4].map(() => AddonAuthor.in(world, account)));
    for (const author of authors) await author.push('1.0.0');
    await world.tick();
    await pass(5 * SECOND, 4);
    const phases = async () => (await Promise.all(authors.map((author) => author.status()))).map(({ phase }) => phase);
    expect((await phases()).toSorted()).toEqual(['in_review', 'in_review', 'in_review', 'queued']);
    await pass(MINUTE, 2);
    expect(await phases()).toEqual(Array.from(authors, () => 'in_review'));
  });

  it('ends when the credential is rotated', async () => {
    const account = await addonAccount(world, await world.given.tenant());
    const author = await AddonAuthor.in(world, account);
    await author.fault('upload', THROTTLE);
    await author.push('1.0.0');
    expect(await author.reconcile()).toMatchObject({ phase: 'queued' });
    const credentials = await author.control.rotateKey(account.issuer);
    const path = `/credentials/${account.credentialId}`;
    expectStatus(await world.api.as(account.tenant).patch(path, { credentials }), 200);
    expect(await author.reconcile()).toMatchObject({ steps: [{ step: 'upload', outcome: 'pending' }] });
  });
});
