import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  BLINDNESSES,
  FAULTS,
  ModelPierhead,
  VERSIONS,
  type Blindness,
  type Fault,
} from '../../../test/support/planner/model-pierhead.js';
import {
  KINDS,
  MINUTE,
  ModelStore,
  START,
  type Kind,
  type Party,
  type StoreShape,
} from '../../../test/support/planner/model-store.js';
import { compareVersions } from '../../common/version/version.js';
import { SUBMISSION_STATES } from '../../stores/index.js';
import { RELEASE_STATES } from './release-state.js';

/**
 * The planner against a store that is modelled: what the store truly holds is known here, what Pierhead is shown of it is late, partial or
 * missing, and every write is held against the truth.
 */

const DAY = 24 * 60 * MINUTE;

const ACTIONS = [
  'nothing',
  'approve',
  'reject',
  'odd_state',
  'person_replaces_draft',
  'person_submits',
  'person_cancels',
  'person_releases',
  'take_down',
  'restore',
  'pin',
  'enable',
] as const;
interface Happening {
  readonly action: (typeof ACTIONS)[number];
  readonly version: string;
  readonly minutes: number;
  /** Whether Pierhead looks before the next thing happens. */
  readonly isLookedAt: boolean;
}

function happen(store: ModelStore, pierhead: ModelPierhead, { action, version, minutes, isLookedAt }: Happening): void {
  store.now += minutes * MINUTE;
  switch (action) {
    case 'nothing':
      break;
    case 'approve':
      store.approve();
      break;
    case 'reject':
      store.judge('rejected');
      break;
    case 'odd_state':
      store.judge('unknown');
      break;
    case 'person_cancels':
      store.judge('cancelled');
      break;
    case 'person_releases':
      if (store.sent?.by === 'person') store.release();
      break;
    // A version that Pierhead has sent, sent by a person as well, cannot be told from Pierhead's own.
    case 'person_replaces_draft':
      if (!pierhead.hasSent(version)) store.personReplacesDraft(version);
      break;
    case 'person_submits':
      if (!pierhead.hasSent(version)) store.personSubmits(version);
      break;
    case 'take_down':
    case 'restore':
      store.takenDown = action === 'take_down';
      break;
    case 'pin':
      pierhead.pin(version);
      break;
    case 'enable':
      pierhead.enable();
  }
  store.remember();
  if (isLookedAt) pierhead.run();
}

/** Reviews approve, persons finish what they began and answer when they are asked. @returns how many runs it took; null for never */
function bringToRest(store: ModelStore, pierhead: ModelPierhead): number | null {
  pierhead.spare();
  for (let count = 1; count <= 60; count += 1) {
    store.takenDown = false;
    store.remember();
    store.now = Math.max(store.now + MINUTE, pierhead.nextCheckAt);
    pierhead.run();
    if (pierhead.phase === 'live') return count;
    if (pierhead.phase === 'rejected' || pierhead.phase === 'action_required') {
      const isTakenBack = pierhead.releases.some(
        ({ version, state }) => version === pierhead.pinned && state === 'live',
      );
      if (isTakenBack) pierhead.pinNext();
      else pierhead.enable();
    }
    // What Pierhead says it will not release, and what is not pinned any more, is released by a person.
    if (pierhead.phase === 'approved' || store.sent?.version !== pierhead.pinned) store.release();
    store.approve();
    store.remember();
  }
  return null;
}

const version = fc.constantFrom(...VERSIONS);
const party = fc.constantFrom<Party>('pierhead', 'person');
const happening: fc.Arbitrary<Happening> = fc.record({
  action: fc.constantFrom(...ACTIONS),
  version,
  minutes: fc.constantFrom(0, 1, 5, 14, 31, 120, 24 * 60),
  isLookedAt: fc.boolean(),
});

interface World extends StoreShape {
  readonly onPending: 'wait' | 'replace';
  readonly faults: readonly Fault[];
  readonly blindnesses: readonly Blindness[];
  readonly happenings: readonly Happening[];
}

/** A store that is late, or at times blind; not both, since a verdict from before a submission may then never have been seen. */
const hostileWorld = (kinds: readonly Kind[]): fc.Arbitrary<World> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    isStaged: fc.boolean(),
    lag: fc.constantFrom(0, 0, 3 * MINUTE, 10 * MINUTE),
    processing: fc.constantFrom(0, 0, 2 * MINUTE, 15 * MINUTE),
    onPending: fc.constantFrom('wait', 'replace'),
    faults: fc.array(fc.constantFrom(...FAULTS), { maxLength: 12 }),
    blindnesses: fc.array(fc.constantFrom(...BLINDNESSES), { maxLength: 12 }),
    happenings: fc.array(happening, { maxLength: 25 }),
  });

