import { EMPTY_HTML, markup, page, type PageAnswer } from '../../common/http/index.js';
import type { Brand } from '../branding/index.js';
import { lookOf } from '../buyer/index.js';
import type { Restore } from './restore-mails.service.js';

const pageOf = (brand: Brand | null, title: string, body: ReturnType<typeof markup>): PageAnswer => {
  const look = lookOf(brand);
  return { page: page(title, body, look), look };
};

/** What a processor shows after a payment. It says nothing about the purchase, which the extension asks for itself. */
export const thanksPage = (brand: Brand | null): PageAnswer =>
  pageOf(
    brand,
    'Thank you',
    markup`<p>Go back to the extension: it unlocks itself within a minute. You can close this page.</p>`,
  );

/** The page that a link opens. Only its button uses the link, because mail scanners open every link. */
export const allowPage = (
  home: string,
  token: string,
  { extensionName, number }: Restore,
  brand: Brand | null,
): PageAnswer =>
  pageOf(
    brand,
    'Use your license',
    markup`<p>A device asks to use your license for <bdi>${extensionName}</bdi>. Go on only if it shows this number:</p>
      <p class="code">${number}</p>
      <form method="post" action="${home}/restore">
        <input type="hidden" name="token" value="${token}" />
        <button>Allow this device</button>
      </form>`,
  );

/** Tells that the device can use the license, or which device must give way first. */
export const allowedPage = (home: string, { extensionName, isFull }: Restore, brand: Brand | null): PageAnswer =>
  pageOf(
    brand,
    'Your license is on its way',
    markup`<p>Go back to <bdi>${extensionName}</bdi>: it unlocks itself within a minute.</p>
      ${
        isFull
          ? markup`<p>As many devices use this license as it allows. <a href="${home}/licenses">Free the seat of one</a> that you no longer need.</p>`
          : EMPTY_HTML
      }`,
  );
