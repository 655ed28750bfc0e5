import { everything, type Schema, type Service } from '../api/service.js';
import { Failure, usageFailure } from '../failure.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import { stated } from '../terminal/tones.js';
import { NOTIFICATION_KINDS } from '../api/catalog.js';

export type Endpoint = Schema<'NotificationEndpoint'>;
export type Kind = Endpoint['events'][number];

export const listEndpoints = (service: Service): Promise<Endpoint[]> =>
  everything((query) => service.client.GET('/api/v1/notifications/endpoints', { params: { query } }));

/** What an endpoint is known by: its URL or its address. */
export const nameOf = ({ url, address }: Pick<Endpoint, 'url' | 'address'>): string => url ?? address ?? '';

/** Whether a text names an endpoint. The case of letters counts in a URL alone. */
export const isNamed = ({ id, url, address }: Endpoint, text: string): boolean =>
  id === text.toLowerCase() || url === text || address?.toLowerCase() === text.toLowerCase();

/** The endpoint that is meant by its URL, its address or its id. @throws Failure when none or several could be meant */
export function chooseEndpoint(endpoints: readonly Endpoint[], wanted: string): Endpoint {
  const found = endpoints.filter((each) => isNamed(each, wanted));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined)
    throw new Failure(`There is no endpoint "${wanted}".`, { hint: 'pierhead endpoints list shows them.' });
  throw usageFailure(
    `"${wanted}" names ${found.length} endpoints.`,
    `Name one by its id: ${found.map(({ id }) => id).join(', ')}.`,
  );
}

/** One row for each endpoint. */
export function endpointTable(endpoints: readonly Endpoint[], style: Style): string {
  if (endpoints.length === 0) return 'Nobody is notified. Add somebody with: pierhead endpoints add me@example.com';
  const rows = endpoints.map((endpoint) => [nameOf(endpoint), stateOf(endpoint, style), eventsOf(endpoint)]);
  return table(rows, style, { heads: ['ENDPOINT', 'STATE', 'EVENTS'], whole: [1] });
}

/** Those that an endpoint receives which names none. */
const DEFAULT_KINDS = NOTIFICATION_KINDS.filter((kind) => !kind.startsWith('license.'));

function eventsOf({ events, extensionIds, planIds, tiers }: Endpoint): string {
  const isDefault = events.length === DEFAULT_KINDS.length && DEFAULT_KINDS.every((kind) => events.includes(kind));
  const kinds =
    events.length === NOTIFICATION_KINDS.length ? 'all' : isDefault ? 'all but license.*' : events.join(' ');
  const isFiltered = [extensionIds, planIds, tiers].some((filter) => filter !== null);
  return isFiltered ? `${kinds} (filtered)` : kinds;
}

function stateOf({ kind, enabled, disabledBecause, confirmedAt, health }: Endpoint, style: Style): string {
  if (!enabled)
    return disabledBecause === null
      ? stated(style, 'off', 'disabled')
      : stated(style, 'rejected', `disabled: ${disabledBecause}`);
  if (health.state === 'failing') return stated(style, 'needs_you', `failing: ${health.failed} of ${health.of}`);
  return kind === 'mail' && confirmedAt === null
    ? stated(style, 'needs_you', 'not confirmed')
    : stated(style, 'live', 'receiving');
}
