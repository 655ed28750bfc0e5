/** Whether the service wants a code of the second factor before a call can continue. */
let waiting: { readonly shown: Promise<boolean>; readonly resolve: (isShown: boolean) => void } | null = null;
const listeners = new Set<() => void>();
const notify = (): void => listeners.forEach((listener) => listener());

/** Asks for a code over the page. @returns false when the person gives none */
export function waitForSecondFactor(): Promise<boolean> {
  if (waiting === null) {
    let resolve: (isShown: boolean) => void = () => undefined;
    const shown = new Promise<boolean>((done) => (resolve = done));
    waiting = { shown, resolve };
    notify();
  }
  return waiting.shown;
}

/** Lets the waiting calls continue, or fail. */
export function endSecondFactor(isShown: boolean): void {
  waiting?.resolve(isShown);
  waiting = null;
  notify();
}

export const isSecondFactorAsked = (): boolean => waiting !== null;

export function onSecondFactorAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
