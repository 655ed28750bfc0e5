import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultOptions } from '../../sandbox/sandbox-control.js';
import type { StoreId } from '../../src/stores/index.js';
import { startWorld, type World, STORE_IDS } from '../support/app.js';
import { MINUTE, SECOND } from '../support/clock.js';
import type { Tenant } from '../support/given.js';
import { testStoreAt } from './test-stores.js';
import { Publisher } from './publisher.js';

type Fault = Omit<FaultOptions, 'match' | 'publisherId'>;

/** A host that never answers is given up after 15 seconds of real time. */
const UNANSWERED_TEST_MS = 40_000;
const MANY_VERSIONS_TEST_MS = 180_000;

interface Habits {
  /** The calls of one version's way, in the stand-in's names. */
  readonly calls: readonly string[];
  /** Those that change something at the store. */
  readonly writes: readonly string[];
  /** By which it is looked at while it is in review. */
  readonly look: string;
  /** An error in the store's own words, which nobody would look for in a 200. */
  readonly error: object;
  /** A version in review, in a word that no document of the store knows. */
  unheardOf(version: string): object;
}

const STORES: Readonly<Record<StoreId, Habits>> = {
  chrome: {
    calls: ['token', 'fetchStatus', 'upload', 'publish'],
    writes: ['upload', 'publish'],
    look: 'fetchStatus',
    error: { error: { code: 503, status: 'UNAVAILABLE', message: 'Backend is away.' } },
    unheardOf: (version) => ({
      name: 'publishers/any/items/any',
      itemId: 'any',
      submittedItemRevisionStatus: { state: 'BEING_PONDERED', distributionChannels: [{ crxVersion: version }] },
    }),
  },
  firefox: {
    calls: ['addon', 'versions', 'version', 'upload', 'uploadStatus', 'createVersion'],
    writes: ['upload', 'createVersion'],
    look: 'versions',
    error: { detail: 'Backend is away.' },
    unheardOf: (version) => ({
      page_count: 1,
      next: null,
      results: [{ id: 1, version, channel: 'listed', file: { status: 'being-pondered' } }],
    }),
  },
  edge: {
    calls: ['upload', 'uploadStatus', 'publish', 'publishStatus'],
    writes: ['upload', 'publish'],
    look: 'publishStatus',
    error: { id: 'any', message: 'Backend is away.' },
    unheardOf: () => ({ id: 'any', status: 'BeingPondered', message: null, errorCode: null, errors: null }),
  },
  safari: {
    calls: [
      'versions',
      'builds',
      'answerEncryption',
      'createVersion',
      'attachBuild',
      'localizations',
      'updateWhatsNew',
      'reviews',
      'createReview',
      'addToReview',
      'submit',
      'release',
    ],
    writes: ['createVersion', 'attachBuild', 'createReview', 'addToReview', 'submit', 'release'],
    look: 'versions',
    error: { errors: [{ status: '500', code: 'UNEXPECTED_ERROR', title: 'Away', detail: 'Backend is away.' }] },
    unheardOf: (version) => ({
      data: [
        {
          type: 'appStoreVersions',
          id: '1',
          attributes: { versionString: version, appVersionState: 'BEING_PONDERED' },
        },
      ],
      links: {},
    }),
  },
};

/** What a store, or whatever stands before it, may do to a call that reads. */
const ofReads = ({ error }: Habits): Readonly<Record<string, Fault>> => ({
  'answers 500': { kind: 'status', status: 500 },
  'answers 200 with an error in it': { kind: 'body', body: error },
  'answers 200 with another thing than was asked for': { kind: 'body', body: { data: 'one', results: 7, status: 1 } },
  'drops the connection': { kind: 'drop-before' },
});

/** What it may do to a call that changes something. */
const ofWrites = (habits: Habits): Readonly<Record<string, Fault>> => ({
  ...ofReads(habits),
  'answers 500 after it has acted': { kind: 'status-after', status: 500 },
  'drops the connection after it has acted': { kind: 'drop-after' },
  'asks to come back in a minute': { kind: 'status', status: 429, headers: { 'Retry-After': '60' } },
});

const GIANTS = STORE_IDS.flatMap((store) => {
  const { look, writes } = STORES[store];
  return [look, writes[0] ?? ''].map((call) => [store, call] as const);
});