function live({ onPending, faults, blindnesses, happenings, ...shape }: World): {
  store: ModelStore;
  pierhead: ModelPierhead;
} {
  const store = new ModelStore(shape);
  store.remember();
  const pierhead = new ModelPierhead(store, onPending, [...faults], shape.lag === 0 ? [...blindnesses] : []);
  pierhead.pin('1.1');
  for (const each of happenings) happen(store, pierhead, each);
  return { store, pierhead };
}

/** Weeks in which nothing changes: whatever is written now is written for nothing. */
function writesAtRest(store: ModelStore, pierhead: ModelPierhead): number {
  const before = pierhead.writes;
  for (let day = 1; day <= 14; day += 1) {
    store.now += DAY;
    store.remember();
    pierhead.run();
    if (pierhead.phase !== 'live') throw new Error(`Day ${day} found the target ${pierhead.phase}`);
  }
  return pierhead.writes - before;
}

const runs = (count: number): number => Number(process.env['RUNS'] ?? count);
const TELLING = Object.values(KINDS).filter(({ tells }) => tells);

describe('whatever a store, its reviewers and its owner do', () => {
  it('nothing is done to it that must never be done', () => {
    fc.assert(
      fc.property(hostileWorld(Object.values(KINDS)), (world) => {
        expect(live(world).pierhead.wrongs).toEqual([]);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('the pinned version, or what a person put above it, is live once reviews approve and persons answer', () => {
    fc.assert(
      fc.property(hostileWorld(TELLING), (world) => {
        const { store, pierhead } = live(world);
        expect(bringToRest(store, pierhead)).not.toBeNull();
        expect(compareVersions(store.live ?? '0', pierhead.pinned ?? '')).toBeGreaterThanOrEqual(0);
        expect(writesAtRest(store, pierhead)).toBe(0);
        expect(pierhead.wrongs).toEqual([]);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('an obedient store', () => {
  const anything = fc.record({
    kind: fc.constantFrom(...TELLING),
    isStaged: fc.boolean(),
    lag: fc.constant(0),
    processing: fc.constantFrom(0, 2 * MINUTE),
    onPending: fc.constantFrom('wait' as const, 'replace' as const),
    live: fc.constantFrom(null, '1.0', ...VERSIONS),
    sent: fc.option(
      fc.record({
        version: fc.constantFrom('1.0', ...VERSIONS),
        state: fc.constantFrom(...SUBMISSION_STATES),
      }),
    ),
    draft: fc.option(fc.record({ version, by: party, age: fc.nat(60) })),
    isForgotten: fc.boolean(),
    release: fc.option(
      fc.record({
        state: fc.constantFrom(...RELEASE_STATES),
        age: fc.nat(24 * 60),
        isOurs: fc.boolean(),
        verdictBefore: fc.constantFrom(null, 'rejected' as const, 'cancelled' as const),
      }),
    ),
  });

  it('is brought to the pinned version from any state, in few writes, and then left alone', () => {
    fc.assert(
      fc.property(anything, ({ onPending, live: isLive, sent, draft, isForgotten, release, ...shape }) => {
        const store = new ModelStore(shape);
        const hasUploaded = release?.state === 'processing' || release?.state === 'submitting';
        if (hasUploaded) store.call('upload', '1.2', null);
        store.live = isLive;
        const by = release?.isOurs === true && sent?.version === '1.2' ? 'pierhead' : 'person';
        if (sent !== null) store.sent = { ...sent, by, isHeard: false, isSeen: false, verdictBefore: null };
        if (draft !== null) store.draft = { ...draft, at: START - draft.age * MINUTE, sent: null };
        if (isForgotten) store.readyAt = null;
        const pierhead = new ModelPierhead(store, onPending, [], []);
        pierhead.pin('1.2');
        if (release !== null) {
          const { age, ...facts } = release;
          Object.assign(pierhead.begin('1.2'), facts, { stateAt: new Date(START - age * MINUTE) });
        }
        store.remember();
        expect(bringToRest(store, pierhead)).not.toBeNull();
        expect(pierhead.writes).toBeLessThanOrEqual(8);
        expect(compareVersions(store.live ?? '0', '1.2')).toBeGreaterThanOrEqual(0);
        expect(writesAtRest(store, pierhead)).toBe(0);
      }),
      { numRuns: runs(1000) },
    );
  });
});
