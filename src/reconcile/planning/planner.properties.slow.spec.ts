import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  BLINDNESSES,
  FAULTS,
  Simulation,
  VERSIONS,
  type Blindness,
  type Fault,
  type Settings,
} from '../../../test/support/planner/simulation.js';
import {
  isPending,
  KINDS,
  MINUTE,
  ModelStore,
  STAGINGS,
  START,
  type Kind,
  type Party,
  type StoreShape,
} from '../../../test/support/planner/model-store.js';
import { compareVersions, SUBMISSION_STATES } from '../../stores/pure.js';
import { RELEASE_STATES } from '../releases/pure.js';

/**
 * The planner against a store that is modelled: what the store truly holds is known here, what Pierhead is shown of it is late, partial or
 * missing, and every write is held against the truth.
 */

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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
  'store_widens',
  'pin',
  'push_other',
  'push_refusable',
  'override',
  'push_unapproved',
  'approve_pinned',
  'roll_back',
  'enable',
  'pause',
  'resume',
  'hold',
  'let_go',
  'ask_for_release',
  'replace',
  'wait',
  'share',
  'change_channel',
] as const;
interface Happening {
  readonly action: (typeof ACTIONS)[number];
  readonly version: string;
  readonly percent: number | null;
  readonly minutes: number;
  /** Whether Pierhead looks before the next thing happens. */
  readonly isLookedAt: boolean;
}

function happen(pierhead: Simulation, happening: Happening): void {
  pierhead.store.now += happening.minutes * MINUTE;
  act(pierhead, happening);
  pierhead.store.remember();
  if (happening.isLookedAt) pierhead.run();
}

function act(pierhead: Simulation, happening: Happening): void {
  const { store } = pierhead;
  const { action, version } = happening;
  switch (action) {
    case 'nothing':
      return;
    case 'approve':
      return store.approve();
    case 'reject':
      return store.decideReview('rejected');
    case 'odd_state':
      return store.decideReview('unknown');
    case 'person_cancels':
      return store.decideReview('cancelled');
    case 'person_releases':
      if (store.sent?.by === 'person') store.release();
      return;
    // A version that Pierhead has sent, sent by a person as well, cannot be told from Pierhead's own.
    case 'person_replaces_draft':
      if (!pierhead.hasSent(version)) store.personReplacesDraft(version);
      return;
    case 'person_submits':
      if (!pierhead.hasSent(version)) store.personSubmits(version);
      return;
    case 'take_down':
    case 'restore':
      store.takenDown = action === 'take_down';
      return;
    case 'store_widens':
      return store.widen();
    default:
      return command(pierhead, { ...happening, action });
  }
}

/** What the customer does. */
function command(pierhead: Simulation, { action, version, percent }: Happening): void {
  switch (action) {
    case 'pin':
      return pierhead.pin(version);
    case 'push_other':
      return pierhead.pushOther();
    case 'push_refusable':
      return pierhead.pushRefusable();
    case 'override':
      return pierhead.override();
    case 'push_unapproved':
      return pierhead.pushUnapproved();
    case 'approve_pinned':
      return pierhead.approvePinned();
    case 'roll_back':
      return pierhead.rollBack(version);
    case 'enable':
      return pierhead.enable();
    case 'pause':
    case 'resume':
      return pierhead.set({ paused: action === 'pause' });
    case 'hold':
    case 'let_go':
      return pierhead.set({ releaseMode: action === 'hold' ? 'manual' : 'auto' });
    case 'ask_for_release':
      return pierhead.askForRelease();
    case 'replace':
    case 'wait':
      return pierhead.set({ onPending: action });
    case 'share':
      return pierhead.set({ rolloutPercent: percent });
    case 'change_channel':
      return pierhead.changeChannel();
    default:
      throw new Error(`${action} is no command`);
  }
}

/** Reviews approve, and nobody else does anything. @returns how much was written at the end of it, when all should be still */
function leaveAlone(pierhead: Simulation): number {
  pierhead.cancelCut();
  const writes: number[] = [];
  for (let turn = 1; turn <= 16; turn += 1) {
    const { store } = pierhead;
    store.now = Math.max(store.now + HOUR, pierhead.nextCheckAt);
    store.remember();
    pierhead.run();
    store.approve();
    writes.push(pierhead.writes);
  }
  pierhead.store.remember();
  return pierhead.writes - (writes.at(-4) ?? 0);
}

