import { markup, EMPTY_HTML, page, type Html, type PageAnswer } from '../../common/http/index.js';
import { buyerPageOf, type Brand } from '../branding/index.js';
import { expiredFrom, renewalOf } from '../plans/index.js';
import type { BuyerLicense } from './buyer-licenses.service.js';
import { footerOf, lookOf, lookOfSeveral, sellerClass, headerOf } from './buyer-look.js';
import { dayOf, form, pageWith } from './buyer-parts.js';
import type { Buyer } from './sign-in/buyer-sessions.service.js';
import { teamPart } from './team/buyer-team-pages.js';

/** Asks for the buyer's address. @param home the path of these pages, here as below @param brand of the seller, if it is known */
export const requestLinkPage = (home: string, brand: Brand | null): PageAnswer =>
  pageWith(
    lookOf(brand),
    'My licenses',
    markup`<p>Enter the e-mail address that you used for your purchase. We will send you a link to your licenses and devices.</p>
      <form method="post" action="${home}/link">
        ${sellerField(brand)}
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="email" required maxlength="254" />
        <button>Send me a link</button>
      </form>`,
  );

/** Answers every address alike. */
export const linkRequestedPage = (home: string, brand: Brand | null): PageAnswer =>
  pageWith(
    lookOf(brand),
    'Check your inbox',
    markup`<p>
        If there are licenses for that address, we have sent a link to it. The link works once and expires after
        15 minutes.
      </p>
      <p><a href="${buyerPageOf(home, brand)}">Use another address</a></p>`,
  );

/** The page that a link opens. Only its button uses the link, because mail scanners open every link. */
export const confirmLinkPage = (home: string, token: string, brand: Brand | null): PageAnswer =>
  pageWith(
    lookOf(brand),
    'My licenses',
    markup`<form method="post" action="${home}/enter">
      <input type="hidden" name="token" value="${token}" />
      <button>See my licenses</button>
    </form>`,
  );

/** A problem, and a link back to the start. */
export const messagePage = (home: string, title: string, message: string): string =>
  page(
    title,
    markup`<p>${message}</p>
      <p><a href="${home}">Continue</a></p>`,
  );

/** Content of a buyer's page. */
interface BuyerPage {
  readonly buyer: Buyer;
  /** The newest first. */
  readonly licenses: readonly BuyerLicense[];
  /** Whether there are more than these. */
  readonly isCut: boolean;
  /** By the id of the tenant. */
  readonly brands: ReadonlyMap<string, Brand>;
}

/** A buyer's licenses, by seller. */
export function licensesPage(home: string, { buyer, licenses, isCut, brands }: BuyerPage): PageAnswer {
  const sellers = [...new Set(licenses.map(({ tenantId }) => tenantId))];
  const looks = sellers.map((id) => brands.get(id) ?? null);
  const cardsOf = (seller: string): readonly Html[] =>
    licenses.filter(({ tenantId }) => tenantId === seller).map((license) => licenseCard(home, license, buyer));
  const [only = null] = looks;
  return pageWith(
    sellers.length > 1 ? lookOfSeveral(looks) : lookOf(only),
    'My licenses',
    markup`<div class="row second"><span>${buyer.email}</span>${form(home, 'leave', buyer, {}, 'Sign out')}</div>
      ${
        sellers.length > 1
          ? sellers.map((seller, at) => sellerSection(at, looks[at] ?? null, cardsOf(seller)))
          : sellers.flatMap(cardsOf)
      }
      ${licenses.length === 0 ? markup`<p>There are no licenses for this address.</p>` : EMPTY_HTML}
      ${isCut ? markup`<p>Only the newest ${licenses.length} are shown.</p>` : EMPTY_HTML}`,
  );
}

