import { type Answer, jsonAnswer, Refusal } from '../answer.js';
import type { StoreCall, StoreRoute, Subject } from '../stand-in.js';
import type { Account, Restriction } from './accounts.js';
import type { Addon, AddonVersion } from './addon.js';
import { amoRefusal, readOnly, throttled } from './errors.js';
import { authenticate, claimedIssuer } from './authentication.js';
import type { Throttle } from './throttles.js';
import type { FirefoxWorld } from './world.js';

const API = '/api/v5';

/** AMO's messages for accounts that may not submit (addons-server, `users/models.py`). */
const RESTRICTED: Readonly<Record<Restriction, string>> = {
  unverifiedEmail: 'Please verify your email address before you submit an add-on.',
  blockedEmail: 'The email address used for your account is not allowed for submissions.',
  blockedAddress:
    'Multiple submissions violating our policies have been sent from your location. The IP address has been blocked.',
};

/** A call whose caller is authenticated. */
export interface AuthenticatedCall {
  readonly call: StoreCall;
  readonly account: Account;
  /** The sandbox's origin as the caller used it. */
  readonly origin: string;
  readonly now: Date;
}

/** Path of a call and its throttle, besides its work. */
export interface RouteOptions {
  readonly operation: string;
  readonly method: string;
  /** Below `/api/v5`, with a trailing slash. */
  readonly path: string;
  readonly body?: 'buffer' | 'stream';
  readonly throttle?: Throttle;
}

/** A route for authenticated callers, after AMO's checks: maintenance, the key, the throttles. */
export function authenticatedRoute(
  world: FirefoxWorld,
  { operation, method, path, body = 'buffer', throttle }: RouteOptions,
  handle: (authenticated: AuthenticatedCall) => Answer | Promise<Answer>,
): StoreRoute {
  return {
    operation,
    method,
    path: pathOf(path),
    body,
    subject: (call) => subjectOf(world, call),
    handle: async (call) => {
      const now = world.clock.now();
      const { pathname, search } = call.url;
      // Django redirects before it looks at anything else (its CommonMiddleware); a read is answered here at once.
      if (method !== 'GET' && !pathname.endsWith('/'))
        return jsonAnswer(301, {}, { Location: `${pathname}/${search}` });
      try {
        if (method !== 'GET' && world.site.readOnly) throw readOnly();
        const account = await authenticate(call, world.accounts, now);
        if (throttle !== undefined && account.restriction !== null)
          throw amoRefusal(403, RESTRICTED[account.restriction]);
        const wait = throttle !== undefined && account.isThrottled ? account.throttles.take(throttle, now) : 0;
        if (wait > 0) throw throttled(wait);
        const origin = `http://${call.headers.host ?? '127.0.0.1'}`;
        return withServerDate(world, await refusalsCounted(world, call, () => handle({ call, account, origin, now })));
      } catch (error) {
        throw error instanceof Refusal ? new Refusal(withServerDate(world, error.answer), error.message) : error;
      }
    },
  };
}

/** Adds AMO's time, from which a client can see that its own clock is wrong. */
export const withServerDate = (world: FirefoxWorld, answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, Date: world.clock.now().toUTCString() },
});

/**
 * The slash at the end may be missing: Django then redirects to where it is there (src/stores/README.md#firefox-addresses).
 */
export const pathOf = (path: string): RegExp => new RegExp(`^${API}${path}?$`);

function subjectOf(world: FirefoxWorld, call: StoreCall): Subject {
  const { id } = call.params;
  return { publisherId: claimedIssuer(call), itemId: id === undefined ? undefined : (world.addon(id)?.guid ?? id) };
}

async function refusalsCounted(
  world: FirefoxWorld,
  { method, params }: StoreCall,
  act: () => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    // A read that finds nothing is not counted.
    const addon = error instanceof Refusal && method !== 'GET' ? world.addon(params.id ?? '') : undefined;
    if (addon) addon.counters.refused += 1;
    throw error;
  }
}

export const isAuthor = ({ authors }: Addon, { issuer }: Account): boolean => authors.includes(issuer);

/** The add-on that a path names, or 404. */
export function requireAddon(world: FirefoxWorld, { params }: StoreCall): Addon {
  const addon = world.addon(params.id ?? '');
  if (!addon) throw amoRefusal(404);
  return addon;
}

/** The add-on that a path names, or 403 when the caller is not an author. */
export function requireOwnAddon(world: FirefoxWorld, { call, account }: AuthenticatedCall): Addon {
  const addon = requireAddon(world, call);
  if (!isAuthor(addon, account)) throw amoRefusal(403);
  return addon;
}

/** A version by its own number, or by the number of its id: digits alone are the id (src/stores/README.md#firefox-ids). */
export function versionOf({ versions }: Addon, { params }: StoreCall): AddonVersion {
  const name = params.version ?? '';
  const found = versions.find((one) =>
    /^\d+$/.test(name) ? String(one.id) === name : one.version === name.replace(/^v/, ''),
  );
  if (!found) throw amoRefusal(404);
  return found;
}
