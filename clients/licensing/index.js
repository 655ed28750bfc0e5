// Pierhead's licensing client for service workers and pages of extensions. It has no dependencies; index.d.ts documents it.

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** A clock may run this far behind before it counts as set back. */
const TOLERANCE_SECONDS = 300;
const MARK_EVERY_SECONDS = 60;
const TIMEOUT_MS = 15_000;
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30_000;
const MOST_AWAITED = 3;

const bytesOf = (text) => new TextEncoder().encode(text);
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
const fromBase64Url = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));
const toBase64Url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

/** What an answer says besides its lease: of a replaced code until when it works, of a trial when it ends. */
const SHOWN = ['seats', 'expiresAt', 'renews', 'renewsAt', 'inGraceSince', 'codeValidUntil', 'trialEndsAt'];
const shownIn = (answer) =>
  Object.fromEntries(SHOWN.map((one) => [one, answer[one] ?? (one === 'renews' ? false : null)]));

const NONE = { isActive: false, isOffline: false, tier: null, entitlements: [], updatesUntil: null, isTrial: false };
const inactive = (reason) => ({ ...NONE, reason, ...shownIn({}) });

/** What the functions beside a client need of it; bundlers leave out those that an extension does not use. */
const contexts = new WeakMap();

const extensionApi = () => globalThis.browser ?? globalThis.chrome;

/**
 * The store that an extension was installed from. Chrome's and Edge's stores add their update URL to the manifest; Firefox and Safari use their
 * own URL scheme; Firefox reports settings that the manifest lacks as null. Undefined when neither says, as for an unpacked extension.
 */
function storeOf(runtime) {
  const manifest = runtime?.getManifest?.() ?? {};
  const url = manifest.update_url ?? manifest.browser_specific_settings?.gecko?.update_url;
  if (url) {
    if (url.startsWith('https://clients2.google.com/')) return 'chrome';
    return url.startsWith('https://edge.microsoft.com/') ? 'edge' : 'other';
  }
  const baseUrl = runtime?.getURL?.('') ?? '';
  if (baseUrl.startsWith('moz-extension:')) return 'firefox';
  return baseUrl.startsWith('safari-web-extension:') ? 'safari' : undefined;
}

export class LicensingError extends Error {
  constructor(code, message, status, retryAfterSeconds) {
    super(message);
    Object.assign(this, { name: 'LicensingError', code, status, retryAfterSeconds });
  }
}

/** The letters and digits of what a person pasted, as it is and without a label such as `License:`. */
function spellingsOf(code) {
  const folded = String(code).normalize('NFKD');
  const label = /^[^\p{L}\d]{0,10}\p{L}[\p{L}\p{M}\s]{0,40}[:=]/u;
  return [folded, folded.replace(label, '')].map((one) => one.replace(/[^0-9a-z]/gi, '').toUpperCase());
}

/** Whether a code's check symbols match, which catches typing mistakes without asking the server. */
export async function isWellFormed(code) {
  for (const letters of spellingsOf(code)) {
    const symbols = letters.replace(/O/g, '0').replace(/[IL]/g, '1');
    if (!/^[0-9A-HJKMNP-TV-Z]{25}$/.test(symbols)) continue;
    const [first, second] = await sha256(bytesOf(symbols.slice(0, 23)));
    if (symbols.slice(23) === ALPHABET[first >> 3] + ALPHABET[((first & 7) << 2) | (second >> 6)]) return true;
  }
  return false;
}

/** Whether a code may be one that the seller imported from another tool: those have no check symbols, so only the server recognizes them. */
function mayBeImported(code) {
  if (spellingsOf(code).some((letters) => /^[0-9A-F]{32}$/.test(letters))) return true;
  const characters = String(code)
    .normalize('NFKC')
    .replace(/=\r?\n|[\s\p{Pd}\u2212\p{Cf}]/gu, '')
    .toUpperCase();
  return /^[\x21-\x7e]{16,512}$/.test(characters) && !/^[0-9A-Z]{24,26}$/.test(characters);
}

