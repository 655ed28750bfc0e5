import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/common/http/index.js';
import { CHECKOUTS } from '../licensing/buying/checkout-addresses.js';
import { Browser } from '../licensing/buyer/buyer.js';
import type { Answer, Identity } from '../support/api.js';
import { ExportWorker, type World, RouteTable } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import type { SmtpServer } from '../support/smtp-server.js';
import { type Said, StatementListener } from '../support/statement-listener.js';
import { ManyRows } from './many-rows.js';
import { Resources } from './every-resource.js';
import { GROWING } from './growing.js';
import { grows, isRead, workOf } from './work.js';
import { WRITES } from './writes.js';

const FEW = 5;
const MANY = 60;
/** Enough rows that each filter fills a page of {@link PAGE}. */
const HUNDREDS = 300;
const PAGE = 20;
/** The most that a reading route needs: who asks, whose it is, the rows, and twice what belongs to them. */
const MAX_TO_READ = 5;
/** Those that need more: a look at every store, figures that are all of one snapshot, and the checks of a whole instance. */
const NEED_MORE: Needs = {
  ReconcileController_plan: 9,
  ReconcileController_nextSteps: 9,
  InstanceController_show: 9,
  HealthController_prometheus: 7,
  AnalyticsController_report: 12,
  AnalyticsController_overview: 8,
  OverviewController_show: 6,
  'OverviewController_show sort=attention': 7,
  BuyerController_showLicenses: 6,
};
/** The most that a writing route needs: a buyer's last license is erased with everything that names the buyer. */
const MAX_TO_WRITE = 27;
/** A sale that is handled again, after a look at what no plan lists of it. */
const MAX_TO_MARK = 25;
/** The same, between a look at the order and another one for the answer, with the plan's products listed. */
const MAX_TO_ASSIGN = 46;
/** A round with a store, which ends in news for everybody who listens. */
const MAX_TO_RECONCILE = 29;
/** For each target whose store is asked what it has: whether its store may be asked now, the pinned version, its releases, whether it was approved, the credential to ask with, and what its store throttles. */
const TO_LOOK = 6;

/** Lists whose length follows from something else than how much a tenant has. */
const FIXED: readonly string[] = [
  'StoresController_list',
  'FindingsController_list',
  'ArtifactsController_get',
  'AuthController_me',
  'LicensingController_leaseKeys',
  'AnalyticsController_report',
  'AuditController_list',
  'InstanceController_show',
  'PackageRefusalsController_list',
  'InstanceController_tenants',
  'InboxController_summarize',
  'SalesController_summarize',
  'OverviewController_showWeek',
  'ImportsController_get',
  'ListingsController_report',
  'ReviewsController_summarize',
];

/** Numbers by what they are of. */
type Needs = Readonly<Record<string, number>>;

interface Shape {
  readonly $ref?: string;
  readonly items?: Shape;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema?: Shape }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: Shape }>> }>>;
}

