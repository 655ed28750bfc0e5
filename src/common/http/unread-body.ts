import type { RequestHandler } from 'express';

/** How long a sender may go on after it has been answered, so that it gets to read the answer before the connection is cut. */
const LINGER_MS = 5_000;

/** Cuts the connection of a sender that was answered before its body had been read, instead of reading on without end. */
export const cutUnreadBodies: RequestHandler = (request, response, next) => {
  // A request that was destroyed has forgotten its connection.
  const { socket } = request;
  response.on('finish', () => {
    if (request.complete || socket.destroyed) return;
    request.resume();
    const cut = setTimeout(() => socket.destroy(), LINGER_MS);
    // A connection may be used for thousands of requests, and must not remember each of them.
    const spare = (): void => {
      clearTimeout(cut);
      request.off('end', spare);
      socket.off('close', spare);
    };
    request.once('end', spare);
    socket.once('close', spare);
  });
  next();
};
