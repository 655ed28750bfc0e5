import { type Answer, textAnswer } from '../answer.js';
import { type Check, fields, InvalidInput, required, starCounts, summaryOf } from '../input.js';
import type { StoreRoute } from '../stand-in.js';
import type { App } from './model.js';
import type { SafariWorld } from './world.js';

const MINUTE_MS = 60_000;
/** About so many calls of an address are answered in a minute (src/stores/README.md#safari-ratings). */
const CALLS_PER_MINUTE = 20;
const DEFAULT_COUNTRY = 'us';
/** Codes that the real lookup was seen to refuse; which others it refuses is not known. */
const REFUSED = new Set(['aq', 'cu', 'kp', 'uk']);
const COUNTRY = /^[a-z]{2}$/;

/** The ratings of an app by the storefronts that have it. */
export const starsByStorefront: Check<App['storefronts']> = (value, what) => {
  const from = fields(value, what);
  const wrong = Object.keys(from).find((code) => !COUNTRY.test(code));
  if (wrong !== undefined) throw new InvalidInput(`"${what}" has no storefront ${wrong}`);
  return Object.fromEntries(Object.keys(from).map((code) => [code, required(from, code, starCounts)]));
};

/**
 * Apple's public lookup of apps (src/stores/README.md#safari-ratings), which takes no key. It knows the apps with a live version. It has no cache:
 * the real one is said to answer up to a day late.
 */
export function lookupRoute(world: SafariWorld): StoreRoute {
  return {
    operation: 'lookup',
    method: 'GET',
    path: /^\/lookup$/,
    body: 'buffer',
    subject: ({ url }) => ({ itemId: url.searchParams.get('id') ?? undefined }),
    handle: ({ url }) => {
      const now = world.clock.now().getTime();
      world.lookups = world.lookups.filter((at) => at > now - MINUTE_MS);
      if (world.lookups.length >= CALLS_PER_MINUTE) return lookupFault(403);
      world.lookups.push(now);
      const country = (url.searchParams.get('country') ?? DEFAULT_COUNTRY).toLowerCase();
      if (!COUNTRY.test(country) || REFUSED.has(country))
        return javascript(400, { errorMessage: 'Invalid value(s) for key(s): [country]', queryParameters: {} });
      const results = (url.searchParams.get('id') ?? '').split(',').flatMap((id) => resultOf(world, id, country));
      return javascript(200, { resultCount: results.length, results });
    },
  };
}

/** A refusal; the body of the real one is not known. */
export const lookupFault = (status: number): Answer => textAnswer(status, 'text/html', '');

/** The real answer begins with empty lines and calls itself JavaScript (observed). */
const javascript = (status: number, body: object): Answer =>
  textAnswer(status, 'text/javascript; charset=utf-8', `\n\n\n${JSON.stringify(body)}\n\n\n`);

function resultOf(world: SafariWorld, appId: string, country: string): object[] {
  const app = world.app(appId);
  const stars = app?.storefronts[country];
  const live = world.versionsOf(appId).findLast(({ state }) => state === 'READY_FOR_DISTRIBUTION');
  if (app === undefined || stars === undefined || live === undefined) return [];
  const { count: userRatingCount, mean: averageUserRating } = summaryOf(stars);
  return [
    {
      wrapperType: 'software',
      kind: live.platform === 'IOS' ? 'software' : 'mac-software',
      trackId: Number(appId),
      trackName: app.name,
      bundleId: app.bundleId,
      trackViewUrl: `https://apps.apple.com/${country}/app/id${appId}?uo=4`,
      version: live.versionString,
      averageUserRating,
      userRatingCount,
    },
  ];
}
