import { DAY_SECONDS } from '../system/index.js';
import type { RequestHandler } from 'express';
import type { Route, RouteTable } from './route-table.js';

/**
 * Answers preflights of `@CrossOrigin()` routes and lets any origin read their answers, errors included. A host permission exempts an
 * extension from the origin check, but not from the preflight.
 */
export function crossOrigin(routes: Pick<RouteTable, 'at'>): RequestHandler {
  return (request, response, next) => {
    const open = routes.at(request.path).filter((route: Route) => route.isCrossOrigin);
    if (open.length === 0) return next();
    response.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    if (request.method !== 'OPTIONS') return next();
    response.set({
      'Access-Control-Allow-Methods': open.map(({ method }) => method).join(', '),
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': String(DAY_SECONDS),
    });
    response.status(204).end();
  };
}
