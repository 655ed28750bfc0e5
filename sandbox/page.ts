import express, { type ErrorRequestHandler, type Request, type RequestHandler, Router } from 'express';
import { ControlClient } from './control-client.js';
import type { Rejection } from './control-plane.js';
import { type Fields, fields, InvalidInput, jsonOrNull, matching, required, text } from './input.js';
import type { ShopState } from './payments/stripe-shop.js';
import type { ListedItem } from './stand-in.js';

/** An item and its store. */
type StoreItem = ListedItem & { readonly store: string };

/** How long a review takes when nobody reviews by hand. */
const REVIEW_SECONDS = 5;
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;
/** The page loads nothing, and no other page can frame it. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Without a referrer, a browser hides the origin of a form, too.
  'referrer-policy': 'same-origin',
};

/** The control plane of this sandbox. */
class Control extends ControlClient {
  constructor({ socket }: Request) {
    super(`http://127.0.0.1:${socket.localPort}`);
  }

  override call<T>(method: string, path: string, body?: object): Promise<T> {
    return super.call(method, path, body);
  }

  async items(): Promise<readonly StoreItem[]> {
    return (await this.call<{ readonly items: readonly StoreItem[] }>('GET', '/items')).items;
  }

  async rejections(): Promise<readonly Rejection[]> {
    return (await this.call<{ readonly rejections: readonly Rejection[] }>('GET', '/rejections')).rejections;
  }
}

/** Refuses changes that a page of another site sends, which a browser would send from this machine. */
export const refuseOtherSites: RequestHandler = (req, res, next) => {
  const { origin = null, 'sec-fetch-site': site = 'none', host = '' } = req.headers;
  const isOwn = (origin === null || origin === `http://${host}`) && /^(?:same-origin|none)$/.test(site);
  if (req.method === 'GET' || isOwn) next();
  else res.status(403).json({ error: 'another site may change nothing here' });
};

/** A name of another site may have been pointed at this machine. */
const refuseOtherHosts: RequestHandler = (req, res, next) => {
  if (LOOPBACK.test(req.headers.host ?? '')) next();
  else res.status(403).json({ error: 'the page is for this machine only' });
};

/** A page on which a person approves and rejects versions, sells and refunds. It does so through the control plane. */
export function page(): Router {
  const router = Router();
  router.get('/', refuseOtherHosts, async (req, res) => {
    res.set(HEADERS).send(await render(new Control(req), null));
  });
  const readForm = express.urlencoded({ extended: false, limit: '64kb' });
  for (const [path, change] of Object.entries(CHANGES))
    router.post(path, refuseOtherHosts, refuseOtherSites, readForm, async (req, res) => {
      await change(new Control(req), (req.body ?? {}) as Fields);
      res.redirect(303, '/');
    });
  router.use(showProblem);
  return router;
}

/** The control plane says in JSON why it refused. */
const showProblem: ErrorRequestHandler = async (error: unknown, req, res, _next) => {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const refusal = typeof cause === 'string' ? jsonOrNull(Buffer.from(cause)) : null;
  const problem = refusal === null ? message : required(fields(refusal, 'a refusal'), 'error', text);
  res.status(error instanceof InvalidInput ? 400 : 409).set(HEADERS);
  res.send(await render(new Control(req), problem));
};

/** What the forms of the page do. */
const CHANGES: Readonly<Record<string, (control: Control, form: Fields) => Promise<unknown>>> = {
  '/approve': async (control, form) => {
    const { path, platform } = await chosen(control, form);
    return control.call('POST', `${path}/approve`, { platform });
  },
  '/reject': async (control, form) => {
    const { store, name, path, platform, inReview } = await chosen(control, form);
    const reason = required(form, 'reason', matching(/\S/, 'the reason'));
    await control.call('POST', `${path}/reject`, { platform });
    const rejections = [...(await control.rejections()), { store, name, version: inReview ?? '', reason }];
    return control.call('PUT', '/rejections', { rejections });
  },
  '/reviews': async (control, form) => {
    const isByHand = required(form, 'by', matching(/^(?:hand|time)$/, 'hand or time')) === 'hand';
    const approveAfterSeconds = isByHand ? null : REVIEW_SECONDS;
    for (const { path } of await control.items()) await control.call('PATCH', path, { approveAfterSeconds });
  },
  '/shop': (control, form) =>
    control.call('PUT', '/stripe/shop', { webhookUrl: required(form, 'webhookUrl', text).trim() }),
  '/buy': (control, form) =>
    control.call('POST', '/stripe/shop/payments', {
      link: required(form, 'link', text).trim(),
      email: required(form, 'email', text).trim(),
    }),
  '/refund': (control, form) =>
    control.call('POST', '/stripe/shop/refunds', { payment: required(form, 'payment', text) }),
};

async function chosen(control: Control, form: Fields): Promise<StoreItem> {
  const [store, id, version] = ['store', 'id', 'version'].map((name) => required(form, name, text));
  const found = (await control.items()).find((item) => item.store === store && item.id === id);
  // The page may be older than the version in review.
  if (found === undefined || found.inReview !== version)
    throw new InvalidInput(`${version} of ${id} is not in review at ${store} any more`);
  return found;
}

/** HTML in which every value was escaped. */
class Html {
  constructor(readonly source: string) {}
}

