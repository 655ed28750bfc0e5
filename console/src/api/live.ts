import { useEffect, useSyncExternalStore } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { changesIn, cut, isReady, keysOf, type Change } from './changes';
import { accessToken, dropToken } from './token';

const POLL_MS = 5_000;
const RECONNECT_MS = 2_000;
/** Between two looks for a stream where the service said that it has none, such as behind a proxy that refuses it. */
const REFUSED_MS = 60_000;
/** The service says something at least this often; a connection that is silent longer is dead. */
const SILENCE_MS = 45_000;

type Connection = 'live' | 'polling' | 'offline';

let connection: Connection = 'polling';
const listeners = new Set<() => void>();

function become(next: Connection): void {
  if (next === connection) return;
  connection = next;
  for (const listener of listeners) listener();
}

/** Whether changes are pushed (`live`), are asked for (`polling`), or cannot arrive (`offline`). */
export const useConnection = (): Connection =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => connection,
  );

/** Reads the stream of server-sent events until it ends, and returns how long to wait before the next. */
async function listen(
  ended: AbortSignal,
  onReady: () => void,
  onChanges: (changes: readonly Change[]) => void,
): Promise<number> {
  const silence = new AbortController();
  const signal = AbortSignal.any([ended, silence.signal]);
  const withinSilence = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    return answer.finally(() => clearTimeout(timer));
  };
  const headers = { authorization: `Bearer ${await accessToken()}`, accept: 'text/event-stream' };
  const response = await withinSilence(fetch('/api/v1/stream', { headers, signal }));
  if (!response.ok || response.body === null) {
    become('polling');
    if (response.status !== 401) return REFUSED_MS;
    // The token ended with the stream: the next one begins with a new token.
    dropToken();
    return RECONNECT_MS;
  }
  become('live');
  let said = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await withinSilence(reader.read());
    if (done) {
      become('polling');
      return RECONNECT_MS;
    }
    const { events, rest } = cut(said + value);
    said = rest;
    if (events.some(isReady)) onReady();
    onChanges(changesIn(events));
  }
}

/**
 * Keeps what is shown up to date while somebody is logged in: by the stream of changes, or by asking every few seconds where there is none.
 * The frame calls it once; pages need not.
 */
export function useLive(): void {
  const client = useQueryClient();
  useEffect(() => {
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = (): void => void client.invalidateQueries({ refetchType: 'active' });
    const poll = setInterval(() => {
      if (connection !== 'live' && document.visibilityState === 'visible') refresh();
    }, POLL_MS);
    const run = async (): Promise<void> => {
      // Whatever changed before the stream was ready is asked for then.
      const pause = await listen(ended.signal, refresh, (changes) => {
        for (const queryKey of keysOf(changes)) void client.invalidateQueries({ queryKey });
      }).catch(() => {
        // The next frame listens again: a stream that was ended here says nothing about the service.
        if (!ended.signal.aborted) become('offline');
        return RECONNECT_MS;
      });
      if (ended.signal.aborted) return;
      timer = setTimeout(() => void run(), pause);
    };
    void run();
    return () => {
      ended.abort();
      clearTimeout(timer);
      clearInterval(poll);
    };
  }, [client]);
}