export function createLicensing(options) {
  const {
    url,
    extensionId,
    keys,
    fetch: fetchUrl = (...args) => fetch(...args),
    now = () => Date.now(),
    version = extensionApi()?.runtime?.getManifest?.().version,
    store = storeOf(extensionApi()?.runtime),
    released,
  } = options;
  // Read as a member: WXT takes a plain `storage` for its own and imports that.
  const area = options.storage ?? extensionApi()?.storage?.local;
  if (!keys?.length) throw new TypeError('Pin the keys of GET /licensing/keys/{extensionId}');
  if (!area) throw new TypeError('Pass a storage, or request the "storage" permission');
  const base = url.replace(/\/+$/, '') + '/api/v1/';
  const name = (what) => `pierhead:${extensionId}:${what}`;
  const load = async (what) => (await area.get(name(what)))[name(what)];
  const save = (what, value) => area.set({ [name(what)]: value });
  const seconds = () => Math.floor(now() / 1000);
  const imported = new Map();

  /** What a lease says about the license: one that is maintained no more does not count for a version that was released later. */
  const stateIn = ({ act, rsn, tier, ent = [], upd, trial: isTrial = false }) => {
    const isCovered = !upd || !released || Date.parse(released) < upd * 1000;
    return {
      ...(isCovered ? { isActive: act, reason: rsn, entitlements: ent } : inactive('updates_over')),
      tier,
      updatesUntil: upd ? new Date(upd * 1000).toISOString() : null,
      isTrial,
    };
  };

  /** Runs one call at a time: across all contexts of the extension where the browser has Web Locks, otherwise within this one. */
  let last = Promise.resolve();
  const withLock = (work) => {
    if (globalThis.navigator?.locks) return navigator.locks.request(name('lock'), work);
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };

  /** Reads or creates an id that stays on this device: local storage only, never synchronized storage. */
  async function localId(what) {
    const known = await load(what);
    if (known) return known;
    const id = crypto.randomUUID();
    await save(what, id);
    return id;
  }

  /** Asks the server; posts what there is to post. */
  const ask = (path, body) =>
    fetchUrl(base + path, {
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });

  async function send(path, body) {
    const response = await ask(path, body);
    const answer = await response.json().catch(() => null);
    if (response.ok && answer) return answer;
    throw new LicensingError(
      answer?.code ?? 'unavailable',
      answer?.detail ?? `The server answered ${response.status}.`,
      response.status,
      Number(response.headers.get('retry-after')) || undefined,
    );
  }

  async function keyOf(kid) {
    const key = keys.find((pinned) => pinned.kid === kid);
    if (!key) return null;
    if (!imported.has(kid)) {
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.x };
      imported.set(kid, await crypto.subtle.importKey('jwk', jwk, { name: 'Ed25519' }, false, ['verify']));
    }
    return imported.get(kid);
  }

  /** The claims of a lease that a pinned key signed for this device, otherwise null. */
  async function read(lease) {
    try {
      const [head, body, signature] = lease.split('.');
      const json = (part) => JSON.parse(new TextDecoder().decode(fromBase64Url(part)));
      const { alg, kid } = json(head);
      const key = alg === 'EdDSA' && (await keyOf(kid));
      if (!key || !(await crypto.subtle.verify('Ed25519', key, fromBase64Url(signature), bytesOf(`${head}.${body}`))))
        return null;
      const claims = json(body);
      const fph = toBase64Url(await sha256(bytesOf(await localId('device'))));
      return claims.ext === extensionId && claims.fph === fph ? claims : null;
    } catch {
      return null;
    }
  }

  /** Sends a request, and trusts the answer only if a pinned key signed it with this request's nonce. */
  async function request(path, code, extra) {
    const nonce = crypto.randomUUID();
    const answer = await send(path, { code, extensionId, fingerprint: await localId('device'), nonce, ...extra });
    const claims = await read(answer.lease);
    if (claims?.nonce !== nonce) throw new LicensingError('untrusted', 'The answer is not signed by a pinned key.');
    const shown = shownIn(answer);
    const state = { ...stateIn(claims), isOffline: false, ...shown };
    await save('mark', Math.max(claims.iat, seconds()));
    return { state, stored: { code, lease: answer.lease, ...shown, nextCheckAt: Date.parse(answer.nextCheckAt) } };
  }

  /** The state that the stored lease proves, without the server. */
  async function fromLease(stored) {
    const claims = await read(stored.lease);
    if (!claims) return inactive('untrusted');
    const time = seconds();
    const mark = Math.max(claims.iat, (await load('mark')) ?? 0);
    if (time < mark - TOLERANCE_SECONDS) return inactive('clock_set_back');
    if (time > mark + MARK_EVERY_SECONDS) await save('mark', time);
    if (time >= claims.exp)
      return { ...inactive('lease_over'), isTrial: !!claims.trial, trialEndsAt: stored.trialEndsAt ?? null };
    return { ...stateIn(claims), isOffline: true, ...shownIn(stored) };
  }

  /** Activates with a code, and keeps it if that worked. */
  async function activateWith(code, deviceInfo) {
    const { state, stored } = await request('licensing/activate', code, { deviceInfo });
    if (state.isActive || state.reason === 'updates_over') await save('license', stored);
    return state;
  }

  /** Whether nothing more can come of a wait: the buyer may free a seat meanwhile, or the author build in the right keys. */
  const isSettled = (state) => state && !['seat_limit_reached', 'untrusted'].includes(state.reason);

  /** Activates with the code of a purchase or a restored license. @returns null when it is not there yet */
  async function claim(claimToken) {
    try {
      const wish = { extensionId, claimToken, fingerprint: await localId('device') };
      return await activateWith((await send('licensing/claim', wish)).code);
    } catch ({ code }) {
      return code === 'untrusted' ? inactive(code) : null;
    }
  }

  /**
   * Claims the code that this device waits for. The wait is in the storage, so that any context resumes it; the longer it lasts, the less often the
   * server is asked unless it is forced.
   * @returns null when it waits for nothing
   */
  async function settle(isForced = true) {
    const awaited = await load('awaited');
    if (!awaited) return null;
    const { tokens, since, until, next } = awaited;
    const time = now();
    if (!isForced && time < next) return inactive('waiting');
    let state = null;
    for (const claimToken of tokens) {
      state = (await claim(claimToken)) ?? state;
      if (isSettled(state)) break;
    }
    if (time >= until || isSettled(state)) await area.remove(name('awaited'));
    else {
      const pause = Math.min(Math.max((time - since) / 10, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
      await save('awaited', { ...awaited, next: time + pause });
      state ??= inactive('waiting');
    }
    return state;
  }

  const wasAsked = async () => Math.abs(now() - ((await load('asked')) ?? 0)) < LONGEST_PAUSE_MS;

  /** @param isOften who calls this may do so many times a second, and asks again about a license that does not count only after a pause */
  const checkNow = ({ force = false } = {}, isOften = false) =>
    withLock(async () => {
      const settled = await settle(force);
      const license = await load('license');
      if (settled?.isActive || !license) return settled ?? inactive('no_code');
      const cached = await fromLease(license);
      if (!force && cached.isActive && now() < license.nextCheckAt) return { ...cached, isOffline: false };
      // A server that does not answer must not hold up who is licensed.
      if (!force && (cached.isActive || isOften) && (await wasAsked())) return cached;
      await save('asked', now());
      try {
        // A trial is stored without a code.
        const path = license.code ? 'licensing/check' : 'licensing/trial';
        const { state, stored } = await request(path, license.code);
        await save('license', stored);
        return state;
      } catch {
        return cached;
      }
    });

  const client = {
    activate: (code, deviceInfo) =>
      withLock(async () => {
        if (!(await isWellFormed(code)) && !mayBeImported(code)) return inactive('invalid_code');
        return activateWith(code, deviceInfo);
      }),

    check: (wish) => checkNow(wish),

    has: async (entitlement) => (await checkNow({}, true)).entitlements.includes(entitlement),

    release: () =>
      withLock(async () => {
        const license = await load('license');
        if (!license?.code) return;
        const seat = { code: license.code, extensionId, fingerprint: await localId('device') };
        await send('licensing/release', seat).catch((error) => {
          // A device that the server does not know holds no seat.
          if (error.status !== 404) throw error;
        });
        await area.remove(name('license'));
      }),

    ping: ({ licensed } = {}) =>
      withLock(async () => {
        const today = new Date(now()).toISOString().slice(0, 10);
        if ((await load('pinged')) === today) return false;
        // JSON leaves out what is undefined.
        const hints = { language: globalThis.navigator?.language, store, licensed };
        const body = { installId: await localId('install'), extensionId, version, ...hints };
        const response = await ask('analytics/ping', body).catch(() => null);
        if (!response?.ok) return false;
        await save('pinged', today);
        return true;
      }),
  };
  const own = { extensionId, withLock, load, save, request, localId, send };
  contexts.set(client, {
    ...own,
    settle: () => withLock(settle),
    // Who opens several checkouts may pay in any of them.
    keep: ({ claimToken, expiresAt }) =>
      withLock(async () => {
        const { tokens = [] } = (await load('awaited')) ?? {};
        const until = Date.parse(expiresAt);
        await save('awaited', { tokens: [...tokens, claimToken].slice(-MOST_AWAITED), since: now(), until, next: 0 });
      }),
  });
  return client;
}

export async function trial(licensing, { email, deviceInfo } = {}) {
  const { withLock, load, save, request } = contexts.get(licensing);
  const known = await licensing.check();
  if (known.isActive || (known.isTrial && !known.isOffline && !email)) return known;
  return withLock(async () => {
    // A device with a code needs no trial, which would replace the code in the storage.
    if ((await load('license'))?.code) return known;
    // JSON leaves out what is undefined.
    const { state, stored } = await request('licensing/trial', undefined, { email, deviceInfo });
    await save('license', stored);
    return state;
  });
}

/** Polls until the code arrives or the wait ends. A service worker that sleeps meanwhile resumes with the next `check()`. */
async function untilSettled(licensing) {
  const { settle } = contexts.get(licensing);
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const state = await settle();
    if (state?.reason !== 'waiting') return state ?? licensing.check();
  }
}

