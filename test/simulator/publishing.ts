import type { Capabilities, StoreId } from '../../src/stores/index.js';
import { STORE_IDS, type World } from '../support/app.js';
import { Publisher } from '../reconcile/publisher.js';
import type { Tenant } from '../support/given.js';
import { statusIn, type Cast } from './acts.js';
import { Approving } from './approving.js';
import type { SimulatedDatabase } from './database.js';
import type { Random } from './random.js';
import type { Stage } from './stage.js';
import type { Team } from './team.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const SUBMITTED = 'select count(*)::int as count from release where target_id = $1 and submitted_by_pierhead';

const SECRET_MEMBERS = new Set(['private_key', 'privateKey', 'secret', 'apiKey']);

/** @throws what a store's control plane says of anything else */
function ifNothingIsInReview(error: unknown): void {
  if (!(error instanceof Error) || !/ 409 /.test(error.message)) throw error;
}

/** Someone who publishes an extension at all stores. */
export class Publishing {
  private version = 0;
  /** Versions whose push was answered. */
  readonly acknowledged: string[] = [];
  /** The digest of each version's package, where it is known. */
  private readonly contents = new Map<string, string>();
  /** The largest share of users that each version at a store was seen to be offered to. */
  private readonly shares = new Map<string, number>();
  /** Stores at which the key does not work at the moment, or that are paused. */
  private readonly hindered = new Set<StoreId>();

  private constructor(
    private readonly cast: Cast,
    private readonly database: SimulatedDatabase,
    private readonly publisher: Publisher,
    private readonly team: Team,
    private readonly approving: Approving,
    /** Stores that can offer a version to a share of users. */
    private readonly sharing: readonly StoreId[],
  ) {}

  static async begin(
    cast: Cast,
    world: World,
    stage: Stage,
    tenant: Tenant,
    team: Team,
    name: string,
  ): Promise<Publishing> {
    const publisher = await Publisher.in(world, STORE_IDS, tenant);
    const { body } = await world.api.as(tenant).get('/stores');
    const stores = body.items as readonly { readonly id: StoreId; readonly capabilities: Capabilities }[];
    const sharing = stores.filter(({ capabilities }) => capabilities.percentRollout).map(({ id }) => id);
    const approving = await Approving.begin(cast, stage, publisher, team, name);
    return new Publishing(cast, stage.database, publisher, team, approving, sharing);
  }

  get name(): string {
    return this.approving.name;
  }

  /** The first version is with its users before anything goes wrong. */
  async open(): Promise<void> {
    await this.push();
    await this.reachesUsers(DAY);
  }

  /** What the keys of the stores are made of and nobody else may read. */
  get secrets(): readonly string[] {
    const found: string[] = [];
    const note = (name: string, value: unknown): unknown => {
      if (typeof value === 'string' && SECRET_MEMBERS.has(name)) found.push(value);
      return value;
    };
    for (const store of this.publisher.stores) JSON.stringify(this.publisher.testStore(store).credentials, note);
    return found;
  }

  live(): void {
    const { cast, publisher, name } = this;
    this.approving.live();
    cast.acts(`author of ${name}`, 5 * DAY, async ({ random }) => {
      await this.push();
      if (random.chance(0.3)) await this.pushOtherContent(random);
    });
    cast.acts(`keeper of ${name}`, 5 * DAY, async ({ random }) => {
      const store = random.pick(publisher.stores);
      const act = random.weighted({ pause: 2, loseKey: 1, rollBack: 1, offer: 2, pinAgain: 2, requireMeanwhile: 2 });
      if (act === 'rollBack') await this.rollBack(store, random);
      else if (act === 'pinAgain') await this.pinAgain(random);
      else if (act === 'requireMeanwhile') await this.approving.requireMeanwhile(() => this.push());
      else if (act === 'offer') await this.offer(random.pick(this.sharing), random.pick([10, 40, 70, null]));
      else if (!this.hindered.has(store))
        await this.hinder(store, () => this[act](store, random.exponential(act === 'pause' ? 2 * DAY : DAY)));
    });
    cast.acts(`users of ${name}`, DAY, () => this.shareNeverFalls());
    cast.acts(`reviewers of ${name}`, 2 * DAY, async ({ random }) => {
      const testStore = publisher.testStore(random.pick(publisher.stores));
      await testStore.review(random.chance(0.1) ? null : Math.round(random.exponential(2 * 86_400)));
      if (random.chance(0.2)) await testStore.dawdle(random.below(6));
      if (random.chance(0.1)) await testStore.stumble();
      // Mostly nothing is in review.
      if (random.chance(0.3)) await testStore.reject().catch(ifNothingIsInReview);
    });
  }

