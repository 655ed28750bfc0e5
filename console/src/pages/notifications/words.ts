import type { Schemas } from '../../api';
import type { State } from '../../ui';
import { relative } from '../../ui/format';

type Endpoint = Schemas['NotificationEndpoint'];
type Delivery = Schemas['NotificationDelivery'];
export type EventKind = Endpoint['events'][number];

/** Kinds that endpoints can subscribe to, in the order in which they are shown. */
export const EVENTS: Readonly<Record<EventKind, string>> = {
  live: 'A version is live',
  rejected: 'A store rejected a version',
  action_required: 'A store needs you',
  approval_requested: 'A version waits for approval',
  approval_given: 'A person approved a version',
  approval_rejected: 'A person rejected a version',
  approval_turned_off: 'An extension no longer requires approvals',
  taken_down: 'A store took an extension down',
  unexpected_version: 'A store serves what nobody pushed',
  low_rating: 'A new review has two stars or fewer',
  stuck_in_review: 'A review takes unusually long',
  stalled: 'A version makes no progress',
  credential_failing: 'A key does not work',
  credential_expiring: 'A key expires soon',
  access_token_expiring: 'An access token expires soon',
  payment_on_ended_license: 'A license that has ended was paid for',
  license_moving: 'A license moves through many devices',
  order_without_license: 'A sale made no license',
  foreign_license_key: 'Buyers receive two license keys',
  'license.issued': 'A license is issued',
  'license.activated': 'A device takes a seat',
  'license.seat_refused': 'A device finds no free seat',
  'license.seat_freed': 'A seat becomes free',
  'license.suspended': 'A license is suspended',
  'license.reinstated': 'A license is reinstated',
  'license.revoked': 'A license is revoked',
  'license.expiring': 'A license expires in a week',
  'license.expired': 'A license has expired',
  'license.renewed': 'A license is renewed',
  'license.trial_started': 'A trial begins',
  'license.trial_ended': 'A trial ends',
  'license.code_resent': 'A buyer is sent a new code',
};
export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[];

/** What happens to licenses, which only endpoints that choose it receive. */
export const LICENSE_KINDS = EVENT_KINDS.filter((kind) => kind.startsWith('license.'));
/** What an endpoint receives unless somebody chooses. */
export const USUAL_KINDS = EVENT_KINDS.filter((kind) => !LICENSE_KINDS.includes(kind));

export const eventName = (kind: Delivery['kind']): string => (kind === 'test' ? 'Test' : EVENTS[kind]);

/** Destination of an endpoint: its URL or address. */
export const placeOf = ({ url, address }: Endpoint): string => url ?? address ?? '';

/** Events that an endpoint receives, in few words. Pure. */
export function eventsOf({ events, extensionIds, planIds, tiers }: Endpoint): string {
  const isFiltered = [extensionIds, planIds, tiers].some((filter) => filter !== null);
  return isFiltered ? `${kindsOf(events)}, of some extensions or plans` : kindsOf(events);
}

function kindsOf(events: readonly EventKind[]): string {
  const [only, ...more] = events;
  if (only === undefined) return 'No events';
  if (events.length === EVENT_KINDS.length) return 'All events';
  if (events.length === USUAL_KINDS.length && USUAL_KINDS.every((kind) => events.includes(kind)))
    return 'All events but those of licenses';
  return more.length === 0 ? EVENTS[only] : `${events.length} events`;
}

interface Shown {
  readonly state: State;
  readonly word: string;
  /** Advice, with the party that has to act; undefined when there is none. */
  readonly next?: string;
}

/** How much of what was sent to an endpoint in a week has arrived; null where nothing was. Pure. */
export function successOf({ health: { lastWeek } }: Endpoint): string | null {
  const { arrived, tried } = lastWeek;
  if (tried === 0) return null;
  // Rounded down, so that 100 % means all.
  const percent = Math.floor((arrived / tried) * 1000) / 10;
  return `${percent} % of ${tried} arrived in 7 days`;
}

/** Whether an endpoint receives notifications, and what to do if it does not. Pure. */
export function endpointStatus(endpoint: Endpoint, now: number): Shown {
  const { kind, enabled, disabledBecause, confirmedAt, confirmationExpiresAt, health } = endpoint;
  if (disabledBecause === 'gone')
    return { state: 'rejected', word: 'gone', next: 'The receiver answered 410. Correct the URL, then switch it on.' };
  if (disabledBecause === 'unsubscribed')
    return {
      state: 'off',
      word: 'unsubscribed',
      next: 'The owner of the address stopped the mails. Switch it on and send a link only if they agreed.',
    };
  if (!enabled) return { state: 'off', word: 'switched off' };
  if (health.state === 'failing')
    return {
      state: 'needs_you',
      word: `failing: ${health.failed} of ${health.of}`,
      next: 'The deliveries below say why.',
    };
  if (kind === 'webhook' || confirmedAt !== null) return { state: 'live', word: 'receiving' };
  const isValid = confirmationExpiresAt !== null && Date.parse(confirmationExpiresAt) > now;
  return {
    state: 'needs_you',
    word: 'not confirmed',
    next: isValid
      ? `The owner of the address has a link by mail, which expires ${relative(confirmationExpiresAt, now)}.`
      : 'The link in the mail no longer works. Send another one.',
  };
}

/** The status of a delivery. Pure. */
export function outcomeOf({ status, attempts, nextTryAt }: Delivery, now: number): Shown {
  if (status === 'delivered') return { state: 'live', word: 'delivered' };
  if (status === 'given_up') return { state: 'rejected', word: 'given up' };
  const isLater = nextTryAt !== null && Date.parse(nextTryAt) > now + 60_000;
  const again = isLater ? `next try ${relative(nextTryAt, now)}` : 'trying again';
  return { state: 'underway', word: attempts === 0 ? 'on its way' : again };
}

const FAILURES: Readonly<Record<string, string>> = {
  timeout: 'No answer within 10 seconds',
  network: 'The receiver could not be reached',
  refused_address: 'The host is unknown, or inside a private network',
  sealed: 'The secret cannot be read. Make a new one',
  switched_off: 'The endpoint was switched off',
};

/** Why an attempt failed, in words; a code of a mail server as it is. Pure. */
export const reasonOf = (error: string): string =>
  error === 'refused' ? 'The receiver refused it' : (FAILURES[error] ?? error);

/** The receiver's last answer, in words. Pure. */
export function answerOf({ lastStatus, lastError, attempts }: Delivery): string {
  const tries = attempts > 1 ? ` · ${attempts} tries` : '';
  if (lastStatus !== null) return `Answered ${lastStatus}${tries}`;
  if (lastError === null) return attempts === 0 ? 'Not tried yet' : `No answer${tries}`;
  return reasonOf(lastError) + tries;
}
