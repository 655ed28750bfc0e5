import type { Request } from 'express';

/**
 * Whether a request does not come from another site's page. Browsers name a request's origin; a client that names none is not a browser and
 * carries no stolen cookie. Pure.
 * @param origin of this service as configured: the `Host` header is the sender's to choose
 */
export function isFromOrigin({ headers }: Pick<Request, 'headers'>, origin: string): boolean {
  if (headers.origin !== undefined) return headers.origin === origin;
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}
