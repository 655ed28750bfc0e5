import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROCESSOR_IDS, startWorld, type World } from '../support/app.js';
import { DAY } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { FULL_SIZE } from '../support/processor-events/index.js';
import { fullRefund, oneOffSale, subscriptionLife, type Notification, type Sale } from '../support/purchases.js';
import { Random } from '../simulator/random.js';
import { betterItem, STORIES, timeOf, type Ending, type Story } from '../simulator/stories.js';
import { naming } from './named.js';
import { Seller } from './seller.js';

/** `YEAR_BUYERS=50000 npm test -- year.slow` plays a whole year of a large shop. */
const BUYERS = Number(process.env['YEAR_BUYERS'] ?? 300);
const AT_ONCE = 24;
/** The last first purchase is so long ago that each story is over. */
const LONGEST_STORY = 170;

/** What a buyer does in the year, and the licenses that this pays for. */
interface Buyer {
  readonly email: string;
  readonly seller: Seller;
  readonly story: string;
  /** Told before everything else. */
  readonly first: readonly Notification[];
  readonly events: (licenseId: string) => readonly Notification[];
  readonly endings: readonly Ending[];
  /** Its events come in any order, as after an outage. */
  readonly isShuffled: boolean;
}

const later = (sale: Sale, days: number, tag: string): Sale => ({
  ...sale,
  tag: `${sale.tag.slice(0, -1)}${tag}`,
  // Stripe's times are whole seconds.
  at: new Date(sale.at.getTime() + Math.floor(days) * DAY),
});
const until = (sale: Sale, days: number): Ending => ({
  status: 'active',
  expiresAt: new Date(sale.at.getTime() + days * DAY).toISOString(),
});
const FOR_EVER: Ending = { status: 'active', expiresAt: null };

type Life = Pick<Buyer, 'first' | 'endings' | 'events'>;

/** Buyers who buy twice: the license goes on, or there are two, or it is upgraded. */
const TWICE: Readonly<Record<string, (seller: Seller, sale: Sale, random: Random) => Life>> = {
  returns: ({ processor }, sale, random) => {
    const again = later(sale, random.between(95, 130), '1');
    const events = [...subscriptionLife(processor, sale), ...FULL_SIZE[processor].paidMonth(again, 1)];
    return { first: [], events: () => events, endings: [until(again, 30)] };
  },
  returnsForEver: ({ processor }, sale, random) => {
    const again = later(sale, random.between(35, 60), '1');
    const events = [...FULL_SIZE[processor].paidMonth(sale, 1), ...oneOffSale(processor, again)];
    return { first: [], events: () => events, endings: [FOR_EVER] };
  },
  buysASecond: ({ processor }, sale, random) => {
    const second = later(sale, random.between(5, 25), '1');
    const events = [sale, second].flatMap((one) => FULL_SIZE[processor].paidMonth(one, 1));
    return { first: [], events: () => events, endings: [until(sale, 30), until(second, 30)] };
  },
  upgrades: ({ processor }, sale) => ({
    first: FULL_SIZE[processor].paidMonth(sale, 1),
    events: (id) => naming(oneOffSale(processor, later(sale, 10, '2')), id),
    endings: [FOR_EVER],
  }),
  upgradesAndIsRefunded: ({ processor }, sale) => ({
    first: FULL_SIZE[processor].paidMonth(sale, 1),
    events: (id) => {
      const upgrade = later(sale, 10, '2');
      return [...naming(oneOffSale(processor, upgrade), id), ...fullRefund(processor, upgrade)];
    },
    endings: [until(sale, 30)],
  }),
};

