import type { RequestHandler } from 'express';
import type { Route, RouteTable } from './route-table.js';

const DAY_SECONDS = 86_400;

/**
 * Answers the preflight of routes that any origin may call, and lets it read their answers, refusals included
 * (facts B4: a host permission spares an extension the origin check, and not the preflight).
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
