import { type Answer, jsonAnswer, Refusal } from '../answer.js';
import type { StoreCall, StoreRoute, Subject } from '../stand-in.js';
import type { Account, Restriction } from './accounts.js';
import type { Addon, AddonVersion } from './addon.js';
import { amoRefusal, readOnly, throttled } from './errors.js';
import { authenticate, claimedIssuer } from './jwt-gate.js';
import type { ThrottledCall } from './throttles.js';
import type { FirefoxWorld } from './world.js';

const API = '/api/v5';

/** What AMO says to an account from which it takes no submission (addons-server, `users/models.py`). */
const RESTRICTED: Readonly<Record<Restriction, string>> = {
  unverifiedEmail: 'Please verify your email address before you submit an add-on.',
  blockedEmail: 'The email address used for your account is not allowed for submissions.',
  blockedAddress:
    'Multiple submissions violating our policies have been sent from your location. The IP address has been blocked.',
};

/** A call whose caller is known. */
export interface KnownCall {
  readonly call: StoreCall;
  readonly account: Account;
  /** Where the caller reached the sandbox. */
  readonly origin: string;
  readonly now: Date;
}

/** Where a call goes and what it costs, besides what it does. */
export interface RouteShape {
  readonly operation: string;
  readonly method: string;
  /** Below `/api/v5`, with its slash at the end. */
  readonly path: string;
  readonly body?: 'buffer' | 'stream';
  readonly costs?: ThrottledCall;
}

/** A route for those who have a key, with AMO's gates before it: maintenance, the key, the throttles. */
export function knownRoute(
  world: FirefoxWorld,
  { operation, method, path, body = 'buffer', costs }: RouteShape,
  handle: (known: KnownCall) => Answer | Promise<Answer>,
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
        if (costs !== undefined && account.restriction !== null) throw amoRefusal(403, RESTRICTED[account.restriction]);
        const wait = costs !== undefined && account.isThrottled ? account.throttles.take(costs, now) : 0;
        if (wait > 0) throw throttled(wait);
        const origin = `http://${call.headers.host ?? '127.0.0.1'}`;
        return dated(world, await refusalsCounted(world, call, () => handle({ call, account, origin, now })));
      } catch (error) {
        throw error instanceof Refusal ? new Refusal(dated(world, error.answer), error.message) : error;
      }
    },
  };
}

/** With AMO's own time, by which a client can tell that its clock is wrong. */
export const dated = (world: FirefoxWorld, answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, Date: world.clock.now().toUTCString() },
});

/**
 * The slash at the end may be missing: Django then redirects to where it is there (docs/stores.md#firefox-addresses).
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
    // To be told that something is not there is what reading is for.
    const addon = error instanceof Refusal && method !== 'GET' ? world.addon(params.id ?? '') : undefined;
    if (addon) addon.counters.refused += 1;
    throw error;
  }
}

export const isAuthor = ({ authors }: Addon, { issuer }: Account): boolean => authors.includes(issuer);

/** The add-on that a path names, or 404. */
export function existing(world: FirefoxWorld, { params }: StoreCall): Addon {
  const addon = world.addon(params.id ?? '');
  if (!addon) throw amoRefusal(404);
  return addon;
}

/** The same, of which the caller must be an author. */
export function authored(world: FirefoxWorld, { call, account }: KnownCall): Addon {
  const addon = existing(world, call);
  if (!isAuthor(addon, account)) throw amoRefusal(403);
  return addon;
}

/** A version by its own number, or by the number of its id: digits alone are the id (docs/stores.md#firefox-ids). */
export function versionOf({ versions }: Addon, { params }: StoreCall): AddonVersion {
  const name = params.version ?? '';
  const found = versions.find((one) =>
    /^\d+$/.test(name) ? String(one.id) === name : one.version === name.replace(/^v/, ''),
  );
  if (!found) throw amoRefusal(404);
  return found;
}
