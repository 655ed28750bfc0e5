import { defineProblem, type FieldError } from './problem.js';

/** Whole seconds from now until then, at least one: the value of a `Retry-After` header. */
export const secondsUntil = (then: Date, now: Date): number =>
  Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000));

export const InvalidRequest = defineProblem(
  { code: 'invalid_request', status: 400, title: 'The request does not fit' },
  (errors: readonly FieldError[]) => ({
    detail: errors.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join(' '),
    errors,
  }),
);

export const NotFound = defineProblem(
  { code: 'not_found', status: 404, title: 'No such route' },
  (path: string) => `There is nothing at ${path}.`,
);

export const MethodNotAllowed = defineProblem(
  { code: 'method_not_allowed', status: 405, title: 'No such method on this route' },
  (method: string, allowed: readonly string[]) => ({
    detail: `${method} is not possible here; ${allowed.join(', ')} ${allowed.length === 1 ? 'is' : 'are'}.`,
    headers: { Allow: allowed.join(', ') },
  }),
);

export const PayloadTooLarge = defineProblem(
  { code: 'payload_too_large', status: 413, title: 'The body is too large' },
  (limitBytes: number) => `The body may have at most ${limitBytes} bytes.`,
);

export const UnsupportedMediaType = defineProblem(
  { code: 'unsupported_media_type', status: 415, title: 'The body is of a type that this route does not read' },
  (expected: string) => `Send ${expected}.`,
);

export const Unauthenticated = defineProblem(
  { code: 'unauthenticated', status: 401, title: 'Not authenticated' },
  (scheme: 'Bearer' | 'Session') => ({
    detail:
      scheme === 'Bearer'
        ? 'The access token is missing, malformed, expired or revoked.'
        : 'The session cookie is missing, expired or revoked.',
    headers: { 'WWW-Authenticate': scheme === 'Bearer' ? 'Bearer realm="pierhead"' : 'Session realm="pierhead"' },
  }),
);

export const InsufficientScope = defineProblem(
  { code: 'insufficient_scope', status: 403, title: 'The access token lacks the scope' },
  (scope: string) => ({
    detail: `This needs the scope ${scope}.`,
    headers: { 'WWW-Authenticate': `Bearer realm="pierhead", error="insufficient_scope", scope="${scope}"` },
  }),
);

export const CrossOriginRefused = defineProblem(
  { code: 'cross_origin_refused', status: 403, title: 'Refused from another origin' },
  () => 'A request that changes something by a session must come from this service itself.',
);

export const RateLimited = defineProblem(
  { code: 'rate_limited', status: 429, title: 'Too many requests' },
  (retryAfterSeconds: number) => ({
    detail: `Try again in ${retryAfterSeconds} seconds.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  }),
);

/** Any route may answer it: whatever is asked again in a few seconds may be answered then. */
export const Overloaded = defineProblem({ code: 'overloaded', status: 503, title: 'Too busy' }, (cause?: unknown) => ({
  detail: 'The service or its database is too busy, starting or shutting down; try again shortly.',
  headers: { 'Retry-After': '5' },
  ...(cause === undefined ? {} : { cause }),
}));

export const Internal = defineProblem({ code: 'internal', status: 500, title: 'Internal error' }, (cause: unknown) => ({
  detail: 'Something went wrong here. The request id leads to the cause in the log.',
  cause,
}));
export const NothingToUpdate = defineProblem(
  { code: 'nothing_to_update', status: 400, title: 'Nothing to update' },
  () => 'The body changes nothing.',
);