  /** Pushes the next version to all stores, unless a later one came there before. */
  async push(): Promise<void> {
    const version = this.next();
    const digest = await this.cast.patiently(`${this.name}: push ${version}`, () =>
      this.pushAs(version).catch((error: unknown) => {
        if (statusIn(error) === 409 && this.version > Number(version.split('.')[2])) return null;
        throw error;
      }),
    );
    if (digest === null) return;
    this.contents.set(version, digest);
    this.acknowledged.push(version);
    this.team.changed('artifact.pushed');
    await this.publisher.deliver(version);
  }

  /** Someone builds a version once more: what no store has yet is replaced, and otherwise the push is refused. */
  private async pushOtherContent(random: Random): Promise<void> {
    const version = this.acknowledged.at(-1) ?? '';
    await this.cast.kernel.pause(random.exponential(HOUR / 20), 'builds again');
    if (version !== this.acknowledged.at(-1)) return;
    // When the answer is lost, nobody knows which content the number has.
    this.contents.delete(version);
    const digest = await this.cast.once(
      `${version} is replaced`,
      () => this.pushAs(version, { description: 'Built again.' }),
      [409],
    );
    if (digest !== null) this.contents.set(version, digest);
  }

  private next(): string {
    return `1.0.${(this.version += 1)}`;
  }

  /** Somebody of the team does something who may publish. */
  private asPublisher<T>(work: (publisher: Publisher, self: Tenant) => Promise<T>): Promise<T> {
    return this.team.as('publish', (self) => work(this.publisher.by(self), self));
  }

  private async pushAs(version: string, manifest: object = {}): Promise<string> {
    const digest = await this.publisher.digestOf(version, manifest);
    return this.asPublisher((publisher, self) => {
      this.approving.pushes(version, digest, self);
      return publisher.push(version, manifest);
    });
  }

  /** Somebody wants the version before, while nobody has approved either. */
  private async pinAgain(random: Random): Promise<void> {
    await this.push();
    await this.cast.kernel.pause(random.exponential(HOUR), 'another push');
    await this.push();
    const [version = '', newest = ''] = this.acknowledged.slice(-2);
    const digest = this.contents.get(version);
    if (digest === undefined || ![version, newest].every((one) => this.approving.isHeld(one))) return;
    await this.cast.once(`${version} is pinned again`, () =>
      this.asPublisher(async (publisher, self) => {
        this.approving.pushes(version, digest, self);
        const status = await publisher.pinAgain(version);
        if (![200, 201, 409].includes(status)) throw new Error(`Expected 201, got ${status}: pin`);
        this.cast.kernel.say(`${version} is pinned again: ${status}`);
      }),
    );
  }

  /** Versions go to a share of the users of a store from now on; to all when it is null. */
  private async offer(store: StoreId, rolloutPercent: number | null): Promise<void> {
    await this.cast.patiently(`${this.name}: offered to ${rolloutPercent ?? 100} % at ${store}`, () =>
      this.asPublisher((publisher) => publisher.set(store, { rolloutPercent })),
    );
  }

  /** No version goes to fewer users than before. */
  private async shareNeverFalls(): Promise<void> {
    for (const store of this.sharing) {
      const offered = await this.publisher.testStore(store).offered();
      if (offered === null) continue;
      const { version, percent } = offered;
      const former = this.shares.get(`${store} ${version}`) ?? 0;
      const how = `${this.name}: ${store} offers ${version} to ${percent} % of users, after ${former} %`;
      this.cast.judge('no share of users falls', percent >= former, how, former > 0);
      this.shares.set(`${store} ${version}`, percent);
    }
  }

  private async rollBack(store: StoreId, random: Random): Promise<void> {
    if (this.acknowledged.length < 2) return;
    const [to, version] = [random.pick(this.acknowledged.slice(0, -1)), this.next()];
    const status = await this.cast.once(`rolling back ${store}`, () =>
      this.asPublisher(async (publisher, self) => {
        this.approving.pushes(version, null, self);
        const answered = await publisher.rollBack(store, to, version);
        if (![201, 409].includes(answered)) throw new Error(`Expected 201, got ${answered}: rollback`);
        return answered;
      }),
    );
    if (status === 201) this.team.changed('artifact.rolled_back');
    this.cast.kernel.say(`rolling back ${store}: ${status ?? 'no answer'}`);
  }

  private async hinder(store: StoreId, work: () => Promise<void>): Promise<void> {
    this.hindered.add(store);
    await work();
    this.hindered.delete(store);
  }

  private async pause(store: StoreId, ms: number): Promise<void> {
    const { cast, publisher } = this;
    const pause = async (paused: boolean): Promise<void> => {
      await cast.patiently(`${this.name}: paused ${paused} at ${store}`, () =>
        this.asPublisher((own) => own.pause(store, paused)),
      );
      this.team.changed(paused ? 'target.paused' : 'target.resumed');
    };
    await pause(true);
    // A call that is under way ends.
    await cast.kernel.pause(HOUR, 'paused');
    const before = await publisher.done(store);
    await this.push();
    await cast.kernel.pause(ms, 'paused');
    const after = await publisher.done(store);
    this.cast.judge(
      'nothing is sent while its target is paused',
      after.submissions + after.uploads === before.submissions + before.uploads,
      `${this.name}: something was sent to ${store}`,
      !this.approving.isHeld(this.acknowledged.at(-1) ?? ''),
    );
    await pause(false);
  }

