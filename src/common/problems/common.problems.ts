import { defineProblem, type FieldError } from './problem.js';

/** Whole seconds from now until then, at least one: the value of a `Retry-After` header. */
export const secondsUntil = (then: Date, now: Date): number =>
  Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000));

/** Faults that an answer names at most, and characters of a field's name that it repeats at most. */
export const MAX_FAULTS = 20;
const MAX_NAME = 100;

export const InvalidRequest = defineProblem(
  {
    code: 'invalid_request',
    status: 400,
    title: 'The request does not fit',
    cause: 'The body, the query or the path does not match the route.',
    remedy: 'Correct each field that errors names.',
  },
  (faults: readonly FieldError[]) => {
    const errors = faults
      .slice(0, MAX_FAULTS)
      .map(({ field, message }) => ({ field: field.slice(0, MAX_NAME), message }));
    const detail = errors.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join(' ');
    return { detail, errors };
  },
);

export const NotFound = defineProblem(
  {
    code: 'not_found',
    status: 404,
    title: 'No such route',
    cause: 'No route has this path.',
    remedy: 'Compare the path with the API reference.',
  },
  (path: string) => `There is nothing at ${path}.`,
);

export const MethodNotAllowed = defineProblem(
  {
    code: 'method_not_allowed',
    status: 405,
    title: 'No such method on this route',
    cause: 'The route exists, with other methods.',
    remedy: 'Use a method that the Allow header lists.',
  },
  (method: string, allowed: readonly string[]) => ({
    detail: `${method} is not possible here; ${allowed.join(', ')} ${allowed.length === 1 ? 'is' : 'are'}.`,
    headers: { Allow: allowed.join(', ') },
  }),
);

export const PayloadTooLarge = defineProblem(
  {
    code: 'payload_too_large',
    status: 413,
    title: 'The body is too large',
    cause: 'The body is larger than the route takes.',
    remedy: 'Send less.',
  },
  (limitBytes: number) => `The body may have at most ${limitBytes} bytes.`,
);

export const UnsupportedMediaType = defineProblem(
  {
    code: 'unsupported_media_type',
    status: 415,
    title: 'The body is of a type that this route does not read',
    cause: 'The route does not read this content type.',
    remedy: 'Send the type that detail names.',
  },
  (expected: string) => `Send ${expected}.`,
);

/** Why an access token was not taken, and what helps. `revoked` is only said of a token that this service has signed. */
const TOKEN_FAULTS = {
  missing: 'No access token was sent. Send one as “Authorization: Bearer …”.',
  malformed: 'The access token is malformed: it is cut off or was changed on its way here.',
  expired: 'The access token has expired. Make a new one.',
  revoked: 'The access token was revoked. Make a new one.',
  unknown: 'The access token is not one of this service. Check which service it was made on.',
} as const;
type TokenFault = keyof typeof TOKEN_FAULTS;
export const TOKEN_FAULT_NAMES = Object.keys(TOKEN_FAULTS);

export const Unauthenticated = defineProblem(
  {
    code: 'unauthenticated',
    status: 401,
    title: 'Not authenticated',
    cause: 'The access token or the session is missing, malformed, expired, revoked or unknown.',
    remedy: 'Send a valid token as Authorization: Bearer, or log in again.',
  },
  (scheme: 'Session' | TokenFault) => {
    if (scheme === 'Session')
      return {
        detail: 'The session cookie is missing, expired or revoked.',
        headers: { 'WWW-Authenticate': 'Session realm="pierhead"' },
      };
    const error = scheme === 'missing' ? '' : `, error="invalid_token", error_description="The token is ${scheme}"`;
    return {
      detail: TOKEN_FAULTS[scheme],
      members: { reason: scheme },
      headers: { 'WWW-Authenticate': `Bearer realm="pierhead"${error}` },
    };
  },
);

export const InsufficientScope = defineProblem(
  {
    code: 'insufficient_scope',
    status: 403,
    title: 'The access token lacks the scope',
    cause: 'The access token does not have the scope that the route needs.',
    remedy: 'Create a token with the scope that detail names.',
  },
  (scope: string) => ({
    detail: `This needs the scope ${scope}.`,
    headers: { 'WWW-Authenticate': `Bearer realm="pierhead", error="insufficient_scope", scope="${scope}"` },
  }),
);

export const CrossOriginRefused = defineProblem(
  {
    code: 'cross_origin_refused',
    status: 403,
    title: 'Refused from another origin',
    cause: 'A browser sent a state-changing session request from another origin.',
    remedy: 'Open the service at PUBLIC_URL and send it from there, or use an access token.',
  },
  (origin: string) =>
    `A request that changes something by a session must come from a page of ${origin}, as PUBLIC_URL says.`,
);

export const RateLimited = defineProblem(
  {
    code: 'rate_limited',
    status: 429,
    title: 'Too many requests',
    cause: 'Too many requests came from this address, or for this code or account.',
    remedy: 'Wait for Retry-After.',
  },
  (retryAfterSeconds: number) => ({
    detail: `Try again in ${retryAfterSeconds} seconds.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  }),
);

/** Any route may answer it: whatever is asked again in a few seconds may be answered then. */
export const Overloaded = defineProblem(
  {
    code: 'overloaded',
    status: 503,
    title: 'Too busy',
    cause: 'The service or its database is busy, starting or stopping.',
    remedy: 'Try again after Retry-After.',
  },
  (cause?: unknown) => ({
    detail: 'The service or its database is too busy, starting or shutting down; try again shortly.',
    headers: { 'Retry-After': '5' },
    ...(cause === undefined ? {} : { cause }),
  }),
);

export const Internal = defineProblem(
  {
    code: 'internal',
    status: 500,
    title: 'Internal error',
    cause: 'The service failed. Nothing was changed unless the answer says so.',
    remedy: 'Search the log for requestId.',
  },
  (cause: unknown) => ({
    detail: 'Something went wrong here. The request id leads to the cause in the log.',
    cause,
  }),
);
export const NothingToUpdate = defineProblem(
  {
    code: 'nothing_to_update',
    status: 400,
    title: 'Nothing to update',
    cause: 'The body changes nothing.',
    remedy: 'Send at least one field with another value.',
  },
  () => 'The body changes nothing.',
);
