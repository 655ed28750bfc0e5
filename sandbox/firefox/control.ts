import { Router } from 'express';
import { ControlRefusal } from '../control-refusal.js';
import {
  type Check,
  type Fields,
  fields,
  flag,
  InvalidInput,
  integer,
  listOf,
  nullable,
  oneOf,
  optional,
  required,
  text,
} from '../input.js';
import { type AccountKnobs, type AccountWish, credentialsOf, RESTRICTIONS } from './accounts.js';
import { type Addon, type AddonKnobs, type AddonVersion, type Channel, currentOf, statusOf } from './addon.js';
import { approve, awaiting, disable, reject } from './review.js';
import { addVersion } from './versions.js';
import type { FirefoxWorld } from './world.js';

/** https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/manifest.json/version */
const VERSION = /^(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){0,3}$/;

const seconds = nullable(integer(0, 1_000_000_000));
const channelWord = oneOf(['listed', 'unlisted']);

const ACCOUNT_KNOBS: { readonly [Name in keyof AccountKnobs]: Check<AccountKnobs[Name]> } = {
  isDisabled: flag,
  hasReadAgreement: flag,
  restriction: nullable(oneOf(RESTRICTIONS)),
  isThrottled: flag,
  validationPolls: integer(0, 1000),
};
const ADDON_KNOBS: { readonly [Name in keyof AddonKnobs]: Check<AddonKnobs[Name]> } = {
  isDisabled: flag,
  missingMetadata: listOf(text),
  approveAfterSeconds: seconds,
  signAfterSeconds: seconds,
};
const ADDON_WISHES = ['issuer', 'guid', 'slug', 'name', 'channel', 'live', 'inReview'];

const version: Check<string> = (value, what) => {
  const given = text(value, what);
  if (!VERSION.test(given)) throw new InvalidInput(`"${what}" must be a version such as 1.2.3`);
  return given;
};

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

/** Makes what `POST /__sim/seed` holds under `firefox`: accounts, each with its add-ons. */
export function seedFirefox(world: FirefoxWorld, body: unknown): unknown {
  const from = fields(body, 'firefox', ['accounts']);
  const wishes = required(
    from,
    'accounts',
    listOf((account, what) => fields(account, what)),
  );
  return {
    accounts: wishes.map(({ addons, ...wish }) => {
      const account = world.accounts.create(readAccount(wish));
      const wanted = addons === undefined ? [] : listOf((addon, what) => fields(addon, what))(addons, 'addons');
      const made = wanted.map((addon) => view(createAddon(world, { ...addon, issuer: account.issuer })));
      return { ...credentialsOf(account), addons: made };
    }),
  };
}

function addAccountRoutes(router: Router, { accounts }: FirefoxWorld): void {
  router.post('/accounts', (req, res) => {
    res.status(201).json(credentialsOf(accounts.create(readAccount(req.body ?? {}))));
  });
  router.patch('/accounts/:issuer', (req, res) => {
    const account = accounts.named(req.params.issuer);
    Object.assign(account, readKnobs(fields(req.body ?? {}, 'an account', Object.keys(ACCOUNT_KNOBS)), ACCOUNT_KNOBS));
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
    res.json(view(addonNamed(world, req.params.guid)));
  });
  router.patch('/addons/:guid', (req, res) => {
    const addon = addonNamed(world, req.params.guid);
    Object.assign(addon, readKnobs(fields(req.body ?? {}, 'an add-on', Object.keys(ADDON_KNOBS)), ADDON_KNOBS));
    res.json(view(addon));
  });
  for (const [action, act] of Object.entries(ACTIONS)) {
    router.post(`/addons/:guid/${action}`, (req, res) => {
      const addon = addonNamed(world, req.params.guid);
      act(addon, optional(fields(req.body ?? {}, 'an action', ['channel']), 'channel', channelWord));
      res.json(view(addon));
    });
  }
}

/** What AMO's people, or the developer at the Developer Hub, do to an add-on or to its version in review. */
const ACTIONS: Readonly<Record<string, (addon: Addon, channel?: Channel) => void>> = {
  approve: (addon, channel) => approve(inReview(addon, channel)),
  reject: (addon, channel) => reject(inReview(addon, channel)),
  cancel: (addon, channel) => disable(inReview(addon, channel)),
  takedown: (addon) => {
    addon.isTakenDown = true;
  },
  delete: (addon, channel) => {
    const doomed = inReview(addon, channel);
    addon.versions = addon.versions.filter((one) => one !== doomed);
    addon.burnt.push(doomed.version);
  },
};

function inReview(addon: Addon, channel?: Channel): AddonVersion {
  const found = awaiting(addon, channel);
  if (!found) throw new ControlRefusal(409, `add-on ${addon.guid} has nothing in review`);
  return found;
}

function addonNamed(world: FirefoxWorld, guid: string): Addon {
  const addon = world.addon(guid);
  if (!addon) throw new ControlRefusal(404, `no add-on ${guid}`);
  return addon;
}

/** An add-on as a test looks at it. */
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
  const from = fields(body, 'an add-on', [...ADDON_WISHES, ...Object.keys(ADDON_KNOBS)]);
  const account = world.accounts.named(required(from, 'issuer', text));
  const knobs = readKnobs(from, ADDON_KNOBS);
  const channel = optional(from, 'channel', channelWord) ?? 'listed';
  const [live, waiting] = [optional(from, 'live', version), optional(from, 'inReview', version)];
  const addon = world.createAddon(account, {
    guid: optional(from, 'guid', text),
    slug: optional(from, 'slug', text),
    name: optional(from, 'name', text),
  });
  Object.assign(addon, knobs);
  const made = { channel, createdAt: world.clock.now(), file: null } as const;
  if (live !== undefined) addVersion(addon, { ...made, id: world.newVersionId(), version: live, status: 'public' });
  if (waiting !== undefined) addVersion(addon, { ...made, id: world.newVersionId(), version: waiting });
  return addon;
}

function readAccount(body: unknown): AccountWish {
  const from = fields(body, 'an account', ['issuer', 'secret', 'name', ...Object.keys(ACCOUNT_KNOBS)]);
  return {
    issuer: optional(from, 'issuer', text),
    secret: optional(from, 'secret', text),
    name: optional(from, 'name', text),
    ...readKnobs(from, ACCOUNT_KNOBS),
  };
}

function readKnobs<T extends object>(from: Fields, knobs: { readonly [Name in keyof T]: Check<T[Name]> }): Partial<T> {
  const read = Object.entries<Check<unknown>>(knobs)
    .filter(([name]) => from[name] !== undefined)
    .map(([name, check]) => [name, check(from[name], name)]);
  return Object.fromEntries(read) as Partial<T>;
}
