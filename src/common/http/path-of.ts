import type { Request } from 'express';

/**
 * The path as it was asked for, without what may follow or, in the form that proxies are asked in, precede it: either may hold a secret.
 * Express cuts a router's prefix off `request.path`.
 */
export const pathOf = ({ originalUrl }: Pick<Request, 'originalUrl'>): string =>
  originalUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '';
