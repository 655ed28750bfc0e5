import type { RequestHandler } from 'express';
import { CONTENT_SECURITY_POLICY } from './markup.js';

/**
 * Puts on every page, also on those that say what went wrong, that nobody keeps it, frames it or runs anything in it. The referrer stays
 * within this service: without one, browsers would hide the origin of its forms too.
 */
export const pageHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'same-origin',
  });
  next();
};