describe('faults at each of four stores', () => {
  let world: World;
  let tenant: Tenant;
  beforeAll(async () => {
    const limits = { TENANT_QUOTAS: 'unlimited:0', DEFAULT_TENANT_QUOTA: 'unlimited', MAX_UPLOADS_AT_ONCE: '1000' };
    world = await startWorld({ env: limits });
    tenant = await world.given.tenant();
  });
  afterAll(() => world.close());

  /** Looks and goes on, as time goes by, until the version is live at each of the stores. */
  const goLive = async (
    publisher: Publisher,
    version: string,
    stores: readonly StoreId[] = publisher.stores,
  ): Promise<void> => {
    for (let round = 1; round <= 20; round += 1) {
      await publisher.reconcile();
      const statuses = await Promise.all(stores.map((store) => publisher.status(store)));
      if (statuses.every(({ phase, liveVersion }) => phase === 'live' && liveVersion === version)) return;
      await world.forward(MINUTE);
    }
    const left = await Promise.all(stores.map((store) => publisher.status(store)));
    throw new Error(`${version} is not live: ${JSON.stringify(left)}`);
  };

  /** Until nothing is to be done but to wait for the reviews. */
  const goToReview = async (publisher: Publisher, stores: readonly StoreId[] = publisher.stores): Promise<void> => {
    for (let round = 1; round <= 10; round += 1) {
      await publisher.reconcile();
      const statuses = await Promise.all(stores.map((store) => publisher.status(store)));
      if (statuses.every(({ phase }) => phase === 'in_review')) return;
      await world.forward(MINUTE);
    }
    throw new Error(`It is not in review: ${JSON.stringify(await publisher.reconcile())}`);
  };

  const pushed = async (publisher: Publisher, version: string): Promise<Publisher> => {
    await publisher.deliver(version);
    await publisher.push(version);
    return publisher;
  };

  /** One version after another, each of which meets one fault at the same call. */
  const survives = async (store: StoreId, call: string): Promise<void> => {
    const publisher = await Publisher.in(world, [store], tenant);
    const faults = Object.entries((STORES[store].writes.includes(call) ? ofWrites : ofReads)(STORES[store]));
    for (const [index, [name, fault]] of faults.entries()) {
      const version = `1.0.${index + 1}`;
      const what = { call, name };
      const { uploads } = await publisher.done(store);
      if (call === 'token') await publisher.forgetTokens();
      await publisher.fault(store, call, fault);
      await pushed(publisher, version);
      await goLive(publisher, version);
      const done = await publisher.done(store);
      expect({ ...what, ...(await publisher.status(store)) }).toMatchObject({ ...what, failures: 0 });
      expect({ ...what, submissions: done.submissions }).toEqual({ ...what, submissions: index + 1 });
      expect(done.uploads - uploads).toBeLessThanOrEqual(2);
    }
    expect(await publisher.disturbed(store)).toBe(faults.length);
  };

  it.each(STORE_IDS)(
    '%s: whatever passes at any call, each version ends live, and is submitted once',
    async (store) => {
      await Promise.all(STORES[store].calls.map((call) => survives(store, call)));
    },
    MANY_VERSIONS_TEST_MS,
  );

  it.each(GIANTS)('%s: an answer of 50 MB to %s is not read, and nothing is doubled', async (store, call) => {
    const publisher = await pushed(await Publisher.in(world, [store], tenant), '1.0.0');
    await publisher.testStore(store).review(MINUTE / SECOND);
    await publisher.fault(store, call, { kind: 'huge-body', megabytes: 50 });
    await goLive(publisher, '1.0.0');
    expect(await publisher.done(store)).toMatchObject({ submissions: 1 });
  });

  it.each(STORE_IDS)('%s: an unknown state makes the target wait instead of guess', async (store) => {
    const publisher = await pushed(await Publisher.in(world, [store], tenant), '1.0.0');
    await publisher.testStore(store).review(null);
    await goToReview(publisher);
    await publisher.fault(store, STORES[store].look, { kind: 'body', body: STORES[store].unheardOf('1.0.0') });
    const [told] = await publisher.reconcile();
    expect(told).toMatchObject({ phase: 'in_review', steps: [{ step: 'wait', outcome: 'none' }] });
    await publisher.testStore(store).review(0);
    await goLive(publisher, '1.0.0');
    expect(await publisher.done(store)).toMatchObject({ submissions: 1 });
  });

  it(
    'hosts that never answer are given up, each by itself, and asked again',
    async () => {
      const publisher = await pushed(await Publisher.in(world, STORE_IDS, tenant), '1.0.0');
      const longer = { kind: 'delay', ms: 60_000 } as const;
      const first = { chrome: 'fetchStatus', firefox: 'addon', edge: 'uploadStatus', safari: 'versions' };
      for (const store of STORE_IDS) await publisher.fault(store, first[store], longer);
      const began = performance.now();
      await world.tick();
      expect(performance.now() - began).toBeLessThan(25 * SECOND);
      for (const store of STORE_IDS)
        expect(await publisher.status(store)).toMatchObject({
          phase: 'backing_off',
          failures: 1,
          message: expect.stringContaining('did not answer in time'),
        });
      await goLive(publisher, '1.0.0');
    },
    UNANSWERED_TEST_MS,
  );

  it.each([
    ['ahead', 2 * MINUTE],
    ['behind', -2 * MINUTE],
  ])('a clock that is two minutes %s of the stores publishes everywhere', async (_, skew) => {
    world.clock.forward(skew);
    try {
      const publisher = await pushed(await Publisher.in(world, STORE_IDS, tenant), '1.0.0');
      await goLive(publisher, '1.0.0');
      for (const store of STORE_IDS) {
        expect(await publisher.done(store)).toMatchObject({ submissions: 1 });
        expect(await publisher.status(store)).toMatchObject({ failures: 0 });
      }
      expect(await publisher.events()).not.toContainEqual(expect.objectContaining({ kind: 'step_failed' }));
    } finally {
      world.clock.forward(-skew);
    }
  });

  describe.each(STORE_IDS)('a key of %s that goes wrong in the middle of a release', (store) => {
    const others = STORE_IDS.filter((other) => other !== store);
    const begun = async (): Promise<Publisher> => {
      const publisher = await pushed(await Publisher.in(world, STORE_IDS, tenant), '1.0.0');
      await publisher.testStore(store).review(null);
      await publisher.reconcile();
      return publisher;
    };
    const untouched = async (publisher: Publisher): Promise<void> => {
      await goLive(publisher, '1.0.0', others);
      for (const other of others) {
        expect(await publisher.status(other)).toMatchObject({ failures: 0 });
        expect(await publisher.done(other)).toMatchObject({ submissions: 1 });
      }
    };
    const healed = async (publisher: Publisher): Promise<void> => {
      await publisher.testStore(store).review(0);
      await pushed(publisher, '1.1.0');
      await goLive(publisher, '1.1.0');
      for (const one of STORE_IDS) expect((await publisher.done(one)).submissions).toBeLessThanOrEqual(2);
    };

    it('because it expired leaves the other three alone, and is replaced by the next one', async () => {
      const publisher = await begun();
      await publisher.testStore(store).revoke();
      await publisher.reconcile();
      expect(await publisher.status(store)).toMatchObject({
        phase: 'action_required',
        message: expect.stringContaining('“main”'),
      });
      await untouched(publisher);
      await publisher.saveKey(store, await publisher.testStore(store).rotate());
      await healed(publisher);
    });

    it('because it belongs to another account leaves the other three alone, and is replaced by the right one', async () => {
      const publisher = await begun();
      const { credentials } = await testStoreAt(store, world.sandbox.url);
      if (store === 'chrome') {
        // The target's item tells whose key it is, before anything is saved.
        await expect(publisher.saveKey(store, credentials)).rejects.toThrow(/store_rejected_credentials/);
        await untouched(publisher);
        await healed(publisher);
        return;
      }
      await publisher.saveKey(store, credentials);
      // Edge does not tell a stranger's product from an upload that it has forgotten, which is waited for.
      await world.forward(15 * MINUTE);
      await publisher.reconcile();
      expect(await publisher.status(store)).toMatchObject({ phase: 'action_required' });
      await untouched(publisher);
      await publisher.saveKey(store, publisher.testStore(store).credentials);
      await healed(publisher);
    });
  });
});