/** Escapes each value that is not HTML itself. Prettier would format, and break, what a tag named `html` marks. */
function markup(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const escaped = (value: string): string => value.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const written = values.map((value) => {
    if (typeof value === 'string') return escaped(value);
    return value instanceof Html ? value.source : value.map((each) => each.source).join('');
  });
  return new Html(String.raw({ raw: parts }, ...written));
}

const STYLE = markup`<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  table { width: 100%; border-collapse: collapse; }
  th, td { text-align: left; padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid #8885; overflow-wrap: anywhere; }
  td form { display: inline-block; }
  .store { text-transform: capitalize; white-space: nowrap; }
  [role='alert'] { border: 2px solid #c33; padding: 0.5rem 1rem; }
</style>`;

async function render(control: Control, problem: string | null): Promise<string> {
  const [items, rejections, shop] = await Promise.all([
    control.items(),
    control.rejections(),
    control.call<ShopState>('GET', '/stripe/shop'),
  ]);
  const names = [...new Set(items.map(({ name }) => name))];
  const isByHand = items.every(({ approveAfterSeconds }) => approveAfterSeconds === null);
  const choice = isByHand
    ? markup`<button name="by" value="time">Approve after 5 s</button>`
    : markup`<button name="by" value="hand">Review by hand</button>`;
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sandbox</title>
${STYLE}
<h1>Sandbox</h1>
<p>Here you are the reviewers of the stores, and the customers of your shop. <a href="/">Reload</a></p>
${problem === null ? '' : markup`<p role="alert">${problem}</p>`}
<h2>Reviews</h2>
<form method="post" action="/reviews">
  ${isByHand ? 'A version waits until you approve or reject it.' : 'A version is approved after 5 s.'} ${choice}
</form>
${names.map((name) =>
  itemsTable(
    name,
    items.filter((item) => item.name === name),
  ),
)}
${rejections.length === 0 ? '' : rejectionsList(rejections)}
<h2>Stripe</h2>
${shopSection(shop)}
</html>
`.source;
}

const itemsTable = (name: string, items: readonly StoreItem[]): Html => markup`<h3>${name}</h3>
<table>
<tr><th>Store</th><th>Item</th><th>Versions</th><th>Review</th></tr>
${items.map(
  (item) => markup`<tr>
  <td class="store">${item.store}</td><td>${item.id}</td><td>${versionsOf(item)}</td>
  <td>${item.inReview === null ? '' : reviewForms(item, item.inReview)}</td>
</tr>`,
)}
</table>`;

const versionsOf = ({ versions }: StoreItem): string | readonly Html[] =>
  versions.length === 0
    ? 'none'
    : versions
        .slice(0, 5)
        .map(({ version, state }) => markup`<div>${version} ${state.toLowerCase().replaceAll('_', ' ')}</div>`);

function reviewForms({ store, id }: StoreItem, version: string): Html {
  const named = Object.entries({ store, id, version }).map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`,
  );
  return markup`<form method="post" action="/approve">${named}<button>Approve ${version}</button></form>
  <form method="post" action="/reject">
    ${named}<input name="reason" required aria-label="Reason" placeholder="Reason"> <button>Reject</button>
  </form>`;
}

const rejectionsList = (rejections: readonly Rejection[]): Html => markup`<h3>Mail about rejections</h3>
<p>A store's API gives no reason, and Edge's does not even tell of a rejection; the mail does. Keep it for your colleagues:
<code>npx pierhead rejected chrome --reason "…"</code></p>
<ul>
${rejections.map(
  ({ store, name, version, reason }) =>
    markup`<li><span class="store">${store}</span> rejected ${name} ${version}: ${reason}</li>`,
)}
</ul>`;

const shopSection = ({ webhookSecret, webhookUrl, payments }: ShopState): Html => markup`<ol>
<li>
  <code>npx pierhead processors connect stripe</code> prints a webhook URL, and asks for the signing secret
  <code>${webhookSecret}</code>
  <form method="post" action="/shop">
    <label>Webhook URL <input name="webhookUrl" type="url" required size="70" value="${webhookUrl ?? ''}"></label>
    <button>Save</button>
  </form>
</li>
<li>
  <code>npx pierhead products add stripe:plink_123 --plan pro</code> says what a Payment Link sells.
  <form method="post" action="/buy">
    <label>Payment Link <input name="link" required pattern="plink_[A-Za-z0-9_]+" value="plink_123"></label>
    <label>E-mail <input name="email" type="email" required value="buyer@example.com"></label>
    <button>Buy for €9.00</button>
  </form>
</li>
</ol>
${payments.length === 0 ? '' : paymentsTable(payments)}`;

const paymentsTable = (payments: ShopState['payments']): Html => markup`<table>
<tr><th>Payment</th><th>Payment Link</th><th>Buyer</th><th></th></tr>
${payments.toReversed().map(
  ({ id, link, email, isRefunded }) => markup`<tr>
  <td>${id}</td><td>${link}</td><td>${email}</td><td>${isRefunded ? 'refunded' : refundForm(id)}</td>
</tr>`,
)}
</table>`;

const refundForm = (id: string): Html => markup`<form method="post" action="/refund">
  <input type="hidden" name="payment" value="${id}"><button>Refund €9.00</button>
</form>`;
