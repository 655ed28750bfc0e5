import type { RequestHandler } from 'express';

/**
 * Reads the caller's address while the connection is open, which makes Node remember it. A caller that has disconnected already is not
 * served: it could not be rate-limited, and no answer would reach it.
 */
export const requireAddress: RequestHandler = (request, _response, next) => {
  if (request.socket.remoteAddress === undefined) request.socket.destroy();
  else next();
};
