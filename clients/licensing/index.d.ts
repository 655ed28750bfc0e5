/** A public key of `GET /api/v1/licensing/keys/{extensionId}`; other members are ignored. */
export interface PinnedKey {
  readonly kid: string;
  readonly x: string;
}

/** Where the client keeps its state: `chrome.storage.local` or anything of this shape. Never pass synchronized storage. */
export interface Storage {
  get(key: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(key: string): Promise<void>;
}

export interface LicensingOptions {
  /** Pierhead's address, such as `https://pierhead.example`. */
  readonly url: string;
  /** The extension's id in Pierhead. */
  readonly extensionId: string;
  /** The current and the next key, built into the extension. Never fetch them at run time. */
  readonly keys: readonly PinnedKey[];
  /** Default: the extension's local storage, for which the manifest must request the `storage` permission. */
  readonly storage?: Storage;
  /** Default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The current time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** Default: the version in the manifest. */
  readonly version?: string;
  /** When this version was released, such as `2026-11-27`, for licenses that are maintained: one whose updates have ended before is inactive, with the reason `updates_over`. */
  readonly released?: string;
  /** The store that pings report as the source of the install. Default: the store that installed the extension; unknown when unpacked. */
  readonly store?: 'chrome' | 'firefox' | 'edge' | 'safari' | 'other';
}

export interface LicenseState {
  readonly isActive: boolean;
  /** The server could not be reached; the state comes from the stored lease. */
  readonly isOffline: boolean;
  /**
   * From the server: `active`, `invalid_code`, `revoked`, `suspended`, `expired`, `seat_limit_reached`, `seat_not_active` or
   * `code_replaced` (ask the buyer for the code of the last mail). Of a trial: `trial_active`, `trial_ended`, `trial_converted` (a code was activated on this device), `no_trial`, `email_required`, `email_unconfirmed` (the link was mailed), `email_taken` or `limit_reached`. From this client: `no_code` (nothing is activated), `waiting` (for a purchase or a link in a mail), `lease_over` (offline for too long), `updates_over` (this version was released after its updates ended), `clock_set_back` or `untrusted` (no pinned key signed it).
   */
  readonly reason: string;
  readonly tier: string | null;
  /** Features that this device may use now, such as `['export', 'sync']`; none unless it is active. */
  readonly entitlements: readonly string[];
  readonly seats: { readonly used: number; readonly max: number } | null;
  /** ISO 8601. Where it `renews`: when it is renewed, and from then on until when it waits for that. */
  readonly expiresAt: string | null;
  /** A subscription renews it: say "renews on", not "expires on". */
  readonly renews: boolean;
  /** ISO 8601: when a subscription renews it, in the past while the renewal is late. Null otherwise. */
  readonly renewsAt: string | null;
  /** ISO 8601: it counts for versions that were released before. Null when it counts for all. */
  readonly updatesUntil: string | null;
  /** ISO 8601: it has ended, and goes on until `expiresAt`. Null otherwise. */
  readonly inGraceSince: string | null;
  /** ISO 8601: the code was replaced, and works on this device until then. Null for the current code. */
  readonly codeValidUntil: string | null;
  /** It is the state of a trial, not of a license. */
  readonly isTrial: boolean;
  /** ISO 8601: when the trial ends or ended. Null without a trial. */
  readonly trialEndsAt: string | null;
}

/** The server refused the request, sent no JSON (`unavailable`), or its answer is not signed by a pinned key (`untrusted`). */
export class LicensingError extends Error {
  constructor(code: string, message: string, status?: number, retryAfterSeconds?: number);
  /** The problem's code, such as `rate_limited` or `licensing_not_enabled`; `unavailable` or `untrusted`. */
  readonly code: string;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
}

export interface Licensing {
  /**
   * Activates the license on this device. Answers `invalid_code` for a mistyped code without asking the server.
   * @param deviceInfo a label of this device for the seller, at most 200 characters
   * @throws LicensingError, or what `fetch` throws without a network
   */
  activate(code: string, deviceInfo?: string | { readonly label: string }): Promise<LicenseState>;
  /**
   * Checks whether this device is licensed. Asks the server about once a day, or at once with `force`. If the server cannot be reached, the
   * stored lease counts until it expires, and it is asked twice a minute at most. Never throws on network failures.
   */
  check(options?: { readonly force?: boolean }): Promise<LicenseState>;
  /**
   * Whether this device may use a feature of its plan or license now, offline too. Checks as `check()` does, but asks twice a minute at most about a
   * license that does not count. Never throws on network failures.
   */
  has(entitlement: string): Promise<boolean>;
  /** Frees this device's seat and forgets the code. @throws LicensingError, or what `fetch` throws without a network */
  release(): Promise<void>;
  /**
   * Sends at most one ping a day for this install. Never throws.
   * @param options.licensed counts the install as licensed or free in reports; without it, the client reports nothing about the license
   * @returns whether this call sent it
   */
  ping(options?: { readonly licensed?: boolean }): Promise<boolean>;
}

export function createLicensing(options: LicensingOptions): Licensing;

/**
 * Starts the trial of this device, once, or answers how it stands; a code that was activated counts instead. From then on, `check()` keeps the
 * trial, also offline. Call it when the user asks for a trial, and again with `email` after `email_required`.
 * @param options.email where the plan needs an address: a link is mailed to it, and the trial runs once its button is pressed
 * @param options.deviceInfo as of `activate`
 * @throws LicensingError, or what `fetch` throws without a network
 */
export function trial(
  licensing: Licensing,
  options?: { readonly email?: string; readonly deviceInfo?: string | { readonly label: string } },
): Promise<LicenseState>;

/**
 * Whether a code's check symbols match, which catches typing mistakes without asking the server. False for codes that were imported from another
 * tool, which have no check symbols; `activate` sends those to the server.
 */
export function isWellFormed(code: string): Promise<boolean>;

export interface BuyOptions {
  /** The tier of the plan to buy, one of whose products has the address of a checkout. */
  readonly tier: string;
  /** Default: that of the plan's first product with a checkout. */
  readonly processor?: 'stripe' | 'paddle' | 'lemonsqueezy' | 'polar' | 'creem' | 'dodo';
  /** Opens the checkout. Default: in a new tab, or a new window where the browser opens no tabs for the caller. */
  readonly open?: (url: string) => unknown;
}

export interface Purchase {
  readonly url: string;
  /**
   * The state of the license once the purchase has unlocked this device, or a day has passed. A service worker may be put to sleep before; then
   * `check()` goes on, which has the reason `waiting` until the purchase is there.
   */
  readonly state: Promise<LicenseState>;
}

/**
 * Opens the checkout of a plan, and activates the license on this device once it is paid: nobody copies a code.
 * @throws LicensingError, such as `checkout_not_offered`, or what `fetch` throws without a network
 */
export function buy(licensing: Licensing, options: BuyOptions): Promise<Purchase>;

export interface Restore {
  /** Show it: the page of the link shows the same, by which buyers recognize this device. */
  readonly number: string;
  /** As that of a {@link Purchase}, once the buyer has opened the link. */
  readonly state: Promise<LicenseState>;
}

/**
 * Mails a link to a buyer, if the address has a license, and activates that on this device once the link is opened. Answers every address alike.
 * @throws LicensingError, such as `rate_limited`, or what `fetch` throws without a network
 */
export function restore(licensing: Licensing, options: { readonly email: string }): Promise<Restore>;

/**
 * Lets the button of a buyer's mail activate the license on this device: nobody copies a code. Call it in the service worker whenever that starts; the manifest names
 * `activate.js` as a content script of the page to which the button leads. A device on which another code is active keeps that until its user decides otherwise.
 * @param options.deviceInfo as of `activate`
 * @param options.onState is called with the state after each activation
 */
export function activateByLink(
  licensing: Licensing,
  options?: {
    readonly deviceInfo?: string | { readonly label: string };
    readonly onState?: (state: LicenseState) => unknown;
  },
): void;
