import { Router } from 'express';
import { ControlRefusal } from '../control-refusal.js';
import {
  type Checks,
  count,
  fields,
  flag,
  integer,
  listOf,
  matching,
  nullable,
  object,
  oneOf,
  optional,
  presentFields,
  required,
  starCounts,
  text,
} from '../input.js';
import type { ListedItem } from '../stand-in.js';
import { type AccountBehavior, type AccountOptions, credentialsOf, RESTRICTIONS } from './accounts.js';
import { type Addon, type AddonBehavior, type AddonVersion, type Channel, currentOf, statusOf } from './addon.js';
import { userRating } from './ratings.js';
import { approve, pendingReviewOf, disable, reject } from './review.js';
import { addVersion } from './versions.js';
import type { FirefoxWorld } from './world.js';

/** https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/manifest.json/version */
const version = matching(/^(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){0,3}$/, 'a version such as 1.2.3');

const seconds = nullable(count);
const channelWord = oneOf(['listed', 'unlisted']);

const ACCOUNT_BEHAVIOR: Checks<AccountBehavior> = {
  isDisabled: flag,
  hasReadAgreement: flag,
  restriction: nullable(oneOf(RESTRICTIONS)),
  isThrottled: flag,
  validationPolls: integer(0, 1000),
};
const ADDON_BEHAVIOR: Checks<AddonBehavior> = {
  isDisabled: flag,
  missingMetadata: listOf(text),
  approveAfterSeconds: seconds,
  signAfterSeconds: seconds,
  averageDailyUsers: count,
  weeklyDownloads: count,
  stars: starCounts,
  ratings: listOf(userRating),
  replacedDigest: nullable(text),
};
const ADDON_OPTION_NAMES = ['issuer', 'guid', 'slug', 'name', 'channel', 'live', 'rejected', 'inReview'];

/** The routes under `/__sim/firefox`. */
export function firefoxControl(world: FirefoxWorld): Router {
  const router = Router();
  addAccountRoutes(router, world);
  addAddonRoutes(router, world);
  router.patch('/site', (req, res) => {
    const change = fields(req.body ?? {}, 'the site', ['readOnly', 'notice']);
    world.site.readOnly = optional(change, 'readOnly', flag) ?? world.site.readOnly;
    const notice = optional(change, 'notice', nullable(text));
    if (notice !== undefined) world.site.notice = notice;
    res.json(world.site);
  });
  return router;
}

/** Creates what `POST /__sim/seed` contains under `firefox`: accounts, each with its add-ons. */
export function seedFirefox(world: FirefoxWorld, body: unknown): unknown {
  const from = fields(body, 'firefox', ['accounts']);
  const list = required(from, 'accounts', listOf(object));
  return {
    accounts: list.map(({ addons, ...options }) => {
      const account = world.accounts.create(readAccount(options));
      const wanted = addons === undefined ? [] : listOf(object)(addons, 'addons');
      const made = wanted.map((addon) => view(createAddon(world, { ...addon, issuer: account.issuer })));
      return { ...credentialsOf(account), addons: made };
    }),
  };
}

/** An add-on as the Developer Hub lists it. */
export const listed = (addon: Addon): ListedItem => ({
  id: addon.guid,
  name: addon.name,
  path: `/firefox/addons/${encodeURIComponent(addon.guid)}`,
  inReview: pendingReviewOf(addon)?.version ?? null,
  versions: addon.versions.toReversed().map(({ version: number, status }) => ({ version: number, state: status })),
  approveAfterSeconds: addon.approveAfterSeconds,
});

function addAccountRoutes(router: Router, { accounts }: FirefoxWorld): void {
  router.post('/accounts', (req, res) => {
    res.status(201).json(credentialsOf(accounts.create(readAccount(req.body ?? {}))));
  });
  router.patch('/accounts/:issuer', (req, res) => {
    const account = accounts.named(req.params.issuer);
    Object.assign(
      account,
      presentFields(fields(req.body ?? {}, 'an account', Object.keys(ACCOUNT_BEHAVIOR)), ACCOUNT_BEHAVIOR),
    );
    res.status(204).end();
  });
  router.post('/accounts/:issuer/revoke', (req, res) => {
    accounts.named(req.params.issuer).isRevoked = true;
    res.status(204).end();
  });
  router.post('/accounts/:issuer/rotate', (req, res) => {
    res.json(accounts.rotate(accounts.named(req.params.issuer)));
  });
}

