/** What may be kept of a failed attempt: never the server's words, which quote addresses. */
export interface SmtpFailure {
  /** The server's refusal, as its three digits; null when it did not come to one. */
  readonly status: number | null;
  readonly error: string;
  /** Trying again cannot help. */
  readonly isFinal: boolean;
}

/**
 * Enhanced codes (RFC 3463 3.2) that say that there is no such address. Any other refusal may be the operator's to mend, such as
 * "relaying denied", and is tried again.
 */
const NO_SUCH_ADDRESS = /^5\d\d[ -]5\.1\.(?:1|2|3|10)(?!\d)/;

/** Reads what nodemailer throws (its `code`, `responseCode` and `response`). Pure. */
export function readSmtpFailure(error: unknown): SmtpFailure {
  const { code, responseCode, response } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: unknown;
    readonly responseCode?: unknown;
    readonly response?: unknown;
  };
  return {
    status: typeof responseCode === 'number' ? responseCode : null,
    error: typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'failed',
    isFinal: typeof response === 'string' && NO_SUCH_ADDRESS.test(response),
  };
}
