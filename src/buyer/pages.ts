import { createHash } from 'node:crypto';
import { escaped } from '../common/html/index.js';
import type { HeldLicense } from '../licensing/index.js';
import type { Buyer } from './buyer-sessions.service.js';

const STYLE = `
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin:0}
input,button{font:inherit;padding:.6rem .8rem;min-height:2.75rem;box-sizing:border-box}
input{width:100%;margin:.25rem 0 1rem}
button{cursor:pointer}
.license{border:1px solid;border-radius:.5rem;padding:1rem;margin:1rem 0}
ul{list-style:none;padding:0}
li{display:flex;justify-content:space-between;align-items:center;gap:1rem;padding:.5rem 0}
.code{font:1.3rem ui-monospace,monospace;padding:1rem;border:2px solid;border-radius:.5rem}
`;

/** What a browser is allowed to do with these pages: show them, and send their forms home. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** HTML, as opposed to text that somebody wrote. */
class Html {
  constructor(readonly text: string) {}
}

type Piece = Html | string | number | readonly Html[];

/** Puts pieces into HTML; whatever is not HTML itself is shown as text. */
function markup(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(parts.map((part, at) => part + (at < pieces.length ? written(pieces[at] ?? '') : '')).join(''));
}

function written(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  return typeof piece === 'object' ? piece.map(written).join('') : escaped(String(piece));
}

const NOTHING = markup``;

function page(title: string, body: Html): string {
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>${new Html(STYLE)}</style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `.text;
}

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
export const licensesPage = (home: string, buyer: Buyer, licenses: readonly HeldLicense[], isCut: boolean): string =>
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

function licenseOf(home: string, license: HeldLicense, buyer: Buyer): Html {
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
