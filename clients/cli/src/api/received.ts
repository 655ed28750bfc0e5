import { idleLimit, timeoutError, type RetryOptions } from './retry.js';

/** The statuses whose answers have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Sends a request and receives all of its answer, so that one that breaks off in the middle can be asked for again.
 * @throws Error when it breaks off, or stalls for too long
 */
export async function received(
  request: Request,
  { signal, ...options }: Pick<RetryOptions, 'signal' | 'idleMs'>,
): Promise<Response> {
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(timeoutError()), idleLimit(options));
  try {
    const either = signal === undefined ? idle.signal : AbortSignal.any([signal, idle.signal]);
    // A redirect would carry the token to another address.
    const response = await fetch(request, { redirect: 'manual', signal: either });
    const pieces: Uint8Array[] = [];
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      pieces.push(piece);
      timer.refresh();
    }
    return new Response(WITHOUT_BODY.has(response.status) ? null : Buffer.concat(pieces), response);
  } finally {
    clearTimeout(timer);
  }
}
