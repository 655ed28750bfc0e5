import { EXIT, Failure, type ExitCode } from '../failure.js';
import { inOptions } from './in-options.js';

/** The members of a problem of RFC 9457 that people read. */
interface Problem {
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly requestId?: string;
  /** The service's, of a problem about the route. */
  readonly version?: string;
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

/** Another program at that address answered, or a proxy before it. */
export const notPierhead = (who: string, status: number): Failure =>
  new Failure(`${who} answered ${status}, but not with a response from Pierhead.`, {
    hint:
      status === 413
        ? 'A proxy in front of Pierhead limits bodies: raise client_max_body_size (nginx) or request_body max_size (Caddy).'
        : 'Check the address, and any proxy in front of it.',
    code: 'not_pierhead',
  });

/** @throws Failure for an answer that Pierhead never gives: of another program at that address, or of a proxy before it */
export function assertFromPierhead(url: string, status: number, type: string): void {
  const isRefusal = status >= 400;
  if (isRefusal ? !type.includes('json') : /^text\/(html|plain)/.test(type)) throw notPierhead(url, status);
}

/** Makes the service's refusal a failure that says what the service said, in the words of commands. */
export const problemFailure = (status: number, body: unknown): Failure => inOptions(problemAsSaid(status, body));

/** The same in the words of the API. */
export function problemAsSaid(status: number, body: unknown): Failure {
  const { code = '', detail, title, errors, requestId, version } = asProblem(body);
  if (code === '') return notPierhead('The service', status);
  const hint = HINTS[code];
  return new Failure(detail ?? title ?? code, {
    exitCode: exitCodeOf(status, code),
    ...(hint === undefined ? {} : { hint }),
    code,
    ...(errors === undefined ? {} : { errors }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(version === undefined ? {} : { serviceVersion: version }),
  });
}
