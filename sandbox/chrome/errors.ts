import { type Answer, jsonAnswer, Refusal, textAnswer } from '../answer.js';

/** The canonical status words of Google's APIs that the store uses, with their HTTP codes. */
const HTTP_CODES = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
} as const;
type GoogleStatus = keyof typeof HTTP_CODES;

/** Faults of a package: the violation reasons (src/stores/README.md#chrome-errors). */
export type PackageFault =
  | 'PKG_INVALID_ZIP'
  | 'PKG_MISSING_MANIFEST'
  | 'PKG_MANIFEST_PARSE_ERROR'
  | 'PKG_INVALID_VERSION_NUMBER'
  | 'PKG_MUST_UPDATE_AS_CRX'
  | 'PKG_INVALID_CRX_SIGNATURE';

const SERVICE = 'chromewebstore.googleapis.com';
const INVALID_PACKAGE = 'The uploaded package was invalid. Check the additional details for more information.';

/** Google's error envelope, google.rpc.Status as JSON (src/stores/README.md#chrome-errors). */
export function googleError(status: GoogleStatus, message: string, details?: readonly object[]): Answer {
  const code = HTTP_CODES[status];
  return jsonAnswer(code, { error: { code, message, status, ...(details && { details }) } });
}

/** The error as an exception. */
export function googleRefusal(status: GoogleStatus, message: string, details?: readonly object[]): Refusal {
  return new Refusal(googleError(status, message, details), message);
}

/** 400 INVALID_PACKAGE with its three details, as seen in fregante/chrome-webstore-upload-cli#112. */
export function packageRefusal(reason: PackageFault, description: string): Refusal {
  return googleRefusal('INVALID_ARGUMENT', INVALID_PACKAGE, [
    errorInfo('INVALID_PACKAGE', SERVICE),
    { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US', message: INVALID_PACKAGE },
    badRequest([{ field: 'media', description, reason }]),
  ]);
}

/** The ErrorInfo detail; `domain` is `googleapis.com` for what Google's front door refuses. */
export function errorInfo(reason: string, domain = 'googleapis.com'): object {
  return {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason,
    domain,
    ...(domain !== SERVICE && { metadata: { service: SERVICE } }),
  };
}

/** The BadRequest detail. */
export function badRequest(fieldViolations: readonly object[]): object {
  return { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations };
}

/** 401 as Google's APIs word it by convention (inferred, src/stores/README.md#chrome-errors). */
export function unauthenticated(reason: 'CREDENTIALS_MISSING' | 'ACCESS_TOKEN_EXPIRED'): Refusal {
  const beginning =
    reason === 'CREDENTIALS_MISSING'
      ? 'Request is missing required authentication credential.'
      : 'Request had invalid authentication credentials.';
  const message =
    `${beginning} Expected OAuth 2 access token, login cookie or other valid authentication credential. ` +
    'See https://developers.google.com/identity/sign-in/web/devconsole-project.';
  const answer = googleError('UNAUTHENTICATED', message, [errorInfo(reason)]);
  const challenge = 'Bearer realm="https://accounts.google.com/", error="invalid_token"';
  return new Refusal({ ...answer, headers: { ...answer.headers, 'WWW-Authenticate': challenge } }, message);
}

/**
 * 400 while a revision is in review or waits for its release, in one of the wordings that were seen
 * (src/stores/README.md#chrome-errors, src/stores/README.md#chrome-rules).
 */
export function inReview(words = 'You may not edit or publish an item that is in review.'): Refusal {
  return googleRefusal('FAILED_PRECONDITION', words, [
    errorInfo('NOT_UPDATEABLE', SERVICE),
    { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US', message: words },
  ]);
}

/** An OAuth error answer (RFC 6749 section 5.2, as Google words it). */
export function oauthRefusal(status: 400 | 401, error: string, description: string): Refusal {
  return new Refusal(jsonAnswer(status, { error, error_description: description }), description);
}

/** The page that Google returns for a path outside its API. */
export function googleNotFoundPage(path: string): Answer {
  const safePath = path.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const page = `<!DOCTYPE html>\n<html lang=en>\n<title>Error 404 (Not Found)!!1</title>\n<p><b>404.</b> <ins>That’s an error.</ins>
<p>The requested URL <code>${safePath}</code> was not found on this server.  <ins>That’s all we know.</ins>\n`;
  return textAnswer(404, 'text/html; charset=UTF-8', page);
}

/** 501 for a method that Google declares but does not implement (convention). */
export function unimplemented(): Refusal {
  return googleRefusal('UNIMPLEMENTED', 'Operation is not implemented, or supported, or enabled.');
}

/** 410 for every v1.1 call: its support ended on 2026-10-15 (src/stores/README.md#chrome-api-versions). */
export function goneV1(): Answer {
  const message = 'The Chrome Web Store API v1.1 is no longer supported. Use v2.';
  return jsonAnswer(410, {
    error: { code: 410, message, errors: [{ message, domain: 'global', reason: 'gone' }] },
  });
}

const FAULT_MESSAGES: Readonly<Record<number, readonly [GoogleStatus, string]>> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: ['UNAUTHENTICATED', 'Request had invalid authentication credentials.'],
  403: ['PERMISSION_DENIED', 'The caller does not have permission'],
  404: ['NOT_FOUND', 'Requested entity was not found.'],
  429: ['RESOURCE_EXHAUSTED', `Quota exceeded for quota metric 'Requests' of service '${SERVICE}'.`],
  500: ['INTERNAL', 'Internal error encountered.'],
  503: ['UNAVAILABLE', 'The service is currently unavailable.'],
};

/** Google's answer with a status, for faults. */
export function googleFault(operation: string, status: number): Answer {
  if (operation === 'token')
    return jsonAnswer(status, { error: 'internal_failure', error_description: 'Backend Error' });
  const known = FAULT_MESSAGES[status];
  if (known) return googleError(known[0], known[1]);
  return textAnswer(status, 'text/html; charset=UTF-8', `<!DOCTYPE html>\n<title>Error ${status}</title>\n`);
}
