import { useSyncExternalStore, type ReactElement } from 'react';
import { elapsed, exact, relative } from './format';

const TICK_MS = 20_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
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

/** A time as how long ago it was, or is to come; the exact one on hover. It stays true while the page is open. */
export function Time({ at, isShort = false }: TimeProps): ReactElement {
  const since = useSyncExternalStore(subscribe, () => now);
  return (
    <time dateTime={at} title={exact(at)}>
      {(isShort ? elapsed : relative)(at, Math.max(since, now))}
    </time>
  );
}
