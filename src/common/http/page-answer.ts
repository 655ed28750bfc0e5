import type { Response } from 'express';
import { lookPolicy, type PageLook } from './page.js';

/** The answer to a browser: a page in HTML, with status 200 unless it says another, or another address. */
export type PageAnswer =
  | {
      readonly page: string;
      readonly status?: number;
      /** The page's own look, where it has one. */
      readonly look?: PageLook;
    }
  | { readonly redirect: string };

/** Sends a page, or sends the browser to another one. */
export function sendPage(response: Response, answer: PageAnswer): void {
  if ('redirect' in answer) return response.redirect(303, answer.redirect);
  if (answer.look !== undefined) response.set('Content-Security-Policy', lookPolicy(answer.look));
  response
    .status(answer.status ?? 200)
    .type('html')
    .send(answer.page);
}
