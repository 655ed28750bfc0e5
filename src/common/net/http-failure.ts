/**
 * Why a request brought no answer: `timeout` nothing came in time, `network` the connection (or the source of the body)
 * broke, `too_large` the answer exceeds the cap, `refused_host` the address is not one this process may call,
 * `lock_lost` another worker has taken the work over, so that the request was not made.
 */
export type HttpFailureKind = 'timeout' | 'network' | 'too_large' | 'refused_host' | 'lock_lost';

/** The only exception of `HttpClient`. Its message contains method, host and path; never a query, a header or a body. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';

  constructor(
    readonly kind: HttpFailureKind,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/**
 * Returns what is safe to keep of an error of Node's fetch: the code and, for a failed system call, its message. The error itself may
 * contain a header's value ("… is an invalid header value") or a part of the answer (`HTTPParserError.data`).
 */
export function safeCause(error: unknown): (Error & { readonly code: string }) | undefined {
  let inner: unknown = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    const { code, syscall } = inner as NodeJS.ErrnoException;
    if (typeof code === 'string') {
      return Object.assign(new Error(syscall === undefined ? code : inner.message), { code });
    }
    inner = inner.cause;
  }
  return undefined;
}
