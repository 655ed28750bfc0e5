/** A public key of `GET /api/v1/licensing/keys/{extensionId}`; other members are ignored. */
export interface PinnedKey {
  readonly kid: string;
  readonly x: string;
}

/** Where the client keeps its state: `chrome.storage.local`, or anything of this shape. Never one that is synchronised. */
export interface Storage {
  get(key: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(key: string): Promise<void>;
}

export interface LicensingOptions {
  /** Where Pierhead is, such as `https://pierhead.example`. */
  readonly url: string;
  /** Pierhead's id of the extension. */
  readonly extensionId: string;
  /** The current and the next key, built into the extension: never fetch them at run time. */
  readonly keys: readonly PinnedKey[];
  /** Default: the extension's local storage; the manifest must ask for the permission `storage`. */
  readonly storage?: Storage;
  /** Default: the global one. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Default: the version in the manifest. */
  readonly version?: string;
}

export interface LicenseState {
  readonly isActive: boolean;
  /** The server could not be asked, and this is what the kept lease says. */
  readonly isOffline: boolean;
  /**
   * The server's reasons: `active`, `invalid_code`, `revoked`, `suspended`, `expired`, `seat_limit_reached`, `seat_not_active`. Ours:
   * `no_code` (none was activated), `lease_over` (offline for too long), `clock_set_back`, `untrusted` (no pinned key signed it).
   */
  readonly reason: string;
  readonly tier: string | null;
  readonly seats: { readonly used: number; readonly max: number } | null;
  /** ISO 8601. */
  readonly expiresAt: string | null;
}

/** The server refused, could not be understood, or did not sign its answer (`untrusted`). */
export class LicensingError extends Error {
  constructor(code: string, message: string, status?: number, retryAfterSeconds?: number);
  /** The problem's code, such as `rate_limited` or `licensing_not_enabled`; `unavailable` or `untrusted`. */
  readonly code: string;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
}

export interface Licensing {
  /**
   * Seats this device. A mistyped code is refused without asking.
   * @param deviceInfo what the seller sees of this device, at most 200 characters
   * @throws LicensingError, or what `fetch` throws without a network
   */
  activate(code: string, deviceInfo?: string | { readonly label: string }): Promise<LicenseState>;
  /**
   * Whether this device is licensed. Asks about once a day, or at once with `force`; without the server the kept lease counts until it
   * runs out. Never throws for a network that is away.
   */
  check(options?: { readonly force?: boolean }): Promise<LicenseState>;
  /** Frees this device's seat and forgets the code. @throws LicensingError, or what `fetch` throws without a network */
  release(): Promise<void>;
  /** Counts this install for today, once. Never throws. @returns whether it was sent now */
  ping(): Promise<boolean>;
}

export function createLicensing(options: LicensingOptions): Licensing;

/** Whether a code was typed right, by its check symbols alone. */
export function isWellFormed(code: string): Promise<boolean>;