/** Reviews approve, persons finish what they began and answer when they are asked. @returns how many runs it took; null for never */
function bringToRest(pierhead: Simulation): number | null {
  const { store } = pierhead;
  pierhead.cancelCut();
  pierhead.set({ paused: false });
  const enabledFor = new Set<string | null>();
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
      if (isTakenBack || enabledFor.has(pierhead.pinned)) pierhead.pinNewer();
      else pierhead.enable();
      pierhead.override();
      pierhead.approvePinned();
      enabledFor.add(pierhead.pinned);
    }
    if (pierhead.phase === 'approved' && pierhead.isHeld) pierhead.askForRelease();
    // What Pierhead says it will not release, and what is not pinned any more, is released by a person.
    else if (pierhead.phase === 'approved' || store.sent?.version !== pierhead.pinned) store.release();
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
  percent: fc.constantFrom(null, 5, 10, 50, 100),
  minutes: fc.constantFrom(0, 1, 5, 14, 31, 120, 24 * 60),
  isLookedAt: fc.boolean(),
});

const settings: fc.Arbitrary<Settings> = fc.record({
  onPending: fc.constantFrom('wait', 'replace'),
  releaseMode: fc.constantFrom('auto', 'auto', 'manual'),
  rolloutPercent: fc.constantFrom(null, null, 10, 100),
  paused: fc.constantFrom(false, false, false, true),
});

interface World extends StoreShape {
  readonly settings: Settings;
  readonly faults: readonly Fault[];
  readonly blindnesses: readonly Blindness[];
  readonly happenings: readonly Happening[];
}

/** A store that is late, or at times blind; not both, since a verdict from before a submission may then never have been seen. */
const hostileWorld = (kinds: readonly Kind[]): fc.Arbitrary<World> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    staging: fc.constantFrom(...STAGINGS),
    lag: fc.constantFrom(0, 0, 3 * MINUTE, 10 * MINUTE),
    processing: fc.constantFrom(0, 0, 2 * MINUTE, 15 * MINUTE),
    settings,
    faults: fc.array(fc.constantFrom(...FAULTS), { maxLength: 12 }),
    blindnesses: fc.array(fc.constantFrom(...BLINDNESSES), { maxLength: 12 }),
    happenings: fc.array(happening, { maxLength: 25 }),
  });

function open(shape: StoreShape): ModelStore[] {
  const store = new ModelStore(shape);
  const channels = shape.kind.hasChannels ? [store, store.besides()] : [store];
  for (const each of channels) each.remember();
  return channels;
}

function live({ settings: wishes, faults, blindnesses, happenings, ...shape }: World): Simulation {
  const pierhead = new Simulation(open(shape), wishes, [...faults], shape.lag === 0 ? [...blindnesses] : []);
  pierhead.pin('1.1');
  for (const each of happenings) happen(pierhead, each);
  return pierhead;
}

/** Days in which nothing changes: whatever is written now is written for nothing. */
function writesAtRest(pierhead: Simulation): number {
  const before = pierhead.writes;
  for (let day = 1; day <= 7; day += 1) {
    pierhead.store.now += DAY;
    pierhead.store.remember();
    pierhead.run();
    if (pierhead.phase !== 'live') throw new Error(`Day ${day} found the target ${pierhead.phase}`);
  }
  return pierhead.writes - before;
}

/** Everything is as the customer wants it, and left alone. */
function expectAtRest(pierhead: Simulation, atLeast: string): void {
  expect(bringToRest(pierhead)).not.toBeNull();
  expect(compareVersions(pierhead.store.live ?? '0', atLeast)).toBeGreaterThanOrEqual(0);
  // More users are wanted, then fewer after all, and in the end all of them.
  for (const shares of [[50, 30], [null]]) {
    for (const rolloutPercent of shares) {
      pierhead.set({ rolloutPercent });
      pierhead.run();
    }
    expect(writesAtRest(pierhead)).toBe(0);
    expect(pierhead.store.offered ?? 100).toBeGreaterThanOrEqual(pierhead.wantedShare ?? 0);
  }
}

const runs = (count: number): number => Number(process.env['RUNS'] ?? count);
const TELLING = Object.values(KINDS).filter(({ tells }) => tells);

