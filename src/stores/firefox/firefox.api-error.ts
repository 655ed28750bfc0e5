import { asRecord, asText } from '../../common/net/index.js';
import { isWebPage, joinTexts, type StoreAnswer } from '../failures/index.js';

const MAX_DEPTH = 4;
const MAX_TEXTS = 20;

/** Keys that add nothing to the text behind them (src/stores/README.md#firefox-errors). */
const PLAIN_KEYS = new Set(['', 'detail', 'error', 'non_field_errors', 'version', 'upload']);

/** An error of AMO, in one of the forms of Django REST framework (src/stores/README.md#firefox-errors). */
export interface ApiError {
  readonly status: number;
  /** The fields that the error is about, such as `upload` or `license`. */
  readonly fields: readonly string[];
  /** All texts of the error, redacted. */
  readonly message: string;
  /** The party that disabled the add-on, when it is hidden (src/stores/README.md#firefox-objects). */
  readonly disabledBy: 'mozilla' | 'developer' | null;
  /** A web page instead of an answer of the API. */
  readonly isPage: boolean;
}

/** Whether an answer is an error: anything but a 2xx with a JSON object, or an object with `error` or `detail`. */
export function isErrorAnswer({ status, json }: StoreAnswer): boolean {
  if (status < 200 || status > 299) return true;
  const body = asRecord(json);
  return body === undefined || (body['error'] ?? null) !== null || asText(body['detail']) !== undefined;
}

/** Reads the error from any answer. */
export function apiErrorOf(answer: StoreAnswer): ApiError {
  const { status, json } = answer;
  const body = asRecord(json);
  return {
    status,
    fields: Object.keys(body ?? {}),
    message: joinTexts([...new Set(textsOf(json))].slice(0, MAX_TEXTS)),
    disabledBy: disabledBy(body),
    isPage: isWebPage(answer),
  };
}

/** Returns the party that disabled an add-on, according to an answer about a hidden one. */
export function disabledBy(body: Readonly<Record<string, unknown>> | undefined): ApiError['disabledBy'] {
  if (body?.['is_disabled_by_mozilla'] === true) return 'mozilla';
  return body?.['is_disabled_by_developer'] === true ? 'developer' : null;
}

/** All texts in an error, each with its field's name. */
function textsOf(value: unknown, key = '', depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, key, depth + 1));
  const inner = asRecord(value);
  if (inner !== undefined) return Object.entries(inner).flatMap(([name, one]) => textsOf(one, name, depth + 1));
  const text = asText(value);
  if (text === undefined) return [];
  return [PLAIN_KEYS.has(key) ? text : `${key}: ${text}`];
}
