import { EXIT, Failure, type ExitCode } from '../failure.js';

/** The members of a problem of RFC 9457 that people read. */
interface Problem {
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly requestId?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

const asProblem = (body: unknown): Problem => (typeof body === 'object' && body !== null ? body : {});

/** 403 that is about how much, not about who. */
const isLimit = (code: string): boolean => code.endsWith('_limit_reached') || code === 'licensing_not_enabled';

function exitCodeOf(status: number, code: string): ExitCode {
  return status === 401 || (status === 403 && !isLimit(code)) ? EXIT.notAllowed : EXIT.failed;
}

const HINTS: Readonly<Record<string, string>> = {
  unauthenticated: 'Log in with: pierhead login',
  second_factor_required: 'Log in again with your second factor: pierhead login',
};

/** Makes the service's refusal a failure that says what the service said. */
export function problemFailure(status: number, body: unknown): Failure {
  const { code = '', detail, title, errors, requestId } = asProblem(body);
  const hint = HINTS[code];
  return new Failure(detail ?? title ?? `The service answered ${status} without a reason.`, {
    exitCode: exitCodeOf(status, code),
    ...(hint === undefined ? {} : { hint }),
    ...(code === '' ? {} : { code }),
    ...(errors === undefined ? {} : { errors }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}
