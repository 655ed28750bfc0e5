import { everything, type Schema, type Service } from '../api/service.js';
import { Failure, usageFailure } from '../failure.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import { day, relative } from '../terminal/words.js';

export type Token = Schema<'AccessToken'>;
export type Scope = Token['scopes'][number];

export const listTokens = (service: Service): Promise<Token[]> =>
  everything((query) => service.client.GET('/api/v1/access-tokens', { params: { query } }));

/**
 * The token that is meant by its name, its last four characters or its id.
 * @throws Failure when none or several could be meant
 */
export function chooseToken(tokens: readonly Token[], wanted: string): Token {
  const key = wanted.replace(/^(…|\.\.\.)/, '');
  const found = tokens.filter(({ id, name, lastFour }) => [id, name, lastFour].includes(key));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined)
    throw new Failure(`There is no access token "${wanted}".`, { hint: 'pierhead tokens list shows them.' });
  throw usageFailure(
    `"${wanted}" names ${found.length} access tokens.`,
    `Name one by its id: ${found.map(({ id, lastFour }) => `${id} (…${lastFour})`).join(', ')}.`,
  );
}

/** One row for each token. @param extensions names by id */
export function tokenTable(
  tokens: readonly Token[],
  extensions: ReadonlyMap<string, string>,
  style: Style,
  now: Date,
): string {
  if (tokens.length === 0) return 'There are no access tokens. Create one with: pierhead tokens create';
  const heads = ['NAME', 'TOKEN', 'SCOPES', 'EXTENSIONS', 'EXPIRES', 'LAST USED'];
  const rows = tokens.map(({ name, lastFour, scopes, extensionIds, expiresAt, lastUsedAt }) => [
    name,
    `…${lastFour}`,
    scopes.join(' '),
    extensionIds?.map((id) => extensions.get(id) ?? id).join(', ') ?? 'all',
    expiryText(expiresAt, style, now),
    lastUsedAt === null ? 'never' : relative(lastUsedAt, now),
  ]);
  return table(rows, style, { heads, whole: [1, 4, 5], dispensable: [3, 5] });
}

function expiryText(expiresAt: string | null, style: Style, now: Date): string {
  if (expiresAt === null) return 'never';
  return new Date(expiresAt) > now ? day(expiresAt, now) : style('red', `expired ${day(expiresAt, now)}`);
}
