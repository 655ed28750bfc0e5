import type { AroundNavHandler } from 'wouter';

/** Asks somebody before the page is left, and then goes on, or does not. */
type Ask = (go: () => void) => void;

let asked: Ask | null = null;

/** Every change of the address from within the console goes through this. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  if (asked === null) navigate(to, options);
  else asked(() => navigate(to, options));
};

/** From now on `ask` is called before the page is left, until the function that it returns is called. */
export function askBeforeLeaving(ask: Ask): () => void {
  const here = window.location.href;
  const stop = (): void => {
    asked = null;
    window.removeEventListener('popstate', onPop, { capture: true });
    window.removeEventListener('beforeunload', onUnload);
  };
  // The browser has gone back or forward already: it returns, and repeats its step once that is wanted.
  const onPop = (event: PopStateEvent): void => {
    event.stopImmediatePropagation();
    window.history.pushState(null, '', here);
    ask(() => window.history.back());
  };
  const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
  asked = ask;
  window.addEventListener('popstate', onPop, { capture: true });
  window.addEventListener('beforeunload', onUnload);
  return stop;
}