  private async loseKey(store: StoreId, ms: number): Promise<void> {
    await this.publisher.testStore(store).revoke();
    await this.cast.kernel.pause(ms, 'without a key');
    const key = await this.publisher.testStore(store).rotate();
    await this.cast.patiently(`${this.name}: new key for ${store}`, () =>
      this.team.as('rotate', (self) => this.publisher.by(self).saveKey(store, key)),
    );
    this.team.changed('credential.rotated');
  }

  /** In clear weather, and with reviewers who approve, everything that was pinned reaches its users, also where the first upload fails. */
  async settle(): Promise<void> {
    const { publisher, cast } = this;
    for (const store of publisher.stores) {
      await publisher.testStore(store).review(0);
      await publisher.testStore(store).dawdle(0);
      await publisher.testStore(store).stumble();
    }
    for (const store of this.sharing) await this.offer(store, 10);
    await this.approving.requireNone();
    const open = publisher.stores.filter((store) => !this.hindered.has(store));
    await this.pause(cast.kernel.current.random.pick(open), DAY / 3);
    // The answer of the store and that of the service are about as fast.
    for (let times = 0; times < 4; times += 1) await this.approving.requireMeanwhile(() => this.push());
    await this.approving.rejectOne(() => this.push());
    for (const store of publisher.stores) await publisher.testStore(store).stumble();
    await this.approving.holdOne(() => this.push());
    await this.reachesUsers(10 * DAY);
    await this.shareNeverFalls();
    for (const store of this.sharing) await this.offer(store, 40);
    await this.isWidened(40);
    for (const store of this.sharing) await this.offer(store, null);
    // A store that widens a share by itself takes a week.
    await this.reachesUsers(3 * DAY, true);
    await this.shareNeverFalls();
    for (const store of publisher.stores) await this.isSubmittedOnce(store);
    await this.approving.settle();
    cast.kernel.say(`${this.name}: ${this.acknowledged.length} versions acknowledged`);
  }

  /** A store got no more submissions than there are versions that Pierhead means to have submitted, and serves what was pushed. */
  private async isSubmittedOnce(store: StoreId): Promise<void> {
    const { submissions } = await this.publisher.done(store);
    const id = this.publisher.targetId(store);
    const [found] = (await this.database.look<{ readonly count: number }>(SUBMITTED, [id])) ?? [];
    const most = found?.count ?? submissions;
    const how = `${this.name}: ${store} has ${submissions} submissions of ${most} versions`;
    this.cast.judge('each version is submitted once', submissions <= most, how, found !== undefined && submissions > 0);
    for (const { version, sha256 } of await this.publisher.testStore(store).served())
      this.cast.judge(
        'stores have what was pushed',
        sha256 === null || sha256 === (this.contents.get(version) ?? sha256),
        `${this.name}: ${store} serves other content as ${version} than was pushed`,
        sha256 !== null && this.contents.has(version),
      );
  }

  /** Waits until a store offers the version to so many, which is seen to at the next look. */
  private async isWidened(percent: number): Promise<void> {
    const { kernel } = this.cast;
    for (const until = kernel.nowMs + 2 * DAY; kernel.nowMs < until; await kernel.pause(3 * HOUR, 'a larger share')) {
      const shares = await Promise.all(this.sharing.map((store) => this.publisher.testStore(store).offered()));
      if (shares.some((offered) => offered !== null && offered.percent >= percent)) return;
    }
  }

  private async reachesUsers(withinMs: number, isForAll = false): Promise<void> {
    const { kernel } = this.cast;
    const wanted = this.acknowledged.at(-1);
    for (const until = kernel.nowMs + withinMs; ; await kernel.pause(3 * HOUR, 'look')) {
      await this.approving.approveAll();
      const waiting: string[] = [];
      for (const store of this.publisher.stores) {
        const status = await this.cast.patiently('look', () => this.publisher.status(store));
        const served = (await this.publisher.testStore(store).served()).map(({ version }) => version);
        const { percent = 100 } = (await this.publisher.testStore(store).offered()) ?? {};
        const isOffered = !isForAll || (status.offeredPercent === null && percent === 100);
        if (status.liveVersion !== wanted || !served.includes(wanted ?? '') || !isOffered)
          waiting.push(`${store}: ${JSON.stringify(status)}, serves ${served.slice(-3).join()}`);
      }
      const isThere = waiting.length === 0;
      const how = `${this.name}: ${wanted} did not reach its users:\n${waiting.join('\n')}`;
      const isLate = kernel.nowMs > until;
      this.cast.judge('the last version reaches its users', isThere || !isLate, how, isThere || isLate);
      if (isThere) return;
    }
  }
}
