/** Whether somebody has to log in before the calls that wait can go on. */
let waiting: { readonly loggedIn: Promise<void>; readonly resolve: () => void } | null = null;
const listeners = new Set<() => void>();
const tell = (): void => listeners.forEach((listener) => listener());

/** Asks for log-in over the page, which stays as it is, and ends when somebody has logged in. */
export function waitForLogIn(): Promise<void> {
  if (waiting === null) {
    let resolve: () => void = () => undefined;
    const loggedIn = new Promise<void>((done) => (resolve = done));
    waiting = { loggedIn, resolve };
    tell();
  }
  return waiting.loggedIn;
}

/** Lets the calls that wait go on. */
export function loggedInAgain(): void {
  waiting?.resolve();
  waiting = null;
  tell();
}

export const isLogInAsked = (): boolean => waiting !== null;

export function onLogInAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
