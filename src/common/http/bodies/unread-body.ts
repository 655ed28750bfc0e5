import type { RequestHandler } from 'express';

/** Time for which a sender may keep sending after its answer, so that it can read the answer before the connection is cut. */
const LINGER_MS = 5_000;

/** Cuts the connection of a sender that keeps sending a body after its answer. */
export const cutUnreadBodies: RequestHandler = (request, response, next) => {
  // A destroyed request no longer has its socket.
  const { socket } = request;
  response.on('finish', () => {
    if (request.complete || socket.destroyed) return;
    request.resume();
    const cut = setTimeout(() => socket.destroy(), LINGER_MS);
    // A connection may serve thousands of requests, and must not keep a listener for each.
    const cancelCut = (): void => {
      clearTimeout(cut);
      request.off('end', cancelCut);
      socket.off('close', cancelCut);
    };
    request.once('end', cancelCut);
    socket.once('close', cancelCut);
  });
  next();
};
