import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Given, type Tenant } from '../support/given.js';
import { Machine } from './machine.js';
import { MortalRelease, type Outcome } from './mortal-release.js';
import { POINTS, WAYS, type Point } from './points.js';
import { STORE_IDS } from '../support/app.js';

/** A store may be slow to show that it releases a version, so that it is not asked again within a quarter of an hour. */
const SETTLED_MINUTES = 16;
/** For the service to do all its work: seconds, and many of them on a busy machine. */
const PATIENCE_MS = 120_000;
const LAP_MS = 1000;
const FEW = 8;
const ALL_MS = 300_000;

const NAMES = [...POINTS.keys()];
const isReviewed = (name: string): boolean => POINTS.get(name)?.isReviewed === true;

/** What a release comes to whose process lives, and the calls that it makes. */
interface Example {
  readonly outcome: Outcome;
  readonly uploads: number;
  readonly toReview: readonly string[];
  readonly toLive: readonly string[];
}

describe('a process that is killed', () => {
  let machine: Machine;
  let tenant: Tenant;
  const releases = new Map<string, MortalRelease>();
  const examples = new Map<string, Example>();

  const bringToLive = async ({ store, kind }: Pick<Point, 'store' | 'kind'>): Promise<Example> => {
    const release = await MortalRelease.pinned(machine, tenant, { store, kind });
    const pinned = (await release.asked()).length;
    await release.bringToReview();
    const inReview = (await release.asked()).length;
    await release.bringToLive();
    const calls = await release.asked();
    return {
      outcome: await release.outcome(),
      uploads: await release.uploads(),
      toReview: calls.slice(pinned, inReview),
      toLive: calls.slice(inReview),
    };
  };

  /**
   * Brings releases to the calls at which they are to die. A call is given up after 15 seconds: whatever is not held any more when the last
   * one is, on a slow machine, is begun anew and dies another time.
   */
  const bring = async (names: readonly string[]): Promise<void> => {
    for (let left = names; left.length > 0;) {
      await fewAtOnce(left, async (name) => {
        releases.set(name, await MortalRelease.holding(machine, tenant, found(POINTS, name)));
      });
      await fewAtOnce(left, (name) => found(releases, name).bringToPoint());
      left = left.filter((name) => !found(releases, name).isAtPoint());
      if (left.length > 0) await machine.restart({ byHand: true });
    }
  };

  /** Lets the service do its work, and the reviewers theirs. */
  const watch = async (): Promise<void> => {
    const end = performance.now() + PATIENCE_MS;
    for (let left = [...releases.values()]; left.length > 0 && performance.now() < end;) {
      await pause(LAP_MS);
      const unfinished: MortalRelease[] = [];
      for (const release of left) if (!(await release.isLive())) unfinished.push(release);
      left = unfinished;
    }
  };

  beforeAll(async () => {
    machine = await Machine.start({ byHand: true, settings: { MAX_UPLOADS_AT_ONCE: '100' } });
    tenant = await new Given(machine.world.api, machine.world.control).tenant();
    const kinds = new Map([...POINTS.values()].map((point) => [kindOf(point), point]));
    await fewAtOnce([...kinds], async ([kind, point]) => void examples.set(kind, await bringToLive(point)));
    // These lie while the power is away, and those that die next are gone on with at once.
    await bring(NAMES.filter(isReviewed));
    await machine.restart({ byHand: true, afterMinutes: SETTLED_MINUTES });
    await bring(NAMES.filter((name) => !isReviewed(name)));
    await machine.restart();
    await watch();
  }, ALL_MS);
  afterAll(() => machine.close());

  it.each(STORE_IDS)('would have made these calls at %s if it had not been killed', (store) => {
    const { toReview, toLive } = found(examples, kindOf({ store, kind: 'plain' }));
    expect(toReview).toEqual(WAYS[store].toReview.flat());
    expect(toLive).toEqual(WAYS[store].toLive.flat());
  });

  it.each(NAMES)('at %s is followed by one that drives the version to live, with nothing doubled', async (name) => {
    const release = found(releases, name);
    const { outcome, uploads } = found(examples, kindOf(found(POINTS, name)));
    expect(await release.outcome()).toEqual(outcome);
    expect(await release.served()).toEqual([release.pinned]);
    // An app is uploaded once; other stores take the same package again.
    expect(await release.uploads()).toBeLessThanOrEqual(uploads + (POINTS.get(name)?.kind === 'app' ? 0 : 1));
  });
});

const kindOf = ({ store, kind }: Pick<Point, 'store' | 'kind'>): string => `${store} ${kind}`;

/** So that none waits long for a connection to the database. */
async function fewAtOnce<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let first = 0; first < all.length; first += FEW) await Promise.all(all.slice(first, first + FEW).map(work));
}

function found<T>(all: ReadonlyMap<string, T>, name: string): T {
  const one = all.get(name);
  if (one === undefined) throw new Error(`There is no ${name}`);
  return one;
}