describe('a year of a shop at all processors', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ env: { RATE_LIMITS: 'off' } });
  });
  afterAll(() => world.close());

  const inTurns = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let one = all[next++]; one !== undefined; one = all[next++]) await work(one);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };

  it(
    'ends with each license as its buyer paid',
    async () => {
      const random = new Random(String(BUYERS));
      const tenant = await world.given.tenant();
      const better = new Map<Seller, string>();
      for (const processor of PROCESSOR_IDS) {
        const seller = await Seller.of(world, processor, tenant, await world.given.extension(tenant));
        const planId = await world.given.plan(tenant, seller.extensionId);
        await seller.sells([betterItem(processor)[FULL_SIZE[processor].listedBy]], planId);
        better.set(seller, planId);
      }
      const sellers = [...better.keys()];
      const nowMs = Math.floor(world.clock.now().getTime() / 1000) * 1000;
      const buyers = Array.from({ length: BUYERS }, (_, index): Buyer => {
        const seller = random.pick(sellers);
        const email = `buyer.${index}@year.example`;
        const daysAgo = random.between(LONGEST_STORY, 365);
        const sale = {
          // Of one length and digits alone: Lemon Squeezy's numbers follow from them.
          tag: `y${String(index).padStart(6, '0')}0`,
          email,
          at: new Date(nowMs - Math.floor(daysAgo * 86_400) * 1000),
        };
        if (random.chance(0.4)) {
          const story = random.pick(Object.keys(TWICE));
          return {
            email,
            seller,
            story,
            isShuffled: false,
            ...(TWICE[story] as (typeof TWICE)[string])(seller, sale, random),
          };
        }
        const open = Object.entries<Story>(STORIES).filter(
          ([, { only }]) => (only ?? seller.processor) === seller.processor,
        );
        const [story, { events, ending }] = random.pick(open);
        const told = events(seller.processor, sale);
        const endings = [ending(seller.processor, sale)];
        return { email, seller, story, first: [], events: () => told, endings, isShuffled: random.chance(0.3) };
      });
      const send = (seller: Seller) => async (event: Notification) => void expectStatus(await seller.send(event), 200);
      const byEmail = async (): Promise<ReadonlyMap<string, readonly License[]>> => {
        const found = new Map<string, License[]>();
        for (let cursor: string | null = ''; cursor !== null;) {
          const path: string = `/licenses?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
          const { body } = expectStatus(await world.api.as(tenant).get(path), 200);
          for (const one of body.items as License[])
            found.set(one.buyerEmail, [...(found.get(one.buyerEmail) ?? []), one]);
          cursor = body.nextCursor ?? null;
        }
        return found;
      };
      await inTurns(buyers, async ({ seller, first }) => {
        for (const event of first) await send(seller)(event);
      });
      const early = await byEmail();
      const deliveries = buyers.flatMap(({ email, seller, events, isShuffled }) =>
        events(early.get(email)?.[0]?.id ?? '').flatMap((event) =>
          Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => {
            const late = isShuffled ? random.between(0, 400) * DAY : Math.min(random.exponential(DAY / 4), 4 * DAY);
            return { seller, event, atMs: timeOf(event) + late };
          }),
        ),
      );
      await inTurns(
        deliveries.toSorted((one, other) => one.atMs - other.atMs),
        ({ seller, event }) => send(seller)(event),
      );
      const licenses = await byEmail();
      const wrong = buyers.flatMap(({ email, seller, story, endings }) => {
        const planOf = ({ plan }: Ending) => (plan === 'better' ? better.get(seller) : seller.planId);
        const isOver = ({ expiresAt }: Ending) => expiresAt !== null && Date.parse(expiresAt) <= nowMs;
        const wanted = endings.map((ending) =>
          [isOver(ending) ? 'expired' : ending.status, ending.expiresAt, planOf(ending)].join(),
        );
        const found = (licenses.get(email) ?? []).map(({ status, expiresAt, planId }) =>
          [status, status === 'revoked' || status === 'suspended' ? null : expiresAt, planId].join(),
        );
        return found.toSorted().join(' ') === wanted.toSorted().join(' ')
          ? []
          : [`${seller.processor} ${story} ${email}: ${found.join(' ')}, not ${wanted.join(' ')}`];
      });
      expect(wrong).toEqual([]);
    },
    4 * 3_600_000,
  );
});

interface License {
  readonly id: string;
  readonly buyerEmail: string;
  readonly status: string;
  readonly expiresAt: string | null;
  readonly planId: string;
}
