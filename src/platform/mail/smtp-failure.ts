/** The parts of a failed attempt that may be kept: never the server's text, which quotes addresses. */
export interface SmtpFailure {
  /** The three digits of the server's refusal; null when the server sent none. */
  readonly status: number | null;
  readonly error: string;
  /** Another attempt cannot succeed. */
  readonly isFinal: boolean;
  /** It is not about this mail: the connection is lost, or the server takes no more mails on it. */
  readonly isOfConnection: boolean;
}

/**
 * Enhanced status codes for an address that does not exist (RFC 3463, 3.2). The operator may be able to fix any other refusal, such as
 * "relaying denied", so the mail is tried again.
 */
const NO_SUCH_ADDRESS = /^5\d\d[ -]5\.1\.(?:1|2|3|10)(?!\d)/;

/** Reads what nodemailer throws (its `code`, `command`, `responseCode` and `response`). Pure. */
export function readSmtpFailure(error: unknown): SmtpFailure {
  const { code, command, responseCode, response } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: unknown;
    readonly command?: unknown;
    readonly responseCode?: unknown;
    readonly response?: unknown;
  };
  const isTooSlow = code === 'ETIMEDOUT';
  return {
    isOfConnection: (typeof responseCode !== 'number' && !isTooSlow) || command === 'MAIL FROM',
    status: typeof responseCode === 'number' ? responseCode : null,
    error: typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'failed',
    isFinal: typeof response === 'string' && NO_SUCH_ADDRESS.test(response),
  };
}
