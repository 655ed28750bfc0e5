import { logIns, waitForLogIn } from './log-in';
import { fetchWithTimeout } from './with-timeout';
import { problemOf } from './problem';

/** A token lasts 15 minutes; it is renewed before, by the time since it came, so that no clock has to be right. */
const RENEW_AFTER_MS = 12 * 60_000;

let held: { readonly token: Promise<string>; readonly since: number } | null = null;

async function exchange(): Promise<string> {
  const since = logIns();
  const response = await fetchWithTimeout(new Request('/api/v1/auth/token', { method: 'POST' }));
  if (response.status === 401) {
    await waitForLogIn(since);
    return exchange();
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw problemOf(response, body);
  return (body as { readonly token: string }).token;
}

/** Returns an access token of the session, which is in memory only. It is renewed automatically; once the session has ended, the person is asked to log in. */
export function accessToken(): Promise<string> {
  if (held === null || performance.now() - held.since > RENEW_AFTER_MS) {
    const token = exchange();
    held = { token, since: performance.now() };
    token.catch(dropToken);
  }
  return held.token;
}

/** Keeps a token that came with another answer. */
export function keepToken(token: string): void {
  held = { token: Promise.resolve(token), since: performance.now() };
}

/** Forgets the token: after a log-in, a log-out or a switch of the tenant. */
export function dropToken(): void {
  held = null;
}
