import { useSyncExternalStore, type ReactElement } from 'react';
import { clock, elapsed, exact, relative } from './format';

const TICK_MS = 20_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  if (timer === undefined) now = Date.now();
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

interface TimeProps {
  readonly at: string;
  /** Only how long ago: `2 hr`. */
  readonly isShort?: boolean;
}

/** The time of a day, as lists by day show it; how long ago that was on hover. */
export function ClockTime({ at }: Pick<TimeProps, 'at'>): ReactElement {
  return (
    <time dateTime={at} title={`${relative(at, useNow())}, ${exact(at)}`}>
      {clock(at)}
    </time>
  );
}

/** The present, which moves on while the page is open. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

/** A time as how long ago it was, or is to come; the exact one on hover. It stays true while the page is open. */
export function Time({ at, isShort = false }: TimeProps): ReactElement {
  const since = useNow();
  return (
    <time dateTime={at} title={exact(at)}>
      {(isShort ? elapsed : relative)(at, Math.max(since, now))}
    </time>
  );
}