function addAddonRoutes(router: Router, world: FirefoxWorld): void {
  router.post('/addons', (req, res) => {
    res.status(201).json(view(createAddon(world, req.body ?? {})));
  });
  router.get('/addons/:guid', (req, res) => {
    res.json(view(requireAddon(world, req.params.guid)));
  });
  router.patch('/addons/:guid', (req, res) => {
    const addon = requireAddon(world, req.params.guid);
    Object.assign(
      addon,
      presentFields(fields(req.body ?? {}, 'an add-on', Object.keys(ADDON_BEHAVIOR)), ADDON_BEHAVIOR),
    );
    res.json(view(addon));
  });
  for (const [action, act] of Object.entries(ACTIONS)) {
    router.post(`/addons/:guid/${action}`, (req, res) => {
      const addon = requireAddon(world, req.params.guid);
      act(addon, optional(fields(req.body ?? {}, 'an action', ['channel']), 'channel', channelWord));
      res.json(view(addon));
    });
  }
}

/** Actions of reviewers, or of the developer in the Developer Hub, on an add-on or its version in review. */
const ACTIONS: Readonly<Record<string, (addon: Addon, channel?: Channel) => void>> = {
  approve: (addon, channel) => approve(inReview(addon, channel)),
  reject: (addon, channel) => reject(inReview(addon, channel)),
  cancel: (addon, channel) => disable(inReview(addon, channel)),
  takedown: (addon) => {
    addon.isTakenDown = true;
  },
  delete: (addon, channel) => {
    const deleted = inReview(addon, channel);
    addon.versions = addon.versions.filter((one) => one !== deleted);
    addon.usedNumbers.push(deleted.version);
  },
};

function inReview(addon: Addon, channel?: Channel): AddonVersion {
  const found = pendingReviewOf(addon, channel);
  if (!found) throw new ControlRefusal(409, `add-on ${addon.guid} has nothing in review`);
  return found;
}

function requireAddon(world: FirefoxWorld, guid: string): Addon {
  const addon = world.addon(guid);
  if (!addon) throw new ControlRefusal(404, `no add-on ${guid}`);
  return addon;
}

/** An add-on as the control plane returns it. */
export interface AddonView extends Addon {
  readonly status: ReturnType<typeof statusOf>;
  /** The listed version that users are given. */
  readonly live: string | null;
}

const view = (addon: Addon): AddonView => ({
  ...addon,
  status: statusOf(addon),
  live: currentOf(addon, 'listed')?.version ?? null,
});

function createAddon(world: FirefoxWorld, body: unknown): Addon {
  const from = fields(body, 'an add-on', [...ADDON_OPTION_NAMES, ...Object.keys(ADDON_BEHAVIOR)]);
  const account = world.accounts.named(required(from, 'issuer', text));
  const behavior = presentFields(from, ADDON_BEHAVIOR);
  const channel = optional(from, 'channel', channelWord) ?? 'listed';
  const [live, rejected, waiting] = ['live', 'rejected', 'inReview'].map((name) => optional(from, name, version));
  const addon = world.createAddon(account, {
    guid: optional(from, 'guid', text),
    slug: optional(from, 'slug', text),
    name: optional(from, 'name', text),
  });
  Object.assign(addon, behavior);
  const made = { channel, createdAt: world.clock.now(), file: null } as const;
  if (live !== undefined) addVersion(addon, { ...made, id: world.newVersionId(), version: live, status: 'public' });
  if (rejected !== undefined)
    addVersion(addon, { ...made, id: world.newVersionId(), version: rejected, status: 'disabled' });
  if (waiting !== undefined) addVersion(addon, { ...made, id: world.newVersionId(), version: waiting });
  return addon;
}

function readAccount(body: unknown): AccountOptions {
  const from = fields(body, 'an account', ['issuer', 'secret', 'name', ...Object.keys(ACCOUNT_BEHAVIOR)]);
  return {
    issuer: optional(from, 'issuer', text),
    secret: optional(from, 'secret', text),
    name: optional(from, 'name', text),
    ...presentFields(from, ACCOUNT_BEHAVIOR),
  };
}
