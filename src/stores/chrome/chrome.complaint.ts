import { asList, asNumber, asRecord, asText } from '../../common/net/index.js';
import { inWords, isWebPage, type StoreAnswer } from '../refusals.js';

/**
 * HTTP codes of `google.rpc.Code`, for the answers that say 200 and mean something else (docs/stores.md#chrome-errors).
 */
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

/** What Google complained about, from `google.rpc.Status` as JSON (docs/stores.md#chrome-errors). */
export interface Complaint {
  /** The status that was meant, whatever the HTTP status said. */
  readonly status: number;
  /** `google.rpc.Code`, such as `FAILED_PRECONDITION`; empty when it is not named. */
  readonly code: string;
  /** Machine-readable reasons from `ErrorInfo`, `BadRequest` and the older `errors` list. */
  readonly reasons: readonly string[];
  /** Everything that is said, for people: the message and what other tools hide, the violations. */
  readonly words: string;
  /** A web page instead of an answer of the API. */
  readonly isPage: boolean;
}

/** Whether the answer is what was asked for: a 2xx of JSON without `error` in it, which old servers wrap in a 200. */
export function isRefused(answer: StoreAnswer): boolean {
  if (answer.status < 200 || answer.status > 299) return true;
  const body = asRecord(answer.json);
  return body === undefined || ('error' in body && body['error'] !== null);
}

/** Reads the complaint out of any answer, however odd. */
export function complaintOf(answer: StoreAnswer): Complaint {
  const { status, json } = answer;
  const error = asRecord(asRecord(json)?.['error']);
  const flat = asText(asRecord(json)?.['error']);
  const code = asText(error?.['status']) ?? '';
  const said = [...asList(error?.['details']), ...asList(error?.['errors'])].map(saidBy);
  const message = asText(error?.['message']) ?? flat;
  const words = [message, ...said.flatMap((one) => one.words)].filter((one) => one !== undefined);
  return {
    status: status >= 300 ? status : (meant(error?.['code']) ?? HTTP_CODES.get(code) ?? status),
    code,
    reasons: said.flatMap((one) => one.reasons),
    words: inWords([...new Set(words)]),
    isPage: isWebPage(answer),
  };
}

/** The HTTP status that an error's own `code` names. */
function meant(code: unknown): number | undefined {
  const number = asNumber(code) ?? (typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : undefined);
  return number !== undefined && number >= 300 && number < 600 ? number : undefined;
}

interface Said {
  readonly reasons: readonly string[];
  readonly words: readonly string[];
}

/** One entry of `details` (`ErrorInfo`, `LocalizedMessage`, `BadRequest`) or of the older `errors`. */
function saidBy(value: unknown): Said {
  const detail = asRecord(value);
  const parts = [
    detail,
    ...asList(detail?.['fieldViolations']).map(asRecord),
    ...asList(detail?.['violations']).map(asRecord),
  ];
  const reasons = parts.map((part) => asText(part?.['reason']) ?? asText(part?.['type']));
  const words = parts.map((part, index) => {
    const description = asText(part?.['description']) ?? asText(part?.['message']);
    const reason = reasons[index];
    if (index === 0) return description;
    return reason !== undefined && description !== undefined ? `${reason}: ${description}` : (reason ?? description);
  });
  return {
    reasons: reasons.filter((one) => one !== undefined),
    words: words.filter((one) => one !== undefined),
  };
}
