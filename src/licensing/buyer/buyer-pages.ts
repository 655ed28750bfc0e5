import { markup, NOTHING, page, type Html } from '../../common/http/index.js';
import type { BuyerLicense } from '../licenses/buyer-licenses.service.js';
import type { Buyer } from './buyer-sessions.service.js';

/** Where a buyer says who he is. @param home the path of these pages, here as below */
export const askPage = (home: string): string =>
  page(
    'My licenses',
    markup`<p>Enter the e-mail address that you bought with. You get a link to your licenses and devices.</p>
      <form method="post" action="${home}/link">
        <label for="email">E-mail address</label>
        <input id="email" name="email" type="email" autocomplete="email" required maxlength="254" />
        <button>Send me a link</button>
      </form>`,
  );

/** The one answer to every address. */
export const askedPage = (home: string): string =>
  page(
    'Look into your mailbox',
    markup`<p>
        If licenses were bought with that address, a link to them is on its way. It is good for 15 minutes, and works
        once.
      </p>
      <p><a href="${home}">Use another address</a></p>`,
  );

/** Where a link leads. It is not used up by looking at it, since programs that check mails do that. */
export const enterPage = (home: string, token: string): string =>
  page(
    'My licenses',
    markup`<form method="post" action="${home}/enter">
      <input type="hidden" name="token" value="${token}" />
      <button>See my licenses</button>
    </form>`,
  );

/** Whatever went wrong, and the way back. */
export const messagePage = (home: string, title: string, message: string): string =>
  page(
    title,
    markup`<p>${message}</p>
      <p><a href="${home}">Go on</a></p>`,
  );

/** A buyer's licenses. @param isCut there are more than are shown */
export const licensesPage = (home: string, buyer: Buyer, licenses: readonly BuyerLicense[], isCut: boolean): string =>
  page(
    'My licenses',
    markup`<p>${buyer.email}</p>
      ${licenses.map((license) => licenseOf(home, license, buyer))}
      ${licenses.length === 0 ? markup`<p>There are no licenses of this address any more.</p>` : NOTHING}
      ${isCut ? markup`<p>Only the newest ${licenses.length} are shown.</p>` : NOTHING}
      ${form(home, 'leave', buyer, {}, 'Leave')}`,
  );

/** A new code, shown this once. */
export const codePage = (home: string, code: string): string =>
  page(
    'Your new code',
    markup`<p>Copy it now: it is not shown again. The code before is good no longer; your devices stay.</p>
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
