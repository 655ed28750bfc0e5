import { PROCESSOR_IDS, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { late, type Notification, type Sale } from '../support/purchases.js';
import { Seller } from '../webhooks/seller.js';
import { expectOneOf, type Cast } from './acts.js';
import type { SimulatedDatabase } from './database.js';
import type { Random } from './random.js';
import { CODE, type Mailed, type Mailing } from './mailing.js';
import { MISTYPED } from './post.js';
import { betterItem, STORIES, timeOf, type Ending, type Story } from './stories.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How late the last sales of a run may be told. */
const LATE_DAYS = 5;

interface Sold {
  readonly seller: Seller;
  readonly sale: Sale;
  readonly story: Story;
  readonly told: Promise<unknown>;
  isErased: boolean;
  /** How often the seller may have mailed another code, because the buyer had lost the former one. */
  resent: number;
}

type StoryName = keyof typeof STORIES;

const SUBSCRIBED = ['unpaid', 'changesPlan', 'renewalRefunded'] as const;

/** What is seen of a license. */
interface License extends Ending, Omit<Mailed, 'isOwed'> {
  readonly planId: string;
  readonly renewalLeewayHours: number | null;
}

/** A tenant who sells by all processors, and those who buy, pay or not, get their money back, dispute, and want to be forgotten. */
export class Selling {
  private readonly sold: Sold[] = [];

  private constructor(
    private readonly cast: Cast,
    private readonly world: World,
    private readonly database: SimulatedDatabase,
    /** The better plan of each seller. */
    private readonly better: ReadonlyMap<Seller, string>,
    private readonly mailing: Mailing,
  ) {}

  static async begin(
    cast: Cast,
    world: World,
    database: SimulatedDatabase,
    tenant: Tenant,
    mailing: Mailing,
  ): Promise<Selling> {
    const better = new Map<Seller, string>();
    for (const processor of PROCESSOR_IDS) {
      const seller = await Seller.of(world, processor, tenant, await world.given.extension(tenant));
      const planId = await world.given.plan(tenant, seller.extensionId);
      await seller.sells([betterItem(processor)[FULL_SIZE[processor].listedBy]], planId);
      better.set(seller, planId);
    }
    return new Selling(cast, world, database, better, mailing);
  }

  /** @param untilMs when the run ends: nobody subscribes for longer */
  live(untilMs: number): void {
    // Each processor says in its own words how much of the money went back, and what becomes of a subscription.
    for (const [index, seller] of [...this.better.keys()].entries()) {
      const subscribed = SUBSCRIBED[index % SUBSCRIBED.length] ?? 'unpaid';
      for (const name of ['refundedInPart', 'renewalRefundedInPart', subscribed] as const)
        this.tellStory(seller, name, STORIES[name].days);
    }
    this.cast.acts('buyers', DAY, ({ random }) => {
      this.sell(random, untilMs);
      return Promise.resolve();
    });
    this.cast.acts('buyers who want to be forgotten', 3 * DAY, async ({ random }) => {
      const own = this.sold.filter(({ isErased }) => !isErased);
      if (own.length > 0) await this.erase(random.pick(own));
    });
    this.cast.acts('buyers who lost their code', 2 * DAY, async ({ random }) => {
      const own = this.sold.filter(({ isErased }) => !isErased);
      if (own.length > 0) await this.resend(random.pick(own));
    });
  }

  /** A processor tells half of the stories, and those that are longer than the run, all at once, as after an outage of the seller. */
  private sell(random: Random, untilMs: number): void {
    const { nowMs } = this.cast.kernel;
    const seller = random.pick([...this.better.keys()]);
    const names = Object.entries<Story>(STORIES).filter(
      ([, { only }]) => (only ?? seller.processor) === seller.processor,
    );
    const name = random.weighted(Object.fromEntries(names.map(([one, { weight }]) => [one, weight])));
    const story: Story = STORIES[name as StoryName];
    const isOld = random.chance(0.5) || nowMs + (story.days + LATE_DAYS) * DAY > untilMs;
    const daysAgo = isOld ? story.days + random.between(0, 3) : 0;
    this.tellStory(seller, name as StoryName, daysAgo, random.chance(0.1) ? MISTYPED : '');
  }

  private tellStory(seller: Seller, name: StoryName, daysAgo: number, prefix = ''): Sold {
    const story: Story = STORIES[name];
    const at = Math.floor((this.cast.kernel.nowMs - daysAgo * DAY) / 1000) * 1000;
    const tag = `x${this.sold.length}`;
    const sale = { tag, email: `${prefix}buyer.${tag}@buyer.example`, at: new Date(at) };
    this.cast.kernel.say(`${seller.processor} sells ${tag}: ${name}`);
    const told = this.tellAll(seller, story.events(seller.processor, sale));
    const sold = { seller, sale, story, told, isErased: false, resent: 0 };
    this.sold.push(sold);
    return sold;
  }

  private tellAll(seller: Seller, events: readonly Notification[]): Promise<unknown> {
    return Promise.all(events.map((event) => this.tell(seller, event)));
  }

  /** A processor tells of an event when it happens, about: late, twice, or after the next one. */
  private async tell(seller: Seller, event: Notification): Promise<void> {
    const { kernel } = this.cast;
    const party = kernel.party(`${seller.processor} ${JSON.stringify(event).length} ${kernel.step}`);
    const times = party.random.chance(0.2) ? 2 : 1;
    const work = async (): Promise<void> => {
      const dueMs = Math.max(0, timeOf(event) - kernel.nowMs) + party.random.exponential(DAY / 8);
      await kernel.pause(dueMs, `${seller.processor} tells`);
      await this.cast.patiently(`${seller.processor} tells`, async () => {
        expectStatus(await seller.send(event), 200);
      });
    };
    await Promise.all(Array.from({ length: times }, () => this.cast.begins(party, work)));
  }

  /** Revokes and deletes a buyer's license; then the processor tells everything once more, as it may for days. */
  private async erase(sold: Sold): Promise<void> {
    const { seller, sale, story, told } = sold;
    sold.isErased = true;
    await told;
    const id = await this.cast.patiently('a license', async () => (await this.licensesOf(sold))[0]?.id as string);
    const api = this.world.api.as(seller.tenant);
    await this.cast.patiently(`forget ${sale.tag}`, async () => {
      // What an answer that was lost had done is done.
      const revoked = expectOneOf(await api.post(`/licenses/${id}/revoke`, {}), 200, 404, 409);
      if (revoked.status !== 404) expectOneOf(await api.delete(`/licenses/${id}`), 204, 404);
    });
    await this.tellAll(seller, story.events(seller.processor, sale).map(late));
    this.cast.kernel.say(`${sale.tag} is forgotten`);
  }

  /** Mails another code, in whose place the former one works no longer. */
  private async resend(sold: Sold): Promise<void> {
    const [license] = await this.cast.patiently('licenses', () => this.licensesOf(sold));
    if (license === undefined) return;
    await this.cast.patiently(`another code for ${sold.sale.tag}`, async () => {
      sold.resent += 1;
      const path = `/licenses/${license.id as string}/resend`;
      // It was revoked or erased meanwhile.
      expectOneOf(await this.world.api.as(sold.seller.tenant).post(path), 200, 404, 409);
    });
  }

  private licensesOf({ seller, sale }: Sold): ReturnType<Seller['licenses']> {
    return seller.licenses(`&email=${encodeURIComponent(sale.email ?? '')}`);
  }

  /** One is forgotten, one loses the code, and one wrote the address wrongly, in every world. */
  private async sellLast(): Promise<void> {
    const [seller] = this.better.keys();
    if (seller === undefined) return;
    const [forgotten, losing] = [this.tellStory(seller, 'once', 0), this.tellStory(seller, 'once', 0)];
    this.tellStory(seller, 'once', 0, MISTYPED);
    await this.erase(forgotten);
    await losing.told;
    // A mail that waits would only get the other code.
    await this.cast.kernel.pause(DAY, 'the first code comes');
    await this.resend(losing);
  }

  /** Each license is as its buyer paid, there is one for each sale, and none of who wanted to be forgotten. */
  async settle(): Promise<void> {
    await this.sellLast();
    // What is paid for ends whole days after a sale, and the clocks of replicas are minutes off: not at the end of a license itself.
    await this.cast.kernel.pause(3 * DAY + HOUR, 'the last events');
    await this.mailing.look();
    for (const sold of this.sold) {
      const { seller, sale, story, isErased } = sold;
      await sold.told;
      const all = await this.cast.patiently('licenses', () => this.licensesOf(sold));
      const what = `${seller.processor} sale ${sale.tag}`;
      const isOne = all.length === (isErased ? 0 : 1);
      this.cast.judge('each sale makes one license', isOne, `${what} made ${all.length} licenses`);
      if (isErased) continue;
      const [license] = all as [License];
      const { status, expiresAt, planId, renewalLeewayHours } = license;
      const ending = story.ending(seller.processor, sale);
      const leewayMs = (renewalLeewayHours ?? 0) * HOUR;
      const isOver = ending.expiresAt !== null && Date.parse(ending.expiresAt) + leewayMs < this.cast.kernel.nowMs;
      const wanted = isOver ? 'expired' : ending.status;
      const isPaid = status === wanted && (ending.expiresAt === null || expiresAt === ending.expiresAt);
      const how = `${what} is ${status} until ${expiresAt}, and not ${wanted} until ${ending.expiresAt}`;
      this.cast.judge('a license is as it was paid', isPaid, how);
      const plan = ending.plan === 'better' ? this.better.get(seller) : seller.planId;
      const isPlan = planId === plan;
      this.cast.judge('a license has the plan that was bought', isPlan, `${what} has the plan ${planId}, not ${plan}`);
      await this.hasItsCode(sold, license);
    }
    await this.isForgotten();
    this.cast.kernel.say(`${this.sold.length} sales are as they were paid`);
  }

  /** The code that was mailed last seats a device if the license is active, and none that it replaced does. */
  private async hasItsCode({ seller, sale, story, resent }: Sold, license: License): Promise<void> {
    const email = sale.email ?? '';
    const { codeHint, status } = license;
    const isOwed = story.ending(seller.processor, sale).status !== 'revoked';
    this.mailing.hasItsCode(email, { ...license, isOwed }, 1 + resent);
    for (const code of this.mailing.codesOf(email)) {
      const body = { code, extensionId: seller.extensionId, fingerprint: `new device for ${code}` };
      const isNewest = code.replaceAll('-', '').endsWith(codeHint);
      const { isActive, reason } = await this.cast.patiently(
        'a device',
        async () => expectStatus(await this.world.api.post('/licensing/activate', body), 200).body,
      );
      this.cast.judge(
        isNewest ? 'the newest code seats a device' : 'a replaced code seats no device',
        isActive === (isNewest && status === 'active'),
        `A code of ${email} seats ${isActive ? 'a' : 'no'} device: ${reason}`,
      );
    }
  }

  /** No row of any table has the address of a buyer who wanted to be forgotten, or a license code. */
  private async isForgotten(): Promise<void> {
    const addresses = this.sold.flatMap(({ sale, isErased }) => (isErased ? [sale.email?.replaceAll('.', '[.]')] : []));
    const found = addresses.length === 0 ? null : await this.database.rowWith(`(?i)${addresses.join('|')}`);
    const isReached = addresses.length > 0;
    this.cast.judge(
      'nothing names a buyer who was erased',
      found === null,
      `${found?.table}: ${found?.row}`,
      isReached,
    );
    const written = await this.database.rowWith(CODE.source.replaceAll(String.raw`\b`, String.raw`\y`));
    this.cast.judge('no row has a license code', written === null, `${written?.table}: ${written?.row}`);
  }
}
