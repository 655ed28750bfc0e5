import type { SavedLogin } from '../settings/user-file.js';

/** A log-in that the service has accepted. */
export interface LoggedIn {
  readonly saved: SavedLogin;
  /** The user's e-mail address; null for a token. */
  readonly user: string | null;
}

/** The secret of the session that an answer begins. */
export const sessionOf = ({ headers }: Response): string | undefined =>
  headers
    .getSetCookie()
    .map((cookie) => /^svc_session=([^;]+)/.exec(cookie)?.[1])
    .find((secret) => secret !== undefined);
