import { markup, NOTHING, page, type Html } from '../../common/http/index.js';
import type { BuyerLicense } from '../licenses/buyer-licenses.service.js';
import type { Buyer } from './sign-in/buyer-sessions.service.js';

/** Asks for the buyer's address. @param home the path of these pages, here as below */
export const askPage = (home: string): string =>
  page(
    'My licenses',
    markup`<p>Enter the e-mail address that you used for your purchase. We will send you a link to your licenses and devices.</p>
      <form method="post" action="${home}/link">
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="email" required maxlength="254" />
        <button>Send me a link</button>
      </form>`,
  );

/** Answers every address alike. */
export const askedPage = (home: string): string =>
  page(
    'Check your inbox',
    markup`<p>
        If there are licenses for that address, we have sent a link to it. The link works once and expires after
        15 minutes.
      </p>
      <p><a href="${home}">Use another address</a></p>`,
  );

/** The page that a link opens. Only its button uses the link, because mail scanners open every link. */
export const enterPage = (home: string, token: string): string =>
  page(
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

/** A buyer's licenses. @param isCut whether there are more than these */
export const licensesPage = (home: string, buyer: Buyer, licenses: readonly BuyerLicense[], isCut: boolean): string =>
  page(
    'My licenses',
    markup`<p>${buyer.email}</p>
      ${licenses.map((license) => licenseOf(home, license, buyer))}
      ${licenses.length === 0 ? markup`<p>There are no licenses for this address.</p>` : NOTHING}
      ${isCut ? markup`<p>Only the newest ${licenses.length} are shown.</p>` : NOTHING}
      ${form(home, 'leave', buyer, {}, 'Sign out')}`,
  );

/** A new code. It is shown only here. */
export const codePage = (home: string, code: string): string =>
  page(
    'Your new code',
    markup`<p>Copy it now: it is not shown again. Your old code no longer works; your devices stay activated.</p>
      <p class="code">${code}</p>
      <p><a href="${home}/licenses">Back to my licenses</a></p>`,
  );

function licenseOf(home: string, license: BuyerLicense, buyer: Buyer): Html {
  const { id, extensionName, tier, status, codeHint, expiresAt, maxActivations, devices } = license;
  const until = expiresAt === null ? '' : `, ${status === 'expired' ? 'since' : 'until'} ${dayOf(expiresAt)}`;
  const rotate = { license: id, hint: codeHint };
  return markup`<section class="license">
    <h2>${extensionName}</h2>
    <p>
      ${tier} – ${status}${until}<br />Code ends with <strong>${codeHint}</strong><br />${devices.length} of
      ${maxActivations} devices
    </p>
    <ul>
      ${devices.map(
        (device) =>
          markup`<li>
            <span>${device.label ?? 'Unnamed device'}<br /><small>last seen ${dayOf(device.lastSeenAt)}</small></span>
            ${form(home, 'release', buyer, { license: id, device: device.id }, 'Free this seat')}
          </li>`,
      )}
    </ul>
    ${status === 'revoked' ? NOTHING : form(home, 'rotate', buyer, rotate, 'Get a new code')}
  </section>`;
}

function form(
  home: string,
  action: string,
  { formToken }: Buyer,
  fields: Readonly<Record<string, string>>,
  label: string,
): Html {
  const hidden = Object.entries({ form: formToken, ...fields }).map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return markup`<form method="post" action="${home}/${action}">${hidden}<button>${label}</button></form>`;
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
