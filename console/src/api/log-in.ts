/** Whether somebody has to log in before the waiting calls can continue. */
let waiting: { readonly loggedIn: Promise<void>; readonly resolve: () => void } | null = null;
/** Number of times that somebody has logged in over the page. */
let times = 0;
const listeners = new Set<() => void>();
const notify = (): void => listeners.forEach((listener) => listener());

/** Argument of `waitForLogIn`: remembered before a request is sent. */
export const logIns = (): number => times;

/**
 * Asks for log-in over the page, which stays as it is, and ends when somebody has logged in.
 * @param since what `logIns` said before the request that was refused: who has logged in while it was under way is not asked again
 */
export function waitForLogIn(since: number): Promise<void> {
  if (since < times) return Promise.resolve();
  if (waiting === null) {
    let resolve: () => void = () => undefined;
    const loggedIn = new Promise<void>((done) => (resolve = done));
    waiting = { loggedIn, resolve };
    notify();
  }
  return waiting.loggedIn;
}

/** Lets the waiting calls continue. */
export function loggedInAgain(): void {
  times += 1;
  waiting?.resolve();
  waiting = null;
  notify();
}

export const isLogInAsked = (): boolean => waiting !== null;

export function onLogInAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
