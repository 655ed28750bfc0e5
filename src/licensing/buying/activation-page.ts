import { markup, page, type Html, type PageAnswer } from '../../common/http/index.js';
import { buyerPageOf, type Brand } from '../branding/index.js';
import { lookOf } from '../buyer/index.js';

/**
 * Moves the code from the link's fragment, which no server sees, into the page and out of the address bar. The extension's content script reads it
 * there, writes the reason of its answer beside it, and sends `pierhead`. Another link that is opened in the same tab changes the fragment alone.
 */
const SCRIPT = `
const code = document.getElementById('pierhead-code');
const show = (reason) => {
  const parts = [...document.querySelectorAll('[data-for]')];
  const wanted = parts.find((part) => part.dataset.for.split(' ').includes(reason)) ?? parts.at(-1);
  for (const part of parts) part.hidden = part !== wanted;
  document.getElementById('by-hand').hidden = !('byHand' in wanted.dataset);
};
addEventListener('hashchange', () => location.reload());
code.addEventListener('pierhead', () => show(code.dataset.reason));
if (/^#([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/.test(location.hash)) {
  code.textContent = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  show('asked');
}
`;

/** An extension that answers does so before the code to paste appears. */
const STYLE =
  '[role=status]:has([data-for=asked]:not([hidden]))+div{animation:appear 0s 2s both}@keyframes appear{from{visibility:hidden}}';

/** The page to which the button of a mail leads. The service never sees the code. @param home the path of the buyers' pages */
export function activationPage(home: string, name: string, brand: Brand | null): PageAnswer {
  const { style = '', ...rest } = lookOf(brand);
  const look = { ...rest, style: style + STYLE, script: SCRIPT };
  const mine = markup`<a href="${buyerPageOf(home, brand)}">Manage my license</a>`;
  const body = markup`<div role="status">
      <p data-for="none">
        Your code comes with the link: press the button in your mail again, or paste the code from the mail into ${bdi(name)}.
      </p>
      <p data-for="asked" data-by-hand hidden>Activating ${bdi(name)}, if it is in this browser…</p>
      <p data-for="active" hidden>${bdi(name)} is activated in this browser. You can close this page.</p>
      <p data-for="seat_limit_reached" hidden>
        As many devices use this license as it allows. Free the seat of one that you no longer need (${mine}), then press the button in your mail again.
      </p>
      <div data-for="licensed_already" hidden>
        <p>${bdi(name)} is active in this browser already, with another code.</p>
        <p><button type="button" id="pierhead-replace">Use this code instead</button></p>
      </div>
      <p data-for="invalid_code code_replaced" hidden>
        This code is no longer good. Use the one of the latest mail, or get a new one: ${mine}
      </p>
      <p data-for="revoked suspended expired updates_over" hidden>
        This license does not count any more, or not at present. See how it stands: ${mine}
      </p>
      <p data-for="other" data-by-hand hidden>${bdi(name)} could not be activated.</p>
    </div>
    <div id="by-hand" hidden>
      <p>To activate it yourself, open ${bdi(name)}, choose to enter a license code, and paste this one:</p>
      <p class="code" id="pierhead-code"></p>
    </div>`;
  return { page: page('Activate your license', body, look), look };
}

/** The page of a link that no mail has, or of an extension that was deleted. */
export const unknownActivationPage = (): PageAnswer => ({
  page: page(
    'This link does not work',
    markup`<p>It is incomplete, or its extension is no longer there. Paste the code from your mail into the extension.</p>`,
  ),
  status: 404,
});

const bdi = (name: string): Html => markup`<bdi>${name}</bdi>`;
