import type { RequestHandler } from 'express';

/**
 * Asks for the caller's address while his connection stands: Node remembers it from then on, and knows none of a connection that has gone
 * before it was asked. Who has gone already is not served: no limit could be held against him, and no answer would reach him.
 */
export const knownAddress: RequestHandler = (request, _response, next) => {
  if (request.socket.remoteAddress === undefined) request.socket.destroy();
  else next();
};
