import { Router } from 'express';
import { ControlRefusal } from '../control-refusal.js';
import { type Fields, fields, listOf, matching, object, oneOf, optional, required, text } from '../input.js';
import type { ListedItem } from '../stand-in.js';
import type { Account, AccountOptions, PrincipalKind } from './accounts.js';
import { type Item, publishedState } from './item.js';
import { applyItemInput, ITEM_FIELDS } from './item-input.js';
import { approve, closeSubmission } from './review.js';
import type { ChromeWorld } from './world.js';

const REVOCABLE = [
  'all',
  'accessTokens',
  'serviceAccountKey',
  'serviceAccount',
  'refreshToken',
  'oauthClient',
] as const;
const PRINCIPALS = ['serviceAccount', 'oauth'] as const;

/** The routes under `/__sim/chrome`. */
export function chromeControl(world: ChromeWorld): Router {
  const router = Router();
  addAccountRoutes(router, world);
  addItemRoutes(router, world);
  return router;
}

/** Creates what `POST /__sim/seed` contains under `chrome`: accounts, each with its items. */
export async function seedChrome(world: ChromeWorld, body: unknown): Promise<unknown> {
  const from = fields(body, 'chrome', ['accounts']);
  const accounts: unknown[] = [];
  for (const options of required(from, 'accounts', listOf(object))) {
    const { items: wanted, ...rest } = options;
    const credentials = await world.accounts.create(readAccount(rest));
    const list = wanted === undefined ? [] : listOf(object)(wanted, 'items');
    const items = list.map((item) => createItem(world, { ...item, publisherId: credentials.publisherId }));
    accounts.push({ ...credentials, items });
  }
  return { accounts };
}

/** An item as the dashboard lists it. */
export function listed({ itemId, name, submitted, published, approveAfterSeconds, ...item }: Item): ListedItem {
  return {
    id: itemId,
    name,
    path: `/chrome/items/${itemId}`,
    inReview: submitted?.state === 'PENDING_REVIEW' ? submitted.package.version : null,
    versions: [
      ...(submitted ? [{ version: submitted.package.version, state: submitted.state }] : []),
      ...(published ? [{ version: published.package.version, state: publishedState(item) }] : []),
    ],
    approveAfterSeconds,
  };
}

function addAccountRoutes(router: Router, { accounts, tokens }: ChromeWorld): void {
  router.post('/accounts', async (req, res) => {
    res.status(201).json(await accounts.create(readAccount(req.body ?? {})));
  });
  router.post('/accounts/:key/revoke', (req, res) => {
    const what = optional(fields(req.body ?? {}, 'a revocation', ['what']), 'what', oneOf(REVOCABLE)) ?? 'all';
    for (const account of accounts.named(req.params.key)) {
      revoke(account, what);
      if (what === 'all' || what === 'accessTokens') {
        tokens.revoke(account.clientEmail);
        tokens.revoke(account.userEmail);
      }
    }
    res.status(204).end();
  });
  router.post('/accounts/:key/rotate', async (req, res) => {
    const [account] = accounts.named(req.params.key);
    if (account) res.json(await accounts.rotate(account));
  });
  for (const [action, attach] of [
    ['attach', true],
    ['detach', false],
  ] as const) {
    router.post(`/accounts/:key/${action}`, (req, res) => {
      const kinds = readPrincipals(req.body ?? {});
      for (const account of accounts.named(req.params.key)) accounts.setAttached(account, kinds, attach);
      res.status(204).end();
    });
  }
}

function addItemRoutes(router: Router, world: ChromeWorld): void {
  router.post('/items', (req, res) => {
    res.status(201).json(createItem(world, req.body ?? {}));
  });
  router.get('/items/:itemId', (req, res) => {
    res.json(requireItem(world, req.params.itemId));
  });
  router.patch('/items/:itemId', (req, res) => {
    const item = requireItem(world, req.params.itemId);
    res.json(world.save(applyItemInput(item, req.body ?? {}, world.clock.now())));
  });
  for (const [action, change] of Object.entries(REVIEWS)) {
    router.post(`/items/:itemId/${action}`, (req, res) => {
      res.json(world.save(change(requireItem(world, req.params.itemId), world.clock.now())));
    });
  }
}

/** Actions of reviewers, or of the developer in the dashboard, on an item. */
const REVIEWS: Readonly<Record<string, (item: Item, now: Date) => Item>> = {
  approve: (item, now) => approve(inState(item, ['PENDING_REVIEW']), now),
  reject: (item) => closeSubmission(inState(item, ['PENDING_REVIEW']), 'REJECTED'),
  cancel: (item) => closeSubmission(inState(item, ['PENDING_REVIEW', 'STAGED']), 'CANCELLED'),
  takedown: (item) => ({ ...item, takenDown: true }),
  warn: (item) => ({ ...item, warned: true }),
};

function inState(item: Item, states: readonly string[]): Item {
  const state = item.submitted?.state ?? 'nothing submitted';
  if (!states.includes(state)) throw new ControlRefusal(409, `item ${item.itemId} is ${state}`);
  return item;
}

function requireItem(world: ChromeWorld, itemId: string): Item {
  const item = world.item(itemId);
  if (!item) throw new ControlRefusal(404, `no item ${itemId}`);
  return item;
}

const itemIdText = matching(/^[a-p]{32}$/, '32 letters from a to p');

function createItem(world: ChromeWorld, body: unknown): Item {
  const { publisherId, itemId, ...rest } = fields(body, 'an item', ['publisherId', 'itemId', ...ITEM_FIELDS]);
  return world.createItem(
    required({ publisherId }, 'publisherId', text),
    optional({ itemId }, 'itemId', itemIdText),
    rest,
  );
}

function readAccount(body: unknown): AccountOptions {
  const from = fields(body, 'an account', ['publisherId', 'serviceAccount', 'oauth']);
  const service = part(from, 'serviceAccount', ['client_email', 'private_key', 'public_key']);
  const oauth = part(from, 'oauth', ['clientId', 'clientSecret', 'refreshToken']);
  return {
    publisherId: optional(from, 'publisherId', text),
    clientEmail: optional(service, 'client_email', text),
    privateKey: optional(service, 'private_key', text),
    publicKey: optional(service, 'public_key', text),
    clientId: optional(oauth, 'clientId', text),
    clientSecret: optional(oauth, 'clientSecret', text),
    refreshToken: optional(oauth, 'refreshToken', text),
  };
}

function part(from: Fields, key: string, allowed: readonly string[]): Fields {
  return optional(from, key, (value, what) => fields(value, what, allowed)) ?? {};
}

function readPrincipals(body: unknown): readonly PrincipalKind[] {
  const principal = optional(fields(body, 'the body', ['principal']), 'principal', oneOf(PRINCIPALS));
  return principal === undefined ? PRINCIPALS : [principal];
}

function revoke(account: Account, what: (typeof REVOCABLE)[number]): void {
  if (what === 'all' || what === 'serviceAccountKey') account.publicKey = null;
  if (what === 'all' || what === 'refreshToken') account.refreshTokenRevoked = true;
  if (what === 'serviceAccount') account.deleted = true;
  if (what === 'oauthClient') account.clientDeleted = true;
}
