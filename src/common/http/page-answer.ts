import type { Response } from 'express';

/** What a browser gets: a page in HTML, with status 200 unless it says another, or another address. */
export type PageAnswer = { readonly page: string; readonly status?: number } | { readonly redirect: string };

/** Sends a page, or sends the browser to another one. */
export function sendPage(response: Response, answer: PageAnswer): void {
  if ('redirect' in answer) response.redirect(303, answer.redirect);
  else
    response
      .status(answer.status ?? 200)
      .type('html')
      .send(answer.page);
}