describe('whatever a store, its reviewers and its owner do', () => {
  it('Pierhead never does what it must never do', () => {
    fc.assert(
      fc.property(hostileWorld(Object.values(KINDS)), (world) => {
        const { trespasses, wrongs } = live(world);
        expect([...trespasses, ...wrongs]).toEqual([]);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('Pierhead is idle while nobody answers, and reaches what the tenant wants once reviews approve and people answer', () => {
    fc.assert(
      fc.property(hostileWorld(TELLING), (world) => {
        const pierhead = live(world);
        expect(leaveAlone(pierhead)).toBe(0);
        expectAtRest(pierhead, pierhead.pinned ?? '');
        expect([...pierhead.trespasses, ...pierhead.wrongs]).toEqual([]);
      }),
      { numRuns: runs(700) },
    );
  });
});

/** The version that is wanted, whatever is there. */
const PIN = '1.2';

describe('an obedient store', () => {
  const anything = fc.record({
    kind: fc.constantFrom(...TELLING),
    staging: fc.constantFrom(...STAGINGS),
    lag: fc.constant(0),
    processing: fc.constantFrom(0, 2 * MINUTE),
    settings,
    isRollback: fc.boolean(),
    isReleaseRequested: fc.boolean(),
    live: fc.constantFrom(null, '1.0', ...VERSIONS),
    offered: fc.constantFrom(null, 5, 20),
    sent: fc.option(
      fc.record({
        version: fc.constantFrom('1.0', ...VERSIONS),
        state: fc.constantFrom(...SUBMISSION_STATES),
        isStaged: fc.boolean(),
        percent: fc.constantFrom(null, 10),
        submittedByPierhead: fc.boolean(),
      }),
    ),
    draft: fc.option(fc.record({ version, by: party, age: fc.nat(60) })),
    isForgotten: fc.boolean(),
    release: fc.option(
      fc.record({
        state: fc.constantFrom(...RELEASE_STATES),
        age: fc.nat(24 * 60),
        submittedByPierhead: fc.boolean(),
        earlierVerdict: fc.constantFrom(null, 'rejected' as const, 'cancelled' as const),
      }),
    ),
  });

  type Anything = typeof anything extends fc.Arbitrary<infer T> ? T : never;

  function begin({ kind, staging, lag, processing, ...given }: Anything): Simulation {
    const { release, sent, draft } = given;
    const [store, ...others] = open({ kind, staging, lag, processing });
    if (store === undefined) throw new Error('The item has no channel');
    const hasUploaded = release?.state === 'processing' || release?.state === 'submitting';
    if (hasUploaded) store.call({ step: 'upload', version: PIN, isStaged: false, percent: null, earlierVerdict: null });
    store.live = given.live;
    store.liveBy = release?.submittedByPierhead === true ? 'pierhead' : 'person';
    store.offered = given.live !== null && kind.percentRollout ? given.offered : null;
    const submittedByPierhead = sent?.version === PIN ? release?.submittedByPierhead : sent?.submittedByPierhead;
    const told = { isHeard: false, isSeen: false, earlierVerdict: null };
    if (sent !== null) store.sent = { ...sent, ...told, by: submittedByPierhead === true ? 'pierhead' : 'person' };
    if (draft !== null) store.draft = { ...draft, at: START - draft.age * MINUTE, sent: null };
    if (given.isForgotten) store.readyAt = null;
    const pierhead = new Simulation([store, ...others], given.settings, [], []);
    if (sent?.submittedByPierhead === true && sent.version !== PIN) {
      pierhead.pin(sent.version);
      pierhead.begin(sent.version, { state: 'in_review', submittedByPierhead: true });
    }
    if (given.isRollback) pierhead.rollBack(PIN);
    pierhead.pin(PIN);
    if (release !== null) {
      const { age, ...facts } = release;
      pierhead.begin(PIN, { ...facts, stateAt: new Date(START - age * MINUTE) });
    }
    store.remember();
    return pierhead;
  }

  /** A version of Pierhead's own is in review or rests, and the customer wants the pinned one instead. */
  const yields = ({ kind, settings: wishes, live: isLive, sent, release }: Anything): boolean =>
    sent !== null &&
    (sent.state === 'in_review' || sent.state === 'approved') &&
    sent.submittedByPierhead &&
    sent.version !== PIN &&
    release === null &&
    compareVersions(isLive ?? '0', PIN) < 0 &&
    kind.canCancel &&
    wishes.onPending === 'replace' &&
    !wishes.paused;

  it('is driven to what the tenant wants from any state, in few writes, and then left alone', () => {
    fc.assert(
      fc.property(anything, (given) => {
        const pierhead = begin(given);
        pierhead.run();
        if (yields(given)) expect(isPending(pierhead.store.sent) && pierhead.store.sent?.version !== PIN).toBe(false);
        expect(leaveAlone(pierhead)).toBe(0);
        if (given.settings.paused) expect(pierhead.writes).toBe(0);
        if (given.isReleaseRequested) pierhead.askForRelease();
        expectAtRest(pierhead, PIN);
        expect(pierhead.writes).toBeLessThanOrEqual(8);
        expect(pierhead.trespasses).toEqual([]);
      }),
      { numRuns: runs(600) },
    );
  });
});