describe('every route', () => {
  let smtp: SmtpServer;
  let world: World;
  let resources: Resources;
  let manyRows: ManyRows;
  /** Rows of another tenant, among which those of the first have to be found. */
  let others: ManyRows;
  let statements: StatementListener;
  let buyer: Browser;
  let few: { readonly needs: Needs; readonly listed: Needs };
  let fewWrites: Needs;
  beforeAll(async () => {
    const caps = {
      MAX_TARGETS_PER_EXTENSION: '1000',
      MAX_PLANS_PER_EXTENSION: '1000',
      MAX_ACCESS_TOKENS: '1000',
      MAX_MEMBERS: '1000',
    };
    ({ smtp, world } = await startMailingWorld({ ...caps, DEFAULT_TENANT_QUOTA: 'unlimited' }));
    resources = await Resources.in(world);
    statements = StatementListener.of(world);
    manyRows = new ManyRows(world, resources.owner);
    buyer = new Browser(world, smtp);
    await buyer.enter(await furnish(resources));
    const other = await Resources.in(world);
    await furnish(other);
    others = new ManyRows(world, other.owner);
    await manyRows.grow(FEW - 1);
    // The writes come first: keys are made by the first who asks for them, and the use of a token is noted once a minute.
    fewWrites = await writeAll(FEW);
    few = await readAll();
    await manyRows.grow(MANY - 1);
  }, 120_000);
  afterAll(() => world.close());

  /** Makes resources that the tenant does not have yet. @returns the buyer of its license */
  const furnish = async ({ owner }: Resources): Promise<string> => {
    const api = world.api.as(owner);
    expectStatus(await api.post(`/extensions/${owner.extensionId}/reconcile`), 200);
    const { id, planId, buyerEmail } = expectStatus(await api.get('/licenses'), 200).body.items[0];
    const products = Object.entries(CHECKOUTS).map(([processor, { url: checkoutUrl }]) => ({
      processor,
      productId: 'plink_1',
      checkoutUrl,
    }));
    expectStatus(await api.call('PUT', `/plans/${planId}/products`, products), 200);
    const { code } = expectStatus(await api.post(`/licenses/${id}/rotate`), 200).body;
    const device = { code, extensionId: owner.extensionId, fingerprint: 'a device' };
    expectStatus(await world.api.post('/licensing/activate', device), 200);
    await world.app.get(ExportWorker).tick();
    const deletion = { password: owner.password, tenantName: 'Author' };
    expectStatus(await world.api.as({ cookie: owner.cookie }).post('/tenant/deletion', deletion), 201);
    return buyerEmail;
  };

  /** Without those that send a browser to an identity provider and back, for which there is no provider here. */
  const reading = (): readonly Route[] =>
    resources.routes.filter(({ method, path }) => method === 'GET' && !/\/auth\/oidc(\/callback)?$/.test(path));
  /** The pages, and what watches over the process. */
  const outside = (): readonly Route[] =>
    world.app
      .get(RouteTable)
      .routes.filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/') && !path.includes('{'))
      // It needs a link.
      .filter(({ path }) => path !== '/buyer/restore');

  const identityOf = ({ access }: Route): Identity => {
    const { token, cookie } = resources.owner;
    return access.kind === 'bearer' ? { token } : 'permission' in access ? { cookie } : {};
  };
  const operationOf = ({ operationId }: Route): Operation | undefined =>
    Object.values(world.document.paths)
      .flatMap((path) => Object.values(path) as Operation[])
      .find((operation) => operation.operationId === operationId);

  /** The paths at which a route is asked: as it is, and with each value of each choice that it offers. */
  const pathsOf = (route: Route, page = 100): readonly (readonly [path: string, choice: string])[] => {
    const { parameters = [] } = operationOf(route) ?? {};
    const path = resources.pathOf(route);
    const limit = parameters.some(({ name }) => name === 'limit') ? `limit=${page}` : '';
    const choices = parameters.flatMap(({ in: where, name, schema }) =>
      where === 'query' ? (schema?.enum ?? []).map((value) => `${name}=${value}`) : [],
    );
    return ['', ...choices].map((choice) => {
      const query = [limit, choice].filter(Boolean).join('&');
      return [query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`, choice] as const;
    });
  };

  /** How long the lists in an answer are together; null where its description has no list of things. */
  const listedIn = (route: Route, { body }: Answer): number | null => {
    const { schema } = operationOf(route)?.responses['200']?.content?.['application/json'] ?? {};
    const schemas = world.document.components?.schemas as Readonly<Record<string, Shape>>;
    const shape = schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? ''];
    const lists = Object.entries(shape?.properties ?? {}).filter(([, { items }]) => items?.$ref !== undefined);
    return lists.length === 0 || FIXED.includes(route.operationId)
      ? null
      : lists.reduce((sum, [name]) => sum + body[name].length, 0);
  };

  /** What each reading route needs, and how much it lists. */
  const readAll = async (): Promise<{ readonly needs: Needs; readonly listed: Needs }> => {
    const needs: [string, number][] = [];
    const listed: [string, number][] = [];
    for (const route of reading())
      for (const [path, choice] of pathsOf(route)) {
        const { answer, said } = await statements.during(() => world.api.as(identityOf(route)).get(path));
        const name = [route.operationId, choice].filter(Boolean).join(' ');
        const length = listedIn(route, expectStatus(answer, 200));
        needs.push([name, said.length]);
        if (length !== null) listed.push([name, length]);
      }
    for (const { path, operationId } of outside()) {
      const { answer, said } = await statements.during(() => buyer.get(path));
      expect([path, answer.status < 400]).toEqual([path, true]);
      needs.push([operationId, said.length]);
    }
    return { needs: Object.fromEntries(needs), listed: Object.fromEntries(listed) };
  };

  /** The statements by which each reading route of the API reads, and the operation. */
  const readings = async (): Promise<readonly (readonly [operation: string, said: Said])[]> => {
    const all: (readonly [string, Said])[] = [];
    for (const route of reading())
      for (const [path] of pathsOf(route, PAGE)) {
        const { answer, heard } = await statements.hearDuring(() => world.api.as(identityOf(route)).get(path));
        expectStatus(answer, 200);
        all.push(...heard.filter(isRead).map((said) => [route.operationId, said] as const));
      }
    return all;
  };

  const writeAll = async (many: number): Promise<Needs> => {
    const needs: [string, number][] = [];
    for (const [operation, prepare] of Object.entries(WRITES)) {
      const ask = await prepare({ world, resources, manyRows, many });
      const { answer, said } = await statements.during(ask);
      expect(`${operation} ${answer.status} ${answer.text}`).toMatch(/^\w+ 20[0124] /);
      needs.push([operation, said.length]);
    }
    return Object.fromEntries(needs);
  };

  it('that reads runs as many statements for sixty rows of everything as for five, and a handful at most', async () => {
    expect([reading().length, outside().length]).toEqual([expect.any(Number), 19]);
    expect(reading().length).toBeGreaterThanOrEqual(26);
    const many = await readAll();
    expect(many.needs).toEqual(few.needs);
    expect(many.needs).toMatchObject(NEED_MORE);
    const others = Object.entries(many.needs).filter(([name]) => NEED_MORE[name.split(' ')[0] ?? ''] === undefined);
    expect(Math.max(...others.map(([, need]) => need))).toBe(MAX_TO_READ);
    // A list that has not grown was not tried: a new one wants its rows in ManyRows.
    for (const [name, length] of Object.entries(many.listed))
      expect([name, length - (few.listed[name] ?? 0) >= FEW]).toEqual([name, true]);
  });

  it('that writes runs as many statements, however many rows depend on what it writes', async () => {
    const known = resources.routes.map(({ operationId }) => operationId);
    expect(Object.keys(WRITES).filter((operation) => !known.includes(operation))).toEqual([]);
    const many = await writeAll(MANY);
    expect(many).toEqual(fewWrites);
    const {
      ReconcileController_reconcile: round,
      InboxController_markUnrelated: mark,
      OrdersController_assignPlan: assign,
      ...others
    } = many;
    expect(Math.max(...Object.values(others))).toBe(MAX_TO_WRITE);
    expect(round).toBe(MAX_TO_RECONCILE);
    expect(mark).toBe(MAX_TO_MARK);
    expect(assign).toBe(MAX_TO_ASSIGN);
  });

  it('that asks stores runs a few more statements for each store, and none for disabled targets', async () => {
    const { owner } = resources;
    const plan = () => world.api.as(owner).get(`/extensions/${owner.extensionId}/next-steps`);
    const need = async () => (await statements.during(plan)).said.length;
    const before = await need();
    for (const more of [1, 2]) {
      const { itemId } = await world.control.chromeItem({ publisherId: owner.publisherId });
      const settings = { store: 'chrome', storeItemId: itemId, credentialId: owner.credentialId, enabled: true };
      expectStatus(await world.api.as(owner).post(`/extensions/${owner.extensionId}/targets`, settings), 201);
      expect(await need()).toBe(before + more * TO_LOOK);
    }
  });

  it('that reads does hardly more work for ten times as many rows, unless a list says why', async () => {
    const growTo = async (rows: number): Promise<void> => {
      for (const tenant of [manyRows, others]) await tenant.grow(rows);
    };
    await growTo(HUNDREDS);
    const asked = await readings();
    const said = asked.map(([, one]) => one);
    const before = await workOf(world, said);
    await growTo(10 * HUNDREDS);
    const after = await workOf(world, said);
    const grown = asked.flatMap(([operation, one]) => {
      const [less, more] = [before(one), after(one)];
      return grows(less, more) ? [{ operation, less, more, text: one.text }] : [];
    });
    expect(grown.filter(({ operation }) => GROWING[operation] === undefined)).toEqual([]);
    // The list only gets shorter: what no longer grows leaves it.
    const growing = new Set(grown.map(({ operation }) => operation));
    expect(Object.keys(GROWING).filter((operation) => !growing.has(operation))).toEqual([]);
  });
});
