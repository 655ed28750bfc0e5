import { jsonAnswer } from '../answer.js';
import { type Check, fields, integer, nullable, optional, required, text } from '../input.js';
import type { StoreRoute } from '../stand-in.js';
import { type Addon, statusOf, type UserRating } from './addon.js';
import { pathOf, withServerDate } from './authenticated-route.js';
import { pageOf } from './bodies.js';
import { amoRefusal } from './errors.js';
import type { FirefoxWorld } from './world.js';

/** A rating as the control plane writes it. */
export const userRating: Check<UserRating> = (value, what) => {
  const from = fields(value, what, ['id', 'score', 'body', 'user', 'version', 'created', 'reply']);
  return {
    id: required(from, 'id', integer(1, Number.MAX_SAFE_INTEGER)),
    score: required(from, 'score', integer(1, 5)),
    body: optional(from, 'body', nullable(text)) ?? null,
    user: optional(from, 'user', text) ?? 'Firefox user 1',
    version: optional(from, 'version', nullable(text)) ?? null,
    created: required(from, 'created', text),
    reply: optional(from, 'reply', nullable(text)) ?? null,
  };
};

const SIZES = { usual: 25, most: 50 };

/** The list of ratings, which everybody may read, of public add-ons (src/stores/README.md#firefox-reviews). */
export function ratingsRoute(world: FirefoxWorld): StoreRoute {
  return {
    operation: 'ratings',
    method: 'GET',
    path: pathOf('/ratings/rating/'),
    body: 'buffer',
    subject: ({ url }) => ({ itemId: world.addon(url.searchParams.get('addon') ?? '')?.guid }),
    handle: ({ url, headers }) => {
      const query = url.searchParams;
      const named = query.get('addon');
      if (named === null && query.get('user') === null) throw amoRefusal(400, 'Need an addon or user parameter');
      const addon = world.addon(named ?? '');
      if (!addon) throw amoRefusal(404);
      if (statusOf(addon) !== 'public' || addon.isDisabled)
        throw amoRefusal(401, undefined, {
          is_disabled_by_developer: addon.isDisabled,
          is_disabled_by_mozilla: addon.isTakenDown,
        });
      const size = Math.min(Number(query.get('page_size')) || SIZES.usual, SIZES.most);
      const page = Number(query.get('page') ?? 1);
      const found = filtered(addon, query);
      if (!Number.isInteger(page) || page < 1 || (page > 1 && (page - 1) * size >= found.length))
        throw amoRefusal(404, 'Invalid page.');
      const origin = `http://${headers.host ?? '127.0.0.1'}`;
      const bodies = found.map((rating) => ratingBody(rating, addon));
      return withServerDate(
        world,
        jsonAnswer(200, {
          ...pageOf(bodies, page, size, new URL(`${url.pathname}${url.search}`, origin)),
          ...(query.get('show_grouped_ratings') === 'true' && { grouped_ratings: grouped(addon) }),
        }),
      );
    },
  };
}

/** Newest first. */
function filtered({ ratings }: Addon, query: URLSearchParams): readonly UserRating[] {
  const scores = query.get('score')?.split(',');
  const hasBody = (query.get('filter') ?? '').split(',').includes('without_empty_body');
  return ratings
    .filter(({ body, score }) => (!hasBody || body !== null) && (scores?.includes(String(score)) ?? true))
    .toSorted((one, other) => other.created.localeCompare(one.created));
}

const grouped = ({ ratings }: Addon): object =>
  Object.fromEntries([1, 2, 3, 4, 5].map((stars) => [stars, ratings.filter(({ score }) => score === stars).length]));

function ratingBody({ id, score, body, user, version, created, reply }: UserRating, addon: Addon): object {
  const common = { is_deleted: false, user: { id, name: user, url: null, username: user } };
  return {
    ...common,
    id,
    addon: { id: addon.id, slug: addon.slug, name: { [addon.defaultLocale]: addon.name }, icon_url: null },
    body,
    created,
    flags: [],
    is_developer_reply: false,
    is_latest: true,
    previous_count: 0,
    score,
    version: version === null ? null : { id, version },
    reply: reply === null ? null : { ...common, id: id + 1, body: reply, created, is_developer_reply: true },
  };
}
