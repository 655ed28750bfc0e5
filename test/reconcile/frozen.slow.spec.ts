import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreId } from '../../src/stores/index.js';
import { startWorld, type World, Transactions } from '../support/app.js';
import { SECOND } from '../support/clock.js';
import type { Tenant } from '../support/given.js';
import { CallGate } from './call-gate.js';
import { callOf } from './test-stores.js';
import { Publisher } from './publisher.js';

/** The calls that change something, of the stores whose steps are several calls; Chrome's are in `at-once`. */
const WRITES: readonly (readonly [StoreId, string])[] = [
  ['firefox', 'upload'],
  ['firefox', 'createVersion'],
  ['edge', 'upload'],
  ['edge', 'publish'],
  ['safari', 'answerEncryption'],
  ['safari', 'createVersion'],
  ['safari', 'attachBuild'],
  ['safari', 'updateWhatsNew'],
  ['safari', 'createReview'],
  ['safari', 'addToReview'],
  ['safari', 'submit'],
];
/** Reads between those: the worker sleeps with a decision made on what it read. */
const READS: readonly (readonly [StoreId, string])[] = [['safari', 'builds']];
const SIDES = ['before', 'after'] as const;
const MAX_ROUNDS = 6;

describe('a process that was frozen past its lock', () => {
  let gate: CallGate;
  let world: World;
  /** The process that takes over. */
  let other: World;
  let tenant: Tenant;
  beforeAll(async () => {
    gate = await CallGate.start();
    const env = { ...gate.env, TENANT_QUOTAS: 'unlimited:0', DEFAULT_TENANT_QUOTA: 'unlimited' };
    world = await startWorld({ env });
    gate.leadTo(world.sandbox.url);
    other = await startWorld({ with: world, env });
    tenant = await world.given.tenant();
  });
  afterAll(async () => {
    await other.close();
    await world.close();
    await gate.close();
  });

  const locksExpire = (): Promise<unknown> =>
    world.app
      .get(Transactions)
      .query('update target_status set lease_until = clock_timestamp() where lease_until is not null', []);

  const bringToReview = async (publisher: Publisher, store: StoreId): Promise<void> => {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      await publisher.reconcile();
      if (isAtRest(store, (await publisher.status(store)).phase)) return;
    }
    throw new Error(`It is not in review: ${JSON.stringify(await publisher.status(store))}`);
  };

  it.each([...WRITES, ...READS].flatMap(([store, call]) => SIDES.map((side) => [store, call, side] as const)))(
    'at %s, during %s, %s the store acts, writes nothing when it wakes up, and calls nothing more',
    async (store, call, side) => {
      const publisher = await Publisher.in(world, [store], tenant);
      await publisher.testStore(store).review(null);
      await publisher.deliver('1.0.0');
      await publisher.push('1.0.0');
      const held = gate.hold(callOf(publisher.testStore(store), call), side);
      const frozen = bringToReview(publisher, store).catch((error: unknown) => error);
      await held.reached;
      await locksExpire();
      await world.forward(SECOND);
      await bringToReview(publisher.at(other), store);
      const left = { status: await publisher.status(store), events: await publisher.events() };
      const calls = (await publisher.asked(store)).length;

      held.open();
      await frozen;
      const late = (await publisher.asked(store)).slice(calls);
      expect(late.filter((one) => isWrite(store, one))).toEqual(
        side === 'before' && isWrite(store, call) ? [call] : [],
      );
      expect(await publisher.events()).toEqual(left.events);
      const { phase, failures } = await publisher.status(store);
      expect({ phase, failures }).toEqual({ phase: left.status.phase, failures: left.status.failures });
      expect((await publisher.done(store)).submissions).toBe(1);
    },
  );
});

/** Edge does not say whose the submission is that it refuses another one for, so that it is waited for as for a stranger's. */
const isAtRest = (store: StoreId, phase: string): boolean =>
  phase === 'in_review' || (store === 'edge' && phase === 'queued');

const isWrite = (store: StoreId, call: string): boolean => WRITES.some(([at, write]) => at === store && write === call);