/** A new code. It is shown only here. */
export const codePage = (home: string, code: string, brand: Brand | null): PageAnswer =>
  pageWith(
    lookOf(brand),
    'Your new code',
    markup`<p>Copy it now: it is not shown again. Your old code activates no device any more. Your devices stay activated; enter the new code where one asks for it.</p>
      <p class="code">${code}</p>
      <p><a href="${home}/licenses">Back to my licenses</a></p>`,
  );

const sellerField = (brand: Brand | null): Html =>
  brand === null ? EMPTY_HTML : markup`<input type="hidden" name="seller" value="${brand.tenantId}" />`;

/** A buyer's licenses from one of several sellers. */
const sellerSection = (at: number, brand: Brand | null, cards: readonly Html[]): Html =>
  markup`<div class="seller ${sellerClass(at)}">
    ${brand === null ? EMPTY_HTML : headerOf(brand)}${cards}${brand === null ? EMPTY_HTML : footerOf(brand)}
  </div>`;

function endOf(license: BuyerLicense): Html {
  const { status, expiresAt, onEnd } = license;
  if (expiresAt === null || status === 'revoked') return EMPTY_HTML;
  if (status === 'active' && renewalOf(license).renews) return markup`, renewal on ${dayOf(expiresAt)}`;
  if (onEnd === 'maintain') return markup`, with updates until ${dayOf(expiresAt)}`;
  return markup`, ${status === 'expired' ? 'since' : 'expires'} ${dayOf(expiredFrom(license) ?? expiresAt)}`;
}

function licenseCard(home: string, license: BuyerLicense, buyer: Buyer): Html {
  const { id, extensionName, tier, status, codeHint, maxActivations, devices, isMembers, team } = license;
  const until = endOf(license);
  const rotate = { license: id, hint: codeHint };
  return markup`<section class="license">
    <h2><bdi>${extensionName}</bdi></h2>
    <p><bdi>${tier}</bdi> – <span class="${status}">${status}</span>${until}</p>
    ${isMembers ? markup`<p class="second">Shared with you.</p>` : EMPTY_HTML}
    ${paymentLinks(license)}
    <h3>${devices.length} of ${maxActivations} ${maxActivations === 1 ? 'device' : 'devices'}</h3>
    <ul>
      ${devices.map(
        (device) =>
          markup`<li class="row">
            <span><bdi>${device.label ?? UNNAMED}</bdi><br /><small>last seen ${dayOf(device.lastSeenAt)}${
              device.memberEmail === null ? '' : markup`, <bdi>${device.memberEmail}</bdi>`
            }</small></span>
            ${form(home, 'release', buyer, { license: id, device: device.id }, 'Free this seat', device.label ?? UNNAMED)}
          </li>`,
      )}
    </ul>
    ${team === null ? EMPTY_HTML : teamPart(home, license, team, buyer)}
    <details>
      <summary>Code ends with <code>${codeHint}</code></summary>
      ${
        status === 'revoked'
          ? markup`<p class="second">It no longer works.</p>`
          : markup`<p class="second">
              If you no longer have the whole code, get a new one. It replaces this code at once; your devices stay activated.
            </p>
            ${form(home, 'rotate', buyer, rotate, 'Get a new code')}`
      }
    </details>
    ${isMembers ? form(home, 'team/leave', buyer, { license: id }, 'Leave this license', extensionName) : EMPTY_HTML}
  </section>`;
}

/** Links to the receipt and the subscription at the processor. */
function paymentLinks({ extensionName, receiptUrl, portalUrl }: BuyerLicense): Html {
  const links = [
    ...(receiptUrl === null ? [] : [{ label: 'Receipt', url: receiptUrl }]),
    ...(portalUrl === null ? [] : [{ label: 'Manage subscription', url: portalUrl }]),
  ];
  return links.length === 0
    ? EMPTY_HTML
    : markup`<p class="links">
        ${links.map(({ label, url }) => markup`<a href="${url}" rel="noreferrer" aria-label="${label}: ${extensionName}">${label}</a> `)}
      </p>`;
}

const UNNAMED = 'Unnamed device';
