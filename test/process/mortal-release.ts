import type { HeldCall } from '../reconcile/call-gate.js';
import { callOf, type TestStore, type Served } from '../reconcile/test-stores.js';
import { Publisher } from '../reconcile/publisher.js';
import type { Tenant } from '../support/given.js';
import type { Machine } from './machine.js';
import { WAYS, type Kind, type Point } from './points.js';

/** More rounds than any store needs until it has a version in review, or has given it to its users. */
const MAX_ROUNDS = 6;
const LOOKS_AT_UPLOAD = 3;
const VERSION = '1.0.0';
const EARLIER = '0.9.0';

/** What came of a release. */
export interface Outcome {
  readonly phase: string;
  readonly liveVersion: string | null;
  readonly failures: number;
  /** The state of each version, newest first. */
  readonly releases: readonly string[];
  readonly submissions: number;
  /** How often the store granted each call that doubles something when it is granted twice. */
  readonly granted: Readonly<Record<string, number>>;
}

/** A version on its way to one store, whose process dies at one of the calls. */
export class MortalRelease {
  private held: HeldCall | null = null;
  private isReviewed = false;

  private constructor(
    private readonly machine: Machine,
    private readonly publisher: Publisher,
    private readonly point: { readonly store: Point['store']; readonly kind: Kind; readonly heard?: Point['heard'] },
    /** What users are to get of it. */
    readonly pinned: Served,
  ) {}

  /** Pins a version, for which nothing is done yet. */
  static async pinned(machine: Machine, tenant: Tenant, point: MortalRelease['point']): Promise<MortalRelease> {
    const { store, kind } = point;
    const publisher = await Publisher.in(machine.world, [store], tenant);
    const testStore = publisher.testStore(store);
    await testStore.review(null);
    if (kind === 'dawdling') await testStore.dawdle(LOOKS_AT_UPLOAD);
    if (kind === 'replacing') {
      await publisher.set(store, { onPending: 'replace' });
      await testStore.deliver(EARLIER);
      await publisher.push(EARLIER);
      await drive(publisher, 'in_review');
    }
    if (kind !== 'app') await testStore.deliver(VERSION);
    const sha256 = await (kind === 'app' ? publisher.pushApp(VERSION) : publisher.push(VERSION));
    const served = { version: VERSION, sha256: store === 'safari' ? null : sha256 };
    return new MortalRelease(machine, publisher, point, served);
  }

  /** The same, and holds the call at which the process is to die. */
  static async holding(machine: Machine, tenant: Tenant, point: Point): Promise<MortalRelease> {
    const release = await MortalRelease.pinned(machine, tenant, point);
    if (point.isReviewed) {
      await release.bringToReview();
      await release.passReview();
    }
    const side = point.heard === 'unanswered' ? 'after' : 'before';
    release.held = machine.gate.hold(callOf(release.testStore, point.call), side, point.nth);
    return release;
  }

  /** Goes on until the call is held. @throws Error when it is never made */
  async bringToPoint(): Promise<void> {
    const { held, publisher } = this;
    if (held === null) throw new Error('No call is held');
    for (let round = 1; round <= MAX_ROUNDS; round += 1)
      if (await Promise.race([held.reached.then(() => true), publisher.reconcile().then(() => false)])) return;
    throw new Error(`It never comes to ${JSON.stringify(this.point)}`);
  }

  /** Whether the process waits for the call to be answered. */
  isAtPoint(): boolean {
    return this.held?.isAwaited() === true;
  }

  async bringToReview(): Promise<void> {
    await drive(this.publisher, 'in_review');
  }

  async bringToLive(): Promise<void> {
    await this.passReview();
    await drive(this.publisher, 'live');
  }

  /**
   * Sees how far the service has come with it by itself. Once nothing more is to be done, the review passes, and the store hears late of the
   * call that it had not heard of.
   * @returns whether it is live
   */
  async isLive(): Promise<boolean> {
    if (!(await (this.isReviewed ? this.hasCome('live') : this.isInReview()))) return false;
    if (this.point.heard === 'late') {
      this.held?.open();
      await this.held?.acted;
    }
    if (this.isReviewed) return true;
    await this.passReview();
    return false;
  }

  /** The calls that the store was asked so far. */
  asked(): Promise<readonly string[]> {
    return this.publisher.asked(this.point.store);
  }

  async uploads(): Promise<number> {
    return (await this.testStore.done()).uploads;
  }

  served(): Promise<readonly Served[]> {
    return this.testStore.served();
  }

  async outcome(): Promise<Outcome> {
    const { store } = this.point;
    const publisher = this.publisher.at(this.machine.world);
    const { phase, liveVersion, failures } = await publisher.status(store);
    const calls = await publisher.granted(store);
    const writes = Object.entries(WAYS[store].writes).filter(([, repeated]) => repeated === 'doubles');
    return {
      phase,
      liveVersion,
      failures,
      releases: await publisher.releases(),
      submissions: (await this.testStore.done()).submissions,
      granted: Object.fromEntries(writes.map(([call]) => [call, calls.filter((one) => one === call).length])),
    };
  }

  /** Edge does not say whose the submission is that it refuses another one for, so that it is waited for as for a stranger's. */
  private async isInReview(): Promise<boolean> {
    const { store, kind } = this.point;
    // The store is asked first: what the service is asked is taken from its time.
    if ((await this.testStore.done()).submissions < (kind === 'replacing' ? 2 : 1)) return false;
    return (await this.hasCome('in_review')) || (store === 'edge' && (await this.hasCome('queued')));
  }

  private async hasCome(phase: string): Promise<boolean> {
    return (await this.publisher.at(this.machine.world).status(this.point.store)).phase === phase;
  }

  private async passReview(): Promise<void> {
    await this.testStore.review(0);
    this.isReviewed = true;
  }

  private get testStore(): TestStore {
    return this.publisher.testStore(this.point.store);
  }
}

async function drive(publisher: Publisher, phase: string): Promise<void> {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const [target] = await publisher.reconcile();
    if (target?.phase === phase) return;
  }
  throw new Error(`It does not come to be ${phase}: ${JSON.stringify(await publisher.reconcile())}`);
}
