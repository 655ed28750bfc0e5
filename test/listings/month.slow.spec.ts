import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EdgeControl } from '../../sandbox/edge/edge-control.js';
import { FirefoxControl } from '../../sandbox/firefox/firefox-control.js';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import { newGuid } from '../reconcile/test-stores.js';
import { pkgOf } from '../support/apple-packages.js';
import { ListingsWorker, startWorld, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus, type Publishable } from '../support/given.js';
import { packageOf } from '../support/packages.js';

const DAYS = 30;
const MAIL = 'Yellow Nickel: the description has too many keywords.';

/** What only a dashboard offers, since its store has no API for it. */
type Visit = `${string}: ${string}`;

/** One extension at four stores, its author, its users and its reviewers, day by day. */
class Month {
  /** Every time that the author has to open a dashboard. */
  readonly visits: Visit[] = [];
  private build = 0;

  private constructor(
    private readonly world: World,
    readonly owner: Publishable,
    private readonly targets: Readonly<Record<string, string>>,
    private readonly ids: {
      readonly guid: string;
      readonly productId: string;
      readonly appId: string;
    },
  ) {}

  static async in(world: World): Promise<Month> {
    const { url } = world.sandbox;
    const owner = await world.given.publishable({ published: '1.0.0', approveAfterSeconds: HOUR / 1000 });
    const [firefox, edge, safari] = [new FirefoxControl(url), new EdgeControl(url), new SafariControl(url)];
    const amo = await firefox.firefoxAccount({ isThrottled: false });
    const guid = newGuid();
    await firefox.addon({ issuer: amo.issuer, guid, live: '1.0.0', approveAfterSeconds: HOUR / 1000 });
    const edgeKey = await edge.edgeAccount();
    const { clientId } = edgeKey;
    const { productId, crxId } = await edge.edgeProduct({ clientId, live: '1.0.0', approveAfterSeconds: HOUR / 1000 });
    const { teamId, ...appleKey } = await safari.key({ role: 'ADMIN' });
    const versions = [{ version: '1.0', state: 'READY_FOR_DISTRIBUTION' }];
    const { appId } = await safari.app({ issuerId: teamId, versions, approveAfterSeconds: HOUR / 1000 });
    const targets: Record<string, string> = { chrome: owner.targetId };
    const connect = async (store: string, credentials: object, settings: object): Promise<void> => {
      const api = world.api.as(owner);
      const { id: credentialId } = expectStatus(await api.post('/credentials', { store, credentials }), 201).body;
      const targetId = await world.given.targetOf(owner, owner.extensionId, store);
      targets[store] = targetId;
      const path = `/extensions/${owner.extensionId}/targets/${targetId}`;
      expectStatus(await api.patch(path, { ...settings, credentialId, enabled: true }), 200);
    };
    await connect('firefox', amo, { storeItemId: guid });
    await connect('edge', edgeKey, { storeItemId: productId, crxId });
    await connect('safari', appleKey, { storeItemId: appId, encryption: 'exempt', releaseNotes: 'Owls.' });
    return new Month(world, owner, targets, { guid, productId, appId });
  }

  private get api() {
    return this.world.api.as(this.owner);
  }

  private get firefox(): FirefoxControl {
    return new FirefoxControl(this.world.sandbox.url);
  }

  private get safari(): SafariControl {
    return new SafariControl(this.world.sandbox.url);
  }

  /** CI pushes the zip for three stores, and the signed package of the Mac job for the fourth. */
  async push(version: string): Promise<void> {
    const { extensionId: extension } = this.owner;
    const gecko = { browser_specific_settings: { gecko: { id: this.ids.guid } } };
    const zip = new Uint8Array(await packageOf(version, gecko));
    expectStatus(await this.api.push({ extension, version, notes: 'Owls.' }, zip), 201);
    this.build += 1;
    const pkg = new Uint8Array(pkgOf({ version, build: String(this.build) }));
    expectStatus(
      await this.api.push({ extension, version, store: 'safari', notes: 'Owls.' }, pkg, 'application/octet-stream'),
      201,
    );
  }

