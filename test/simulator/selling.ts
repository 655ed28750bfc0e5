import { PROCESSOR_IDS, type World } from '../support/app.js';
import type { Tenant } from '../support/given.js';
import { expectStatus } from '../support/given.js';
import { fullRefund, oneOffSale, subscriptionLife, type Notification, type Sale } from '../support/purchases.js';
import { Seller } from '../webhooks/seller.js';
import { LawBroken, type Cast } from './acts.js';

const DAY = 86_400_000;

/** How a sale ends, as its buyer knows it. */
interface Ending {
  readonly status: string;
  readonly expiresAt: string | null;
}

/** A tenant who sells by all processors, and those who buy. */
export class Selling {
  private sales = 0;
  private readonly sold: { readonly seller: Seller; readonly sale: Sale; readonly ending: Ending }[] = [];

  private constructor(
    private readonly cast: Cast,
    private readonly sellers: readonly Seller[],
  ) {}

  static async begin(cast: Cast, world: World, tenant: Tenant): Promise<Selling> {
    const sellers: Seller[] = [];
    for (const processor of PROCESSOR_IDS)
      sellers.push(await Seller.of(world, processor, tenant, await world.given.extension(tenant)));
    return new Selling(cast, sellers);
  }

  /** @param untilMs when the run ends: nobody subscribes for longer */
  live(untilMs: number): void {
    this.cast.acts('buyers', 5 * DAY, ({ random }) => {
      const seller = random.pick(this.sellers);
      const number = (this.sales += 1);
      const at = new Date(Math.floor(this.cast.kernel.nowMs / 1000) * 1000);
      const sale = { tag: `x${number}`, email: `buyer${number}@buyer.example`, at };
      const kind = random.weighted({
        life: at.getTime() + 90 * DAY < untilMs ? 3 : 0,
        once: 2,
        refunded: at.getTime() + 70 * DAY < untilMs ? 2 : 0,
      });
      const end = new Date(at.getTime() + 90 * DAY).toISOString();
      const once = oneOffSale(seller.processor, sale);
      const [events, ending] = {
        life: [subscriptionLife(seller.processor, sale), { status: 'active', expiresAt: end }],
        once: [once, { status: 'active', expiresAt: null }],
        refunded: [[...once, ...fullRefund(seller.processor, sale)], { status: 'revoked', expiresAt: null }],
      }[kind] as [readonly Notification[], Ending];
      this.sold.push({ seller, sale, ending });
      for (const event of events) this.tell(seller, event, at);
      return Promise.resolve();
    });
  }

  /** A processor tells of an event when it happens, about: late, twice, or after the next one. */
  private tell(seller: Seller, event: Notification, soldAt: Date): void {
    const { kernel } = this.cast;
    const party = kernel.party(`${seller.processor} ${JSON.stringify(event).length} ${kernel.step}`);
    const times = party.random.chance(0.2) ? 2 : 1;
    for (let time = 0; time < times; time += 1)
      this.cast.begins(party, async () => {
        const dueMs = Math.max(0, timeOf(event) - soldAt.getTime()) + party.random.exponential(DAY / 8);
        await kernel.pause(dueMs, `${seller.processor} tells`);
        await this.cast.patiently(`${seller.processor} tells`, async () => {
          expectStatus(await seller.send(event), 200);
        });
      });
  }

  /** Each license is as its buyer paid, and there is one for each sale. */
  async settle(): Promise<void> {
    await this.cast.kernel.pause(3 * DAY, 'the last events');
    for (const { seller, sale, ending } of this.sold) {
      const all = await this.cast.patiently('licenses', () =>
        seller.licenses(`&email=${encodeURIComponent(sale.email ?? '')}`),
      );
      const what = `${seller.processor} sale ${sale.tag}`;
      if (all.length !== 1) throw new LawBroken(`${what} made ${all.length} licenses`);
      const [{ status, expiresAt }] = all as [Ending];
      const isOver = ending.expiresAt !== null && Date.parse(ending.expiresAt) < this.cast.kernel.nowMs;
      const wanted = isOver && status === 'expired' ? 'expired' : ending.status;
      if (status !== wanted || (ending.status === 'active' && expiresAt !== ending.expiresAt))
        throw new LawBroken(
          `${what} is ${status} until ${expiresAt}, and not ${ending.status} until ${ending.expiresAt}`,
        );
    }
    this.cast.kernel.say(`${this.sold.length} sales are as they were paid`);
  }
}

/** When an event happened, by the processor's own time in it. */
function timeOf(event: Notification): number {
  const { created, occurred_at: occurredAt, timestamp, data } = event;
  if (typeof created === 'number') return created * 1000;
  const text = occurredAt ?? timestamp ?? (data as { attributes: { updated_at: string } }).attributes.updated_at;
  return Date.parse(text as string);
}
