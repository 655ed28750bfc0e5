import { fetchWithTimeout } from './api/with-timeout';

const KEY = 'pierhead-known';

let answered: Promise<Response> | null = null;

/** Asks for what every page needs, before the console itself is loaded. @returns whether nobody is logged in */
export function beginStart(): Promise<boolean> {
  answered = fetchWithTimeout(new Request('/api/v1/console/start', { method: 'POST' }));
  return answered.then(
    ({ status }) => status === 401,
    // The console takes the answer, and reports the failure.
    () => false,
  );
}

/** Hands over the answer of the first call, once; null afterwards. */
export function takeStart(): Promise<Response> | null {
  const taken = answered;
  answered = null;
  return taken;
}

/** Whether somebody was logged in here when the console was last open, and probably still is. */
export const isKnown = (): boolean => localStorage.getItem(KEY) !== null;

/** Remembers whether somebody is logged in: the next start then loads the right half of the console without waiting for the answer. */
export function rememberKnown(isLoggedIn: boolean): void {
  if (isLoggedIn) localStorage.setItem(KEY, '1');
  else localStorage.removeItem(KEY);
}
