import type { StoreId } from '../../src/stores/index.js';
import { STORE_IDS, type World } from '../support/app.js';
import { Publisher } from '../reconcile/publisher.js';
import type { Tenant } from '../support/given.js';
import { LawBroken, type Cast } from './acts.js';
import type { Random } from './random.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Someone who publishes an extension at all stores. */
export class Publishing {
  private version = 0;
  /** Versions whose push was answered, and those that were at least tried. */
  readonly acknowledged: string[] = [];
  readonly tried: string[] = [];
  /** How often a change was acknowledged, by its name in the audit log. */
  readonly changes = new Map<string, number>();
  /** Stores at which the key does not work at the moment. */
  private readonly revoked = new Set<StoreId>();

  private constructor(
    private readonly cast: Cast,
    private readonly publisher: Publisher,
    readonly name: string,
  ) {}

  static async begin(cast: Cast, world: World, tenant: Tenant, name: string): Promise<Publishing> {
    const publisher = await Publisher.in(world, STORE_IDS, tenant);
    return new Publishing(cast, publisher, name);
  }

  live(): void {
    const { cast, publisher, name } = this;
    cast.acts(`author of ${name}`, 9 * DAY, () => this.push());
    cast.acts(`keeper of ${name}`, 40 * DAY, async ({ random }) => {
      const store = random.pick(publisher.stores);
      if (random.chance(0.5)) await this.pause(store, random);
      else await this.loseKey(store, random);
    });
    cast.acts(`reviewers of ${name}`, 2 * DAY, async ({ random }) => {
      const store = random.pick(publisher.stores);
      await publisher.testStore(store).review(random.chance(0.1) ? null : Math.round(random.exponential(2 * 86_400)));
      if (random.chance(0.2)) await publisher.testStore(store).dawdle(random.below(6));
    });
  }

  async push(): Promise<void> {
    const version = `1.0.${(this.version += 1)}`;
    this.tried.push(version);
    await this.cast.patiently(`${this.name}: push ${version}`, () => this.publisher.push(version));
    this.acknowledged.push(version);
    this.changed('artifact.pushed');
    await this.publisher.deliver(version);
  }

  private changed(action: string): void {
    this.changes.set(action, (this.changes.get(action) ?? 0) + 1);
  }

  private async pause(store: StoreId, random: Random): Promise<void> {
    const set = (enabled: boolean): Promise<void> =>
      this.cast.patiently(`${this.name}: enabled ${enabled} at ${store}`, () => this.publisher.set(store, { enabled }));
    await set(false);
    this.changed('target.paused');
    await this.cast.kernel.pause(random.exponential(3 * DAY), 'paused');
    await set(true);
    this.changed('target.resumed');
  }

  private async loseKey(store: StoreId, random: Random): Promise<void> {
    if (this.revoked.has(store)) return;
    this.revoked.add(store);
    await this.publisher.testStore(store).revoke();
    await this.cast.kernel.pause(random.exponential(DAY), 'without a key');
    const key = await this.publisher.testStore(store).rotate();
    await this.cast.patiently(`${this.name}: new key for ${store}`, () => this.publisher.saveKey(store, key));
    this.changed('credential.rotated');
    this.revoked.delete(store);
  }

  /** In clear weather, and with reviewers who approve, everything that was pinned reaches its users. */
  async settle(): Promise<void> {
    const { publisher, cast } = this;
    for (const store of publisher.stores) {
      await publisher.testStore(store).review(0);
      await publisher.testStore(store).dawdle(0);
    }
    await this.push();
    await this.reachesUsers(30 * DAY);
    const tried = this.tried.length;
    for (const store of publisher.stores) {
      const { submissions } = await publisher.done(store);
      if (submissions > tried)
        throw new LawBroken(`${this.name}: ${store} has ${submissions} submissions of ${tried} versions`);
    }
    cast.kernel.say(`${this.name}: ${this.acknowledged.length} versions acknowledged`);
  }

  private async reachesUsers(withinMs: number): Promise<void> {
    const { kernel } = this.cast;
    const wanted = this.acknowledged.at(-1);
    for (const until = kernel.nowMs + withinMs; ; await kernel.pause(HOUR, 'look')) {
      const waiting: string[] = [];
      for (const store of this.publisher.stores) {
        const status = await this.cast.patiently('look', () => this.publisher.status(store));
        const served = (await this.publisher.testStore(store).served()).map(({ version }) => version);
        if (status.liveVersion !== wanted || !served.includes(wanted ?? ''))
          waiting.push(`${store}: ${JSON.stringify(status)}, serves ${served.slice(-3).join()}`);
      }
      if (waiting.length === 0) return;
      if (kernel.nowMs > until)
        throw new LawBroken(`${this.name}: ${wanted} did not reach its users:\n${waiting.join('\n')}`);
    }
  }
}
