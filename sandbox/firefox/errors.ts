import { type Answer, jsonAnswer, Refusal } from '../answer.js';

/** AMO's general messages by status (src/stores/README.md#firefox-errors). */
const PLAIN: Readonly<Record<number, string>> = {
  400: 'Malformed request.',
  401: 'Authentication credentials were not provided.',
  403: 'You do not have permission to perform this action.',
  404: 'Not found.',
  409: 'Conflict.',
  415: 'Unsupported media type "text/plain" in request.',
  429: 'Request was throttled. Expected available in 60 seconds.',
  451: 'Unavailable for legal reasons.',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** `{ "detail": … }`, as Django REST framework refuses. */
export function amoRefusal(status: number, detail = PLAIN[status] ?? 'Error.', more: object = {}): Refusal {
  return new Refusal(jsonAnswer(status, { detail, ...more }), detail);
}

/** An error about a field of the body: `{ "<field>": ["…"] }`, or a list when it is about no field. */
export function fieldRefusal(field: string | null, message: string, status: 400 | 409 = 400): Refusal {
  return new Refusal(jsonAnswer(status, field === null ? [message] : { [field]: [message] }), message);
}

/** 401 with the challenge that goes with it (src/stores/README.md#firefox-authentication). */
export function unauthenticated(detail: string): Refusal {
  const answer = jsonAnswer(401, { detail }, { 'WWW-Authenticate': 'JWT realm="api"' });
  return new Refusal(answer, detail);
}

/** 429 (src/stores/README.md#firefox-errors). */
export function throttled(seconds: number): Refusal {
  const detail = `Request was throttled. Expected available in ${seconds} seconds.`;
  return new Refusal(jsonAnswer(429, { detail }, { 'Retry-After': String(seconds) }), detail);
}

/**
 * 503 to everything that would change something while the site is being maintained
 * (src/stores/README.md#firefox-authentication).
 */
export function readOnly(): Refusal {
  const error =
    "Some features are temporarily disabled while we perform website maintenance. We'll be back to full capacity shortly.";
  return new Refusal(jsonAnswer(503, { error }), error);
}

/** AMO's answer with a status, for faults. */
export const amoFault = (_operation: string, status: number): Answer => amoRefusal(status).answer;
