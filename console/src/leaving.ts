import type { AroundNavHandler } from 'wouter';

/** Asks for confirmation before the page is left, and calls `go` once that is given. */
type Ask = (go: () => void) => void;

let asked: { readonly ask: Ask; readonly here: string } | null = null;

/** Every change of the address from within the console goes through this. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  if (asked === null) navigate(to, options);
  else asked.ask(() => navigate(to, options));
};

// The browser has gone back or forward already: it returns, and repeats its step once that is wanted. Listeners are called in the order in which they
// were added, so that this one is added before the pages listen.
window.addEventListener('popstate', (event) => {
  if (asked === null) return;
  event.stopImmediatePropagation();
  window.history.pushState(null, '', asked.here);
  asked.ask(() => window.history.back());
});

window.addEventListener('beforeunload', (event) => {
  if (asked !== null) event.preventDefault();
});

/** From now on `ask` is called before the page is left, until the function that it returns is called. */
export function askBeforeLeaving(ask: Ask): () => void {
  asked = { ask, here: window.location.href };
  return () => {
    asked = null;
  };
}
