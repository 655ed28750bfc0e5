import { CHROME, FIREFOX, pingAll, rollUp, type Sent } from '../../analytics/install.js';
import { newGuid, testStoreAt, type TestStore } from '../../reconcile/test-stores.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { expectStatus, type Tenant } from '../../support/given.js';
import { packageOf } from '../../support/packages.js';
import { FirefoxControl } from '../../../sandbox/firefox/firefox-control.js';
import { DataSource, type World } from '../../support/app.js';
import type { StoreId } from '../../../src/stores/index.js';

const EDGE = `${CHROME} Edg/131.0.0.0`;
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15';
const BROWSERS = [CHROME, CHROME, CHROME, FIREFOX, EDGE, SAFARI];
const ALL: readonly StoreId[] = ['chrome', 'firefox', 'edge', 'safari'];
const NEVER = null;

/** An extension of the studio, with its items at stores. */
export interface Title {
  readonly id: string;
  readonly name: string;
  readonly guid: string;
  readonly testStores: ReadonlyMap<StoreId, TestStore>;
}

interface Known {
  readonly store: string;
  readonly label: string | null;
}

/** A tenant as it is after some months: several extensions, versions at every point of their way, buyers and installs. */
export class Studio {
  private constructor(
    private readonly world: World,
    readonly owner: Tenant,
    /** The first extension, whose installs were counted since. */
    readonly first: string,
  ) {}

  /** Opens a studio and lets so many days pass, in which its first extension has more installs from day to day, fewer on weekends. */
  static async of(world: World, days: number, installs: number): Promise<Studio> {
    const person = { email: 'ann@studio.example', password: 'correct horse battery staple' };
    expectStatus(await world.api.post('/auth/signup', { ...person, tenantName: 'Studio Ann' }), 201);
    const extensionId = await world.given.extension(await world.given.loggedIn(person), 'Tab Counter');
    for (let day = 0; day <= days; day += 1) {
      const isWeekend = [0, 6].includes(world.clock.now().getUTCDay());
      const count = Math.round(installs * (0.4 + (0.6 * day) / days) * (isWeekend ? 0.8 : 1));
      await pingAll(world, sentOn(day / days, extensionId, count));
      await rollUp(world);
      if (day < days) await world.forward(DAY);
    }
    return Studio.around(world, await world.given.loggedIn(person), extensionId);
  }

  /** The studio of somebody who has an account and a first extension already. Its token outlives the hours that reviews take. */
  static async around(world: World, owner: Tenant, first: string): Promise<Studio> {
    return new Studio(world, { ...owner, token: await world.given.token(owner) }, first);
  }

  private get api() {
    return this.world.api.as({ token: this.owner.token });
  }

  /** Registers an extension, with an item and a key at each of some stores. */
  async title(name: string, stores: readonly StoreId[] = ALL, known?: string): Promise<Title> {
    const id = known ?? (await this.world.given.extension(this.owner, name));
    const guid = newGuid();
    const testStores = new Map<StoreId, TestStore>();
    for (const store of stores) {
      const testStore = await testStoreAt(store, this.world.sandbox.url, guid);
      const key = { store, label: name, credentials: testStore.credentials };
      const cookie = { cookie: this.owner.cookie };
      const credential = expectStatus(await this.world.api.as(cookie).post('/credentials', key), 201).body;
      const targetId = await this.world.given.targetOf(this.owner, id, store);
      const settings = { ...testStore.settings, credentialId: credential.id, enabled: true };
      expectStatus(await this.api.patch(`/extensions/${id}/targets/${targetId}`, settings), 200);
      testStores.set(store, testStore);
    }
    return { id, name, guid, testStores };
  }

  /** Pushes a version, and waits until every store has it as far as it goes by itself. */
  async push(title: Title, version: string): Promise<void> {
    await this.pin(title, version);
    await this.work();
  }

  private async pin({ id, guid, name }: Title, version: string): Promise<void> {
    const browsers = {
      browser_specific_settings: { gecko: { id: guid, data_collection_permissions: { required: ['none'] } } },
    };
    const zip = await packageOf(version, { name, ...browsers });
    expectStatus(await this.api.push({ extension: id, version }, new Uint8Array(zip)), 201);
  }

  /** Lets the service work for an hour. */
  async work(): Promise<void> {
    for (let round = 0; round < 6; round += 1) {
      await this.world.tick();
      await this.world.forward(10 * MINUTE);
    }
  }

  /** Leaves the reviews of an extension open from now on, at some of its stores. */
  async holdReviews({ testStores }: Title, stores: readonly StoreId[]): Promise<void> {
    for (const store of stores) await testStores.get(store)?.review(NEVER);
  }

  /** Changes settings of an extension at a store, and lets the service act on them. */
  async set(title: Title, store: StoreId, settings: object): Promise<void> {
    expectStatus(
      await this.api.patch(`/extensions/${title.id}/targets/${await this.targetOf(title, store)}`, settings),
      200,
    );
    await this.work();
  }

  /** Holds back everything that would be done for an extension at a store. */
  async pause(title: Title, store: StoreId): Promise<void> {
    const path = `/extensions/${title.id}/targets/${await this.targetOf(title, store)}/pause`;
    expectStatus(await this.api.post(path), 200);
    await this.work();
  }

  targetOf({ id }: Title, store: StoreId): Promise<string> {
    return this.world.given.targetOf(this.owner, id, store);
  }

