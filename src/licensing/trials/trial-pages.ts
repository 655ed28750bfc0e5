import { markup, page, type Html, type PageAnswer } from '../../common/http/index.js';
import type { Brand } from '../branding/index.js';
import { dayOf, lookOf } from '../buyer/index.js';

/** The page that a link opens. Only its button starts the trial, because mail scanners open every link. @param home the path of the buyers' pages */
export const confirmTrialPage = (home: string, token: string, extensionName: string, brand: Brand | null): PageAnswer =>
  pageWith(
    `Trial`,
    brand,
    markup`<p>Start your trial of <bdi>${extensionName}</bdi> in the browser in which you asked for it.</p>
      <form method="post" action="${home}/trial">
        <input type="hidden" name="token" value="${token}" />
        <button>Start my trial</button>
      </form>`,
  );

/** The trial runs, or has already expired. */
export const trialPage = (extensionName: string, endsAt: Date, now: Date, brand: Brand | null): PageAnswer =>
  pageWith(
    endsAt > now ? 'Your trial has begun' : 'Your trial has expired',
    brand,
    endsAt > now
      ? markup`<p>Your trial of <bdi>${extensionName}</bdi> expires on ${dayOf(endsAt)}. You can close this page and go back to it.</p>`
      : markup`<p>Your trial of <bdi>${extensionName}</bdi> expired on ${dayOf(endsAt)}.</p>`,
  );

/** The address has had a trial on another device. */
export const trialTakenPage = (extensionName: string, brand: Brand | null): PageAnswer =>
  pageWith(
    'No second trial',
    brand,
    markup`<p>There was a trial of <bdi>${extensionName}</bdi> for this address already. Each address gets one.</p>`,
  );

function pageWith(title: string, brand: Brand | null, body: Html): PageAnswer {
  const look = lookOf(brand);
  return { page: page(title, body, look), look };
}
