import { typed, VERSION } from '../system/index.js';
import { defineProblem, type FieldError, type Problem } from './problem.js';

/** Returns the whole seconds until a moment, at least one, for a `Retry-After` header. */
export const secondsUntil = (then: Date, now: Date): number =>
  Math.max(1, Math.ceil((then.getTime() - now.getTime()) / 1000));

/** Number of faults that an answer names, and of characters that it repeats of a field's name. */
export const MAX_FAULTS = 20;
const MAX_NAME = 100;

export const InvalidRequest = defineProblem(
  {
    code: 'invalid_request',
    status: 400,
    title: 'Invalid request',
    cause: 'The body, query or path does not match what the route expects.',
    remedy: 'Correct each field in errors.',
  },
  (faults: readonly FieldError[]) => {
    const errors = faults
      .slice(0, MAX_FAULTS)
      .map(({ field, message }) => ({ field: field.slice(0, MAX_NAME), message }));
    const detail = errors.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join(' ');
    return { detail, errors };
  },
);

/** Makes an InvalidRequest about a body as a whole, which names no field. */
export const invalidBody = (message: string): Problem => new InvalidRequest([{ field: '', message }]);

/** Tells clients, which may be newer than the service, which version does not know what they ask for. */
const OF_SERVICE = { version: VERSION };

export const NotFound = defineProblem(
  {
    code: 'not_found',
    status: 404,
    title: 'Route not found',
    cause: 'No route has this path.',
    remedy: 'Check the path against the API reference.',
  },
  (path: string) => ({ detail: `No route matches ${path}.`, members: OF_SERVICE }),
);

export const MethodNotAllowed = defineProblem(
  {
    code: 'method_not_allowed',
    status: 405,
    title: 'Method not allowed',
    cause: 'The route exists but does not support this method.',
    remedy: 'Use a method from the Allow header.',
  },
  (method: string, allowed: readonly string[]) => ({
    detail: `This route does not support ${method}. Use ${allowed.join(' or ')}.`,
    headers: { Allow: allowed.join(', ') },
    members: OF_SERVICE,
  }),
);

export const PayloadTooLarge = defineProblem(
  {
    code: 'payload_too_large',
    status: 413,
    title: 'Body too large',
    cause: 'The body is larger than the route accepts.',
    remedy: 'Send a smaller body.',
  },
  (limitBytes: number) => `The body must not exceed ${limitBytes} bytes.`,
);

export const UnsupportedMediaType = defineProblem(
  {
    code: 'unsupported_media_type',
    status: 415,
    title: 'Unsupported media type',
    cause: 'The route does not accept this content type.',
    remedy: 'Send the content type named in detail.',
  },
  (expected: string) => `Send ${expected}.`,
);

/** Why an access token was refused, and what to do. `revoked` is only used for tokens that this service signed. */
const TOKEN_FAULTS = {
  missing: 'The request has no access token. Send one as “Authorization: Bearer …”.',
  malformed: 'The access token is malformed. It may be cut off.',
  expired: 'The access token has expired. Create a new one.',
  revoked: 'The access token was revoked. Create a new one.',
  unknown: 'This service did not issue the access token. Check that you call the right service.',
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
    title: 'Insufficient scope',
    cause: 'The access token does not have the scope that the route requires.',
    remedy: 'Create a token with the scope named in detail.',
  },
  (scope: string) => ({
    detail: `This route requires the scope ${scope}.`,
    headers: { 'WWW-Authenticate': `Bearer realm="pierhead", error="insufficient_scope", scope="${scope}"` },
  }),
);

export const RoleNotAllowed = defineProblem(
  {
    code: 'role_not_allowed',
    status: 403,
    title: 'Role not allowed',
    cause:
      "The caller's role in the tenant does not include what the route requires. A token can do no more than its creator's role allows now.",
    remedy: 'Ask an owner or admin of the tenant to do it, or to change the role.',
  },
  (role: string, permission: string) => ({
    detail: `This route requires the permission ${permission}, which the role ${role} does not include.`,
    members: { role, permission },
  }),
);