  /** A store has counted so many users of an extension yesterday. */
  async count(title: Title, store: StoreId, users: number): Promise<void> {
    const yesterday = new Date(this.world.clock.now().getTime() - DAY);
    await this.query(`insert into store_figure values ($1, $2, 'users', '', '', $3)`, [
      await this.targetOf(title, store),
      yesterday,
      users,
    ]);
  }

  /** Registers so many more extensions, each at four stores and at some point of its version's way. Their ids are the same each time, and with them their order. */
  async furnish(extensions: number): Promise<void> {
    await this.query(
      `with made as (
         insert into extension (id, created_at, updated_at, tenant_id, name, name_key, licensing_enabled, replaced_code_days, offline_grace_days, analytics_enabled)
         select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $3, $3, $1, name, lower(name), false, 7, 14, true
           from (select n, 'Extension ' || n || repeat(' with a long name', n % 4) as name from generate_series(1, $2::int) n) named
         returning id, name
       ), placed as (
         insert into target (id, created_at, updated_at, extension_id, tenant_id, store, enabled, platforms, on_pending, channel, release_mode, skip_review, paused)
         select gen_random_uuid(), $3, $3, made.id, $1, store, true, '{}', 'wait', '', 'auto', false, false
           from made, unnest('{chrome,firefox,edge,safari}'::text[]) store
         returning id, extension_id, store
       )
       insert into target_status (target_id, revision, phase, phase_since, message, live_version, desired_version, platform_statuses, failures, checks_in_phase, refusable)
       select placed.id, 1, (array['live','live','in_review','live','releasing'])[1 + (row_number() over (order by name, store))::int % 5], $3::timestamptz - interval '3 hours', '', '1.3.2', '1.4.0', '{}', 0, 0, false
         from placed join made on made.id = placed.extension_id`,
      [this.owner.tenantId, extensions, this.world.clock.now()],
    );
  }

  private query(sql: string, values: readonly unknown[]): Promise<unknown> {
    return this.world.app.get(DataSource).query(sql, [...values]);
  }

  /** Firefox rejects the version of an extension that is in review there. */
  async refuse({ guid }: Title): Promise<void> {
    await new FirefoxControl(this.world.sandbox.url).addonAct(guid, 'reject');
  }

  /** The key of an extension at a store lapses in so many days. */
  async lapse({ name }: Title, store: StoreId, days: number): Promise<void> {
    const cookie = { cookie: this.owner.cookie };
    const { items } = expectStatus(await this.world.api.as(cookie).get('/credentials?limit=100'), 200).body;
    const { id } = items.find((one: Known) => one.store === store && one.label === name);
    const expiresAt = new Date(this.world.clock.now().getTime() + days * DAY).toISOString();
    expectStatus(await this.world.api.as(cookie).patch(`/credentials/${id}`, { expiresAt }), 200);
  }

  /** Brings a build to the App Store, as Xcode does. */
  async deliver({ testStores }: Title, version: string): Promise<void> {
    await testStores.get('safari')?.deliver(version);
  }

  /** Sells licenses of two plans to as many buyers. */
  async sell({ id }: Title, buyers: number): Promise<void> {
    const tiers = [
      { tier: 'pro', maxActivations: 3 },
      { tier: 'team', maxActivations: 25 },
    ];
    const plans: string[] = [];
    for (const plan of tiers)
      plans.push(expectStatus(await this.api.post('/plans', { extensionId: id, ...plan }), 201).body.id);
    for (let buyer = 0; buyer < buyers; buyer += 1) {
      const buyerEmail = `${NAMES[buyer % NAMES.length]}${buyer < NAMES.length ? '' : buyer}@example.com`;
      const planId = plans[buyer % 5 === 0 ? 1 : 0];
      const expiresAt = new Date(this.world.clock.now().getTime() + (40 + buyer * 9) * DAY).toISOString();
      const { code, id: licenseId } = expectStatus(
        await this.api.post('/licenses', { planId, buyerEmail, expiresAt }),
        201,
      ).body;
      for (let device = 0; device < buyer % 4; device += 1) {
        const asked = { code, extensionId: id, fingerprint: `device ${device}`, deviceInfo: 'Chrome on Windows' };
        await this.world.api.post('/licensing/activate', asked);
      }
      if (buyer % 11 === 7) expectStatus(await this.api.post(`/licenses/${licenseId}/suspend`), 200);
    }
  }
}

/** What installs of an extension send on a day; the newest version spreads in the last weeks. */
const sentOn = (share: number, extensionId: string, count: number): readonly Sent[] =>
  Array.from({ length: count }, (_, install) => ({
    extensionId,
    installId: `install ${install}`.padEnd(16, '.'),
    version: share > 0.6 && install % 3 !== 0 ? '1.3.2' : '1.3.1',
    language: ['en', 'de', 'fr', 'ja'][install % 4] ?? 'en',
    userAgent: BROWSERS[install % BROWSERS.length] ?? CHROME,
  }));

const NAMES = [
  'bo',
  'carla',
  'dmitri',
  'eve',
  'farah',
  'guillermo',
  'hana',
  'ivo',
  'jun',
  'kofi',
  'lena',
  'maría',
  'nils',
].map((name) => name.normalize('NFD').replaceAll(/[^a-z]/g, ''));