/** Opens an address for the person: in a tab, also from a service worker, or in a window where there are no tabs to open. */
const openTab = (url) => {
  const tabs = extensionApi()?.tabs;
  return tabs?.create ? tabs.create({ url }) : globalThis.open(url, '_blank', 'noopener');
};

export async function buy(licensing, { tier, processor, open = openTab }) {
  const { extensionId, localId, send, keep } = contexts.get(licensing);
  const wish = { extensionId, tier, fingerprint: await localId('device'), ...(processor && { processor }) };
  const { url, ...claim } = await send(`licensing/checkout?${new URLSearchParams(wish)}`);
  await keep(claim);
  await open(url);
  return { url, state: untilSettled(licensing) };
}

export async function restore(licensing, { email }) {
  const { extensionId, localId, send, keep } = contexts.get(licensing);
  const claim = await send('licensing/restore', { extensionId, fingerprint: await localId('device'), email });
  await keep(claim);
  return { number: claim.number, state: untilSettled(licensing) };
}

const spelled = (code) => spellingsOf(code)[0];

/** Activates with the code of a mail's button. @returns the reason; where another code is active, only its user, or a code that replaces it, ends that */
async function takeCode(licensing, { pierheadCode: code, replaces }, { deviceInfo, onState }) {
  const { isActive, isTrial, codeValidUntil } = await licensing.check({ force: true });
  const own = (await contexts.get(licensing).load('license'))?.code;
  const isKept = isActive && !isTrial && !codeValidUntil && spelled(own) !== spelled(code);
  if (isKept && !replaces) return 'licensed_already';
  const state = await licensing.activate(code, deviceInfo);
  onState?.(state);
  return state.reason;
}

export function activateByLink(licensing, options = {}) {
  extensionApi().runtime.onMessage.addListener((message, _, answer) => {
    if (!message?.pierheadCode) return false;
    takeCode(licensing, message, options).then(answer, ({ code }) => answer(code));
    // The answer follows.
    return true;
  });
}