export const OperatorRequired = defineProblem(
  {
    code: 'operator_required',
    status: 403,
    title: 'Operator required',
    cause: 'The route concerns the whole instance, and the user is not one of its operators.',
    remedy: `The person who runs the instance makes a user an operator with ${typed('admin', 'make-operator')}.`,
  },
  () => 'Only an operator of this instance may do this.',
);

export const TokenRestricted = defineProblem({
  code: 'token_restricted',
  status: 403,
  title: 'Token restricted to extensions',
  cause: 'The access token is restricted to some extensions, and the request concerns more than these.',
  remedy:
    'Name an extension of the token in the query where the route has `extension`, or use a token without extensionIds.',
});

export const SecondFactorRequired = defineProblem(
  {
    code: 'second_factor_required',
    status: 403,
    title: 'Second factor required',
    cause:
      'The user has a second factor, which the log-in lacks or this session has not confirmed within the last 15 minutes.',
    remedy:
      'Log in with the field code, or in a session send the code to POST /auth/second-factor/verify; then repeat the request.',
  },
  () => 'Send a code from your authenticator app, or a recovery code.',
);

export const CrossOriginRefused = defineProblem(
  {
    code: 'cross_origin_refused',
    status: 403,
    title: 'Cross-origin request refused',
    cause: 'A page of another origin sent a session request that changes something.',
    remedy: 'Open the service at PUBLIC_URL and send the request from there, or use an access token.',
  },
  (origin: string) =>
    `Session requests that change something must come from a page of ${origin}, the origin of PUBLIC_URL.`,
);

export const RateLimited = defineProblem(
  {
    code: 'rate_limited',
    status: 429,
    title: 'Too many requests',
    cause: 'Too many requests came from this address, or concern this code or account.',
    remedy: 'Wait as long as Retry-After says.',
  },
  (retryAfterSeconds: number) => ({
    detail: `Try again in ${retryAfterSeconds} seconds.`,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  }),
);

/** Any route that writes may answer this, and nothing was changed. */
export const StorageFull = defineProblem(
  {
    code: 'storage_full',
    status: 507,
    title: 'Disk full',
    cause: 'The disk of the service or of its database has no room left. Nothing was changed.',
    remedy: 'Its operator makes room or grows the disk; then send the request again.',
  },
  (cause: unknown) => ({
    detail: 'The disk of the service is full, so nothing was saved. Its operator has to make room.',
    headers: { 'Retry-After': '60' },
    cause,
  }),
);

/** Any route may answer this; the same request may succeed a few seconds later. */
export const Overloaded = defineProblem(
  {
    code: 'overloaded',
    status: 503,
    title: 'Service unavailable',
    cause: 'The service, its database or its storage is busy, full, starting or stopping.',
    remedy: 'Retry after the time in Retry-After.',
  },
  (cause?: unknown) => ({
    detail: 'The service, its database or its storage is busy, full, starting or stopping. Try again shortly.',
    headers: { 'Retry-After': '5' },
    ...(cause === undefined ? {} : { cause }),
  }),
);

export const Internal = defineProblem(
  {
    code: 'internal',
    status: 500,
    title: 'Internal error',
    cause: 'The service failed unexpectedly.',
    remedy: 'Search the log for the requestId.',
  },
  (cause: unknown) => ({
    detail: 'The service failed unexpectedly. The log has the cause under this request id.',
    cause,
  }),
);

export const PreconditionFailed = defineProblem(
  {
    code: 'precondition_failed',
    status: 412,
    title: 'Changed meanwhile',
    cause: 'The resource has changed since the state that If-Match names.',
    remedy: 'Read the resource, compare what changed with what you wanted, and send the request with its new ETag.',
  },
  (etag: string) => `The resource has changed since you read it: its ETag is now ${etag}. Nothing was changed.`,
);

export const NothingToUpdate = defineProblem({
  code: 'nothing_to_update',
  status: 400,
  title: 'Nothing to update',
  cause: 'The body changes nothing.',
  remedy: 'Send at least one field with a new value.',
});
