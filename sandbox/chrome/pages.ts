import { googleRefusal } from './errors.js';

/**
 * A page of a list in the member `name`, which proto JSON leaves out when it is empty. A size above the largest is lowered; all other parameters of a
 * following page must equal those of the first (src/stores/README.md#chrome-figures, src/stores/README.md#chrome-reviews).
 */
export function pageOf(
  query: URLSearchParams,
  name: string,
  rows: readonly unknown[],
  sizes: { readonly usual: number; readonly most: number },
): unknown {
  const given = Number(query.get('pageSize') ?? '0');
  if (!Number.isInteger(given) || given < 0) throw invalid('page_size must not be negative.');
  const size = Math.min(given || sizes.usual, sizes.most);
  const others = [...query].filter(([parameter]) => parameter !== 'pageToken').join('&');
  const token = query.get('pageToken');
  const [start, same] = token === null ? [0, others] : readToken(token);
  if (same !== others) throw invalid('The page token belongs to another request.');
  const next = start + size;
  return {
    ...(rows.length > start && { [name]: rows.slice(start, next) }),
    ...(rows.length > next && { nextPageToken: Buffer.from(JSON.stringify([next, others])).toString('base64url') }),
  };
}

export const invalid = (message: string): Error => googleRefusal('INVALID_ARGUMENT', message);

function readToken(token: string): readonly [number, string] {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as [number, string];
  } catch {
    throw invalid('The page token is not valid.');
  }
}