  /** A day goes by: the stores work, the service looks, and the author reads what it sends him. */
  async day(): Promise<void> {
    for (let hours = 0; hours < 24; hours += 4) {
      await this.world.tick();
      await this.world.forward(4 * HOUR);
    }
    await this.world.tick();
    await this.world.app.get(ListingsWorker).tick();
  }

  async live(): Promise<Readonly<Record<string, string | null>>> {
    const { targets } = expectStatus(await this.api.get(`/extensions/${this.owner.extensionId}/targets`), 200).body;
    return Object.fromEntries(
      targets.map(
        ({ store, status }: { readonly store: string; readonly status: { readonly liveVersion: string } }) => [
          store,
          status.liveVersion,
        ],
      ),
    );
  }

  async phase(store: string): Promise<string> {
    const path = `/extensions/${this.owner.extensionId}/targets/${this.targets[store]}`;
    return expectStatus(await this.api.get(path), 200).body.status.phase;
  }

  act(store: string, what: string, body: object = {}) {
    return this.api.post(`/extensions/${this.owner.extensionId}/targets/${this.targets[store]}/${what}`, body);
  }

  /** Users come, and some of them write. */
  async users(day: number): Promise<void> {
    const now = this.world.clock.now();
    const at = (ago: number): string => new Date(now.getTime() - ago * DAY).toISOString();
    const counted = Array.from({ length: Math.min(day, DAYS) }, (_, ago) => ({
      date: at(ago + 1).slice(0, 10),
      metrics: { users: 100 + day - ago, installs: 9, uninstalls: 5 },
    }));
    await this.world.control.patch(this.owner.itemId, { days: counted, stars: [0, 0, 1, 0, 9] });
    await this.firefox.patchAddon(this.ids.guid, {
      averageDailyUsers: 50 + day,
      weeklyDownloads: 7,
      stars: [0, 0, 0, 1, day],
    });
    const date = at(1).slice(0, 10);
    const row = { date, event: 'Install', downloadType: 'Redownload', counts: 6 };
    await this.safari.patch(this.ids.appId, {
      installReports: [{ processingDate: at(0).slice(0, 10), parts: [[row]] }],
      storefronts: { us: [1, 0, 0, 0, day] },
    });
  }

  /** A user of each store that shows reviews is angry. */
  async complaints(): Promise<void> {
    const created = this.world.clock.now().toISOString();
    const said = { comment: 'It counts wrong.', author: 'Ann', createTime: created };
    await this.world.control.patch(this.owner.itemId, { reviews: [{ id: 'r1', rating: 1, ...said }] });
    const ofAmo = { id: 7, score: 2, body: 'It counts wrong.', user: 'Bob', version: '2.1.0', created, reply: null };
    await this.firefox.patchAddon(this.ids.guid, { ratings: [ofAmo] });
    const ofApple = { title: 'No', body: 'It counts wrong.', nickname: 'Cid', territory: 'CHE', createdDate: created };
    await this.safari.patch(this.ids.appId, { customerReviews: [{ id: randomUUID(), rating: 1, ...ofApple }] });
  }

  /** The author answers each: by the API, or else in the dashboard that the review leads to. */
  async answer(): Promise<void> {
    const query = `?extension=${this.owner.extensionId}&unread=true`;
    const { items } = expectStatus(await this.api.get(`/reviews${query}`), 200).body;
    for (const { id, store } of items) {
      const answered = await this.api.post(`/reviews/${id}/answer`, { text: 'Mended in 2.2.0.' });
      if (answered.status >= 300) this.visits.push(`${store}: answer a review`);
      expectStatus(await this.api.post(`/reviews/${id}/read`), 200);
    }
  }

