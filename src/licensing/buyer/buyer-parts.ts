import { dayInWords } from '../../common/system/index.js';
import { markup, EMPTY_HTML, page, type Html, type PageAnswer, type PageLook } from '../../common/http/index.js';
import type { Buyer } from './sign-in/buyer-sessions.service.js';

/** A page in a look. */
export const pageWith = (look: PageLook, title: string, body: Html): PageAnswer => ({
  page: page(title, body, look),
  look,
});

/** The fields of a form that nobody fills in, with the token of the session. */
export const hiddenFields = ({ formToken }: Buyer, fields: Readonly<Record<string, string>>): readonly Html[] =>
  Object.entries({ form: formToken, ...fields }).map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}" />`,
  );

/** A form that is only a button. @param about what it is for, where a page has several */
export function form(
  home: string,
  action: string,
  buyer: Buyer,
  fields: Readonly<Record<string, string>>,
  label: string,
  about?: string,
): Html {
  const name = about === undefined ? EMPTY_HTML : markup` aria-label="${label}: ${about}"`;
  return markup`<form method="post" action="${home}/${action}">${hiddenFields(buyer, fields)}<button class="plain"${name}>${label}</button></form>`;
}

/** A day, in UTC. */
export const dayOf = (time: Date): Html => markup`<time datetime="${time.toISOString()}">${dayInWords(time)}</time>`;
