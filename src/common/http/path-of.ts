import type { Request } from 'express';

/**
 * Returns the path of a request, without its query or, in the absolute form for proxies, its origin: either may hold a secret. Express
 * strips a router's prefix from `request.path`.
 */
export const pathOf = ({ originalUrl }: Pick<Request, 'originalUrl'>): string =>
  originalUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '';