  /** The versions of which Apple has a build, in the order in which they came. */
  async builds(): Promise<readonly string[]> {
    return (await this.safari.state(this.ids.appId)).builds.map(({ version }) => version);
  }

  async notified(kind: string): Promise<number> {
    const { items } = expectStatus(await this.api.get('/notifications?limit=100'), 200).body;
    return items.filter((one: { readonly kind: string }) => one.kind === kind).length;
  }

  async figures(store: string): Promise<readonly { readonly [metric: string]: number | string | null }[]> {
    const from = new Date(this.world.clock.now().getTime() - 2 * DAYS * DAY).toISOString().slice(0, 10);
    const path = `/analytics/stores?extension=${this.owner.extensionId}&from=${from}`;
    const { stores } = expectStatus(await this.api.get(path), 200).body;
    return stores.find((one: { readonly store: string }) => one.store === store).days;
  }
}

describe('a month without dashboards', () => {
  let world: World;
  let month: Month;
  beforeAll(async () => {
    world = await startWorld();
    month = await Month.in(world);
  });
  afterAll(() => world.close());

  it('opens only those for which there is no API', async () => {
    for (let day = 1; day <= DAYS; day += 1) {
      await month.users(day);
      if (day === 2) await month.push('2.0.0');
      if (day === 9) {
        await world.control.patch(month.owner.itemId, { approveAfterSeconds: null });
        await month.push('2.1.0');
      }
      if (day === 10) {
        await world.control.act(month.owner.itemId, 'reject');
      }
      if (day === 11) {
        expect(await month.phase('chrome')).toBe('rejected');
        expectStatus(await month.act('chrome', 'rejection', { version: '2.1.0', reason: MAIL }), 200);
        month.visits.push('chrome: read why it was rejected', 'chrome: mend the listing');
        expectStatus(await month.act('chrome', 'resubmit'), 200);
        await world.control.patch(month.owner.itemId, { approveAfterSeconds: HOUR / 1000 });
      }
      if (day === 14) await month.complaints();
      if (day === 16) await month.answer();
      if (day === 18) await month.push('2.2.0');
      if (day === 21) {
        expect(await month.live()).toEqual({ chrome: '2.2.0', firefox: '2.2.0', edge: '2.2.0', safari: '2.2.0' });
        const back = { to: '2.1.0', version: '2.2.1', reason: 'It counts wrong.' };
        for (const store of ['chrome', 'firefox']) expectStatus(await month.act(store, 'rollback', back), 201);
      }
      if (day === 24) {
        expect(await month.live()).toMatchObject({ chrome: '2.2.1', firefox: '2.2.1' });
        await month.push('2.3.0');
      }
      await month.day();
    }
    expect(await month.live()).toEqual({ chrome: '2.3.0', firefox: '2.3.0', edge: '2.3.0', safari: '2.3.0' });
    expect(month.visits.toSorted()).toEqual([
      'chrome: answer a review',
      'chrome: mend the listing',
      'chrome: read why it was rejected',
      'firefox: answer a review',
    ]);
    expect(await month.builds()).toEqual(['2.0.0', '2.1.0', '2.2.0', '2.3.0']);
    expect(await month.notified('low_rating')).toBe(3);
    expect(await month.notified('unexpected_version')).toBe(0);
    const told = async (store: string, metric: string): Promise<number> =>
      (await month.figures(store)).filter((one) => one[metric] !== null).length;
    expect(await told('chrome', 'users')).toBeGreaterThanOrEqual(DAYS - 1);
    expect(await told('firefox', 'users')).toBeGreaterThanOrEqual(DAYS - 1);
    expect(await told('safari', 'installs')).toBeGreaterThanOrEqual(DAYS - 2);
    for (const store of ['chrome', 'firefox', 'safari'])
      expect(await told(store, 'rating')).toBeGreaterThanOrEqual(DAYS - 1);
  }, 300_000);
});
