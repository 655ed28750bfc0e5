import { asList, asNumber, asRecord, asText } from '../../common/net/index.js';
import { isWebPage, joinTexts, type StoreAnswer } from '../failures/index.js';

/** The HTTP status of each `google.rpc.Code`, for errors that arrive with status 200 (src/stores/README.md#chrome-errors). */
const HTTP_CODES: ReadonlyMap<unknown, number> = new Map([
  ['INVALID_ARGUMENT', 400],
  ['FAILED_PRECONDITION', 400],
  ['OUT_OF_RANGE', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['ABORTED', 409],
  ['ALREADY_EXISTS', 409],
  ['RESOURCE_EXHAUSTED', 429],
  ['CANCELLED', 499],
  ['INTERNAL', 500],
  ['UNKNOWN', 500],
  ['DATA_LOSS', 500],
  ['UNIMPLEMENTED', 501],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);

/** An error of Google's APIs, `google.rpc.Status` as JSON (src/stores/README.md#chrome-errors). */
export interface ApiError {
  /** The status of the error, which may arrive with HTTP status 200. */
  readonly status: number;
  /** `google.rpc.Code`, such as `FAILED_PRECONDITION`; empty when absent. */
  readonly code: string;
  /** Machine-readable reasons from `ErrorInfo`, `BadRequest` and the older `errors` list. */
  readonly reasons: readonly string[];
  /** The message and the details behind it, redacted. */
  readonly message: string;
  /** A web page instead of an answer of the API. */
  readonly isPage: boolean;
}

/** Whether an answer is an error: anything but a 2xx with JSON, or JSON with an `error`, which older servers send with status 200. */
export function isErrorAnswer(answer: StoreAnswer): boolean {
  if (answer.status < 200 || answer.status > 299) return true;
  const body = asRecord(answer.json);
  return body === undefined || ('error' in body && body['error'] !== null);
}

/** Reads the error from any answer. */
export function apiErrorOf(answer: StoreAnswer): ApiError {
  const { status, json } = answer;
  const error = asRecord(asRecord(json)?.['error']);
  const flat = asText(asRecord(json)?.['error']);
  const code = asText(error?.['status']) ?? '';
  const details = [...asList(error?.['details']), ...asList(error?.['errors'])].map(detailOf);
  const message = asText(error?.['message']) ?? flat;
  const texts = [message, ...details.flatMap((detail) => detail.texts)].filter((one) => one !== undefined);
  return {
    status: status >= 300 ? status : (statusOf(error?.['code']) ?? HTTP_CODES.get(code) ?? status),
    code,
    reasons: details.flatMap((detail) => detail.reasons),
    message: joinTexts([...new Set(texts)]),
    isPage: isWebPage(answer),
  };
}

/** The HTTP status in an error's own `code`. */
function statusOf(code: unknown): number | undefined {
  const number = asNumber(code) ?? (typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : undefined);
  return number !== undefined && number >= 300 && number < 600 ? number : undefined;
}

interface Detail {
  readonly reasons: readonly string[];
  readonly texts: readonly string[];
}

/** One entry of `details` (`ErrorInfo`, `LocalizedMessage`, `BadRequest`) or of the older `errors`. */
function detailOf(value: unknown): Detail {
  const detail = asRecord(value);
  const parts = [
    detail,
    ...asList(detail?.['fieldViolations']).map(asRecord),
    ...asList(detail?.['violations']).map(asRecord),
  ];
  const reasons = parts.map((part) => asText(part?.['reason']) ?? asText(part?.['type']));
  const texts = parts.map((part, index) => {
    const description = asText(part?.['description']) ?? asText(part?.['message']);
    const reason = reasons[index];
    if (index === 0) return description;
    return reason !== undefined && description !== undefined ? `${reason}: ${description}` : (reason ?? description);
  });
  return {
    reasons: reasons.filter((one) => one !== undefined),
    texts: texts.filter((one) => one !== undefined),
  };
}
