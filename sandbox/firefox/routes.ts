import { readFile } from 'node:fs/promises';
import { jsonAnswer } from '../answer.js';
import type { StoreRoute } from '../stand-in.js';
import { type Account, profileBody } from './accounts.js';
import type { Addon, AddonVersion } from './addon.js';
import { addonBody, pageOf, uploadBody, versionBody } from './bodies.js';
import { amoRefusal } from './errors.js';
import { authenticate, claimedIssuer } from './authentication.js';
import {
  withServerDate,
  requireAddon,
  isAuthor,
  authenticatedRoute,
  pathOf,
  versionOf,
} from './authenticated-route.js';
import { ratingsRoute } from './ratings.js';
import type { FirefoxWorld } from './world.js';
import { changeRoutes } from './write-routes.js';

/** The calls of AMO: API v5 and the download of signed files (src/stores/README.md#firefox-add-ons). */
export function firefoxRoutes(world: FirefoxWorld, scratch: string): StoreRoute[] {
  return [
    {
      operation: 'site',
      method: 'GET',
      path: pathOf('/site/'),
      body: 'buffer',
      handle: () => jsonAnswer(200, { read_only: world.site.readOnly, notice: world.site.notice }),
    },
    authenticatedRoute(world, { operation: 'profile', method: 'GET', path: '/accounts/profile/' }, ({ account }) =>
      jsonAnswer(200, profileBody(account)),
    ),
    ...uploadReads(world),
    ...addonReads(world),
    ratingsRoute(world),
    ...changeRoutes(world, scratch),
    downloadRoute(world),
    {
      operation: 'unknown',
      method: '*',
      path: /^\/api\/v5\//,
      body: 'stream',
      handle: () => withServerDate(world, amoRefusal(404).answer),
    },
  ];
}

function uploadReads(world: FirefoxWorld): StoreRoute[] {
  return [
    authenticatedRoute(
      world,
      { operation: 'uploads', method: 'GET', path: '/addons/upload/' },
      ({ account, call, origin }) => {
        const all = world.uploadsOf(account.issuer).map((upload) => uploadBody(upload, origin));
        return jsonAnswer(200, pageOf(all, 1, 25, new URL(call.url.pathname, origin)));
      },
    ),
    authenticatedRoute(
      world,
      { operation: 'uploadStatus', method: 'GET', path: '/addons/upload/(?<uuid>[^/]+)/' },
      ({ account, call, origin }) => {
        const upload = world.upload(call.params.uuid ?? '', account.issuer);
        if (!upload) throw amoRefusal(404);
        const body = uploadBody({ ...upload, pollsLeft: upload.pollsLeft - 1 }, origin);
        upload.pollsLeft = Math.max(upload.pollsLeft - 1, 0);
        return jsonAnswer(200, body);
      },
    ),
  ];
}

function addonReads(world: FirefoxWorld): StoreRoute[] {
  return [
    authenticatedRoute(
      world,
      { operation: 'addon', method: 'GET', path: '/addons/addon/(?<id>[^/]+)/' },
      (authenticated) => {
        const { call, account, origin } = authenticated;
        const addon = requireAddon(world, call);
        if ((addon.isTakenDown || addon.isDisabled) && !isAuthor(addon, account)) {
          throw amoRefusal(403, undefined, {
            is_disabled_by_developer: addon.isDisabled,
            is_disabled_by_mozilla: addon.isTakenDown,
          });
        }
        return jsonAnswer(200, addonBody(addon, origin));
      },
    ),
    authenticatedRoute(
      world,
      { operation: 'versions', method: 'GET', path: '/addons/addon/(?<id>[^/]+)/versions/' },
      ({ call, account, origin }) => {
        const addon = requireAddon(world, call);
        const query = call.url.searchParams;
        const shown = visible(addon, account, query.get('filter')).toReversed();
        const bodies = shown.map((version) => versionBody(version, addon, origin));
        const size = Math.min(Number(query.get('page_size')) || 25, 50);
        const url = new URL(`${call.url.pathname}${call.url.search}`, origin);
        return jsonAnswer(200, pageOf(bodies, Number(query.get('page')) || 1, size, url));
      },
    ),
    authenticatedRoute(
      world,
      { operation: 'version', method: 'GET', path: '/addons/addon/(?<id>[^/]+)/versions/(?<version>[^/]+)/' },
      ({ call, account, origin }) => {
        const addon = requireAddon(world, call);
        const version = versionOf(addon, call);
        if (!isAuthor(addon, account) && (version.channel === 'unlisted' || version.status !== 'public')) {
          throw amoRefusal(404);
        }
        return jsonAnswer(200, versionBody(version, addon, origin));
      },
    ),
  ];
}

/** Only authors see more than users do (src/stores/README.md#firefox-calls). */
function visible(addon: Addon, account: Account, filter: string | null): readonly AddonVersion[] {
  if (filter === null) return addon.versions.filter((one) => one.channel === 'listed' && one.status === 'public');
  if (!isAuthor(addon, account)) throw amoRefusal(403);
  if (filter === 'all_without_unlisted') return addon.versions.filter(({ channel }) => channel === 'listed');
  if (filter === 'all_with_unlisted' || filter === 'all_with_deleted') return addon.versions;
  throw amoRefusal(400, `Invalid "filter" parameter specified: ${filter}`);
}

/** The download of a signed file. */
function downloadRoute(world: FirefoxWorld): StoreRoute {
  return {
    operation: 'download',
    method: 'GET',
    path: /^\/firefox\/downloads\/file\/(?<file>\d+)\/[^/]+$/,
    body: 'buffer',
    subject: (call) => ({
      publisherId: claimedIssuer(call),
      itemId: world.withVersion(Number(call.params.file))?.addon.guid,
    }),
    handle: async (call) => {
      const found = world.withVersion(Number(call.params.file));
      const account =
        found?.version.channel === 'unlisted' ? await authenticate(call, world.accounts, world.clock.now()) : null;
      if (!found?.version.file || (account && !isAuthor(found.addon, account))) throw amoRefusal(404);
      const bytes = await readFile(found.version.file.path);
      return { status: 200, headers: { 'Content-Type': 'application/x-xpinstall' }, body: '', bytes };
    },
  };
}
