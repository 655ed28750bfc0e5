import express, { type ErrorRequestHandler, Router } from 'express';
import { ControlRefusal } from './control-refusal.js';
import { describeFault, readFaultDefinition } from './fault-input.js';
import type { FaultRegistry, FaultDefinition } from './faults.js';
import { type Check, fields, InvalidInput, integer, listOf, required, text } from './input.js';
import type { RequestLog } from './request-log.js';
import type { SimClock } from './sim-clock.js';
import type { StandIn } from './stand-in.js';

/** How far the sandbox's time may be moved at once, forward or, for what is to have happened before now, back. */
const MOST_SECONDS = 10 * 366 * 86_400;

/** The parts of the sandbox that the control plane changes. */
export interface SandboxParts {
  readonly standIns: readonly StandIn[];
  readonly faults: FaultRegistry;
  readonly log: RequestLog;
  readonly clock: SimClock;
}

/** A rejection as the store's mail reports it; its API gives no reason. */
export interface Rejection {
  readonly store: string;
  /** Of the item. */
  readonly name: string;
  readonly version: string;
  readonly reason: string;
}

const rejection: Check<Rejection> = (value, what) => {
  const from = fields(value, what, ['store', 'name', 'version', 'reason']);
  const read = (name: string): string => required(from, name, text);
  return { store: read('store'), name: read('name'), version: read('version'), reason: read('reason') };
};

/** The routes under `/__sim`: those for all stores, and each stand-in's own under its id. */
export function controlPlane(controlled: SandboxParts): Router {
  const router = Router();
  // Every body is read as JSON, whatever content type `curl -d` sends.
  router.use(express.json({ limit: '1mb', type: () => true }));
  addWorldRoutes(router, controlled);
  addFaultRoutes(router, controlled);
  for (const standIn of controlled.standIns) router.use(`/${standIn.id}`, standIn.control);
  router.use((req, res) => {
    res.status(404).json({ error: `no control route ${req.method} /__sim${req.path}` });
  });
  router.use(controlErrors);
  return router;
}

/** One account and one item for each store, as the command line and an empty `POST /__sim/seed` create them. */
export async function seedDemo(standIns: readonly StandIn[]): Promise<Record<string, unknown>> {
  const seeded: Record<string, unknown> = {};
  for (const standIn of standIns) seeded[standIn.id] = await standIn.demo();
  return seeded;
}

function addWorldRoutes(router: Router, { standIns, faults, log, clock }: SandboxParts): void {
  let rejections: readonly Rejection[] = [];
  router.post('/reset', (_req, res) => {
    for (const standIn of standIns) standIn.reset();
    faults.clear();
    log.clear();
    clock.reset();
    rejections = [];
    res.status(204).end();
  });
  router.post('/seed', async (req, res) => {
    const ids = standIns.map(({ id }) => id);
    const wanted = fields(req.body ?? {}, 'a seed', ids);
    if (Object.keys(wanted).length === 0) {
      res.status(201).json(await seedDemo(standIns));
      return;
    }
    const seeded: Record<string, unknown> = {};
    for (const standIn of standIns) {
      const options = wanted[standIn.id];
      if (options !== undefined) seeded[standIn.id] = await standIn.seed(options);
    }
    res.status(201).json(seeded);
  });
  router.get('/items', (_req, res) => {
    res.json({
      items: standIns.flatMap((standIn) => standIn.items().map((item) => ({ store: standIn.id, ...item }))),
    });
  });
  router.get('/rejections', (_req, res) => {
    res.json({ rejections });
  });
  router.put('/rejections', (req, res) => {
    rejections = required(fields(req.body, 'the mail', ['rejections']), 'rejections', listOf(rejection));
    res.status(204).end();
  });
  router.get('/clock', (_req, res) => {
    res.json({ now: clock.now(), aheadSeconds: clock.aheadSeconds });
  });
  router.post('/clock', (req, res) => {
    const body = fields(req.body ?? {}, 'a clock change', ['advanceSeconds']);
    clock.advance(required(body, 'advanceSeconds', integer(-MOST_SECONDS, MOST_SECONDS)));
    res.json({ now: clock.now(), aheadSeconds: clock.aheadSeconds });
  });
  router.get('/requests', (req, res) => {
    const query = queryTexts(req.query, ['store', 'operation', 'publisherId', 'itemId', 'since']);
    const since = query.since === undefined ? undefined : Number(query.since);
    res.json({ requests: log.find({ ...query, since }) });
  });
}

function addFaultRoutes(router: Router, { standIns, faults }: SandboxParts): void {
  router.post('/faults', (req, res) => {
    const fault = resolveTokenTarget(readFaultDefinition(req.body), standIns);
    assertReachable(fault, standIns);
    res.status(201).json(describeFault(faults.add(fault)));
  });
  router.get('/faults', (_req, res) => {
    res.json({ faults: faults.list().map(describeFault) });
  });
  router.delete('/faults', (req, res) => {
    res.json({ cleared: faults.clear(queryTexts(req.query, ['publisherId', 'itemId'])) });
  });
  router.delete('/faults/:id', (req, res) => {
    if (!faults.remove(req.params.id)) throw new ControlRefusal(404, `no fault ${req.params.id}`);
    res.status(204).end();
  });
}

/** A token call names no item, so a fault for the token calls of an item is applied to the item's account. */
function resolveTokenTarget(fault: FaultDefinition, standIns: readonly StandIn[]): FaultDefinition {
  const { itemId, operation, publisherId } = fault.target;
  if (operation !== 'token' || itemId === undefined || publisherId !== undefined) return fault;
  const owner = standIns.map((standIn) => standIn.publisherOf(itemId)).find((id) => id !== undefined);
  if (owner === undefined) throw new ControlRefusal(404, `no item ${itemId}`);
  return { ...fault, target: { ...fault.target, itemId: undefined, publisherId: owner } };
}

/** A fault for an unknown store or operation would never occur, and its test would pass without testing anything. */
function assertReachable({ target }: FaultDefinition, standIns: readonly StandIn[]): void {
  const aimed = standIns.filter(({ id }) => target.store === undefined || target.store === id);
  const operations = aimed.flatMap(({ routes }) => routes.map((route) => route.operation));
  if (aimed.length === 0) throw new InvalidInput(`there is no store "${target.store}"`);
  if (target.operation === undefined || operations.includes(target.operation)) return;
  throw new InvalidInput(`there is no operation "${target.operation}"; there are ${operations.join(', ')}`);
}

function queryTexts(query: unknown, allowed: readonly string[]): Partial<Record<string, string>> {
  const given = fields(query, 'the query', allowed);
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, text(value, name)]));
}

const controlErrors: ErrorRequestHandler = (error: unknown, _req, res, _next) => {
  const known = error instanceof ControlRefusal ? error.status : isBadRequest(error) ? 400 : 500;
  res.status(known).json({ error: error instanceof Error ? error.message : String(error) });
};

function isBadRequest(error: unknown): boolean {
  return error instanceof InvalidInput || (error instanceof Error && 'status' in error && error.status === 400);
}
