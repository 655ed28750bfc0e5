import type { RequestHandler } from 'express';
import { CONTENT_SECURITY_POLICY } from './page.js';

/**
 * Keeps pages, error pages included, from being stored, framed or made to run scripts. The referrer stays within this service: without one,
 * browsers would hide the origin of its forms too.
 */
export const pageHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'same-origin',
  });
  next();
};
