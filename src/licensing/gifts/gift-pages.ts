import { EMPTY_HTML, markup, page, type Html, type PageAnswer } from '../../common/http/index.js';
import type { Brand } from '../branding/index.js';
import { lookOf } from '../buyer/index.js';
import type { GiftState } from './gift-state.js';
import type { Gift } from './gifts.service.js';

/** Why a link gives no code. */
const REASONS: Readonly<
  Record<Exclude<GiftState, 'open' | 'again'>, { readonly title: string; readonly why: string }>
> = {
  used: {
    title: 'This gift was taken',
    why: 'The link works once, and somebody has used it. If that was you, the code is in your mail if you gave an address; otherwise ask the sender.',
  },
  ended: { title: 'This gift has expired', why: 'The link is too old. Ask the sender for a new one.' },
  suspended: { title: 'This gift is not available now', why: 'The seller has suspended it. Try again later.' },
  revoked: { title: 'This gift was withdrawn', why: 'The seller has withdrawn the license of this link.' },
};

/** The page of a link. Only its button uses the link, because previews open every link. @param home the path of these pages */
export function giftPage(home: string, token: string, gift: Gift, brand: Brand | null): PageAnswer {
  const look = lookOf(brand);
  const made = (title: string, body: Html, status = 200): PageAnswer => ({
    page: page(title, body, look),
    look,
    status,
  });
  if (gift.state === 'open') return made('A gift for you', offer(home, token, gift));
  if (gift.state === 'again') return made('Your license code', codeOf(gift));
  const { title, why } = REASONS[gift.state];
  return made(title, markup`<p>${why}</p>`, gift.state === 'suspended' ? 409 : 410);
}

/** The page of a link that nobody made, or whose license has got another code. */
export const unknownGiftPage = (): PageAnswer => ({
  page: page(
    'This link does not work',
    markup`<p>It is incomplete, or its code was replaced. Ask the sender for a new link.</p>`,
  ),
  status: 404,
});

function offer(home: string, token: string, { extensionName, tier, maxActivations, expiresAt, owner }: Gift): Html {
  const devices = maxActivations === 1 ? 'one device' : `${maxActivations} devices`;
  const expiry = expiresAt === null ? '' : `, which expires on ${expiresAt.toISOString().slice(0, 10)}`;
  return markup`<p>A license of <bdi>${extensionName}</bdi> (<bdi>${tier}</bdi>) for ${devices}${expiry}.</p>
    <form method="post" action="${home}/${token}">
      ${owner === null ? ADDRESS : markup`<p class="second">The code is also mailed to its owner.</p>`}
      <button>Get my code</button>
    </form>`;
}

const ADDRESS = markup`<label for="email">Your e-mail address, if you like</label>
      <input id="email" name="email" type="email" autocomplete="email" maxlength="254" />
      <p class="second">With it we mail you the code, and you can manage your devices yourself.</p>`;

function codeOf({ extensionName, code, owner }: Gift): Html {
  return markup`<p>Open <bdi>${extensionName}</bdi> in your browser, choose to enter a license code, and paste this one:</p>
    <p class="code">${code ?? ''}</p>
    <p>Copy it now: for 15 minutes this browser shows it again, and then nobody does.</p>
    ${owner === null ? EMPTY_HTML : markup`<p>We also send it by mail.</p>`}`;
}
