import { asRecord, asText } from '../../common/net/index.js';
import { inWords, isWebPage, type StoreAnswer } from '../refusals.js';

const MAX_DEPTH = 4;
const MAX_SAID = 20;

/** Keys that say no more than that something is said (docs/stores.md#firefox-errors). */
const PLAIN_KEYS = new Set(['', 'detail', 'error', 'non_field_errors', 'version', 'upload']);

/** What AMO complained about, in the forms of Django REST framework (docs/stores.md#firefox-errors). */
export interface Complaint {
  readonly status: number;
  /** Fields that the complaint is about, such as `upload` or `license`. */
  readonly fields: readonly string[];
  /** Everything that is said, for people. */
  readonly words: string;
  /** The add-on is hidden, and by whom (docs/stores.md#firefox-objects). */
  readonly disabledBy: 'mozilla' | 'developer' | null;
  /** A web page instead of an answer of the API. */
  readonly isPage: boolean;
}

/** Whether the answer is what was asked for: a 2xx of a JSON object that is no error in disguise. */
export function isRefused({ status, json }: StoreAnswer): boolean {
  if (status < 200 || status > 299) return true;
  const body = asRecord(json);
  return body === undefined || (body['error'] ?? null) !== null || asText(body['detail']) !== undefined;
}

/** Reads the complaint out of any answer, however odd. */
export function complaintOf(answer: StoreAnswer): Complaint {
  const { status, json } = answer;
  const body = asRecord(json);
  return {
    status,
    fields: Object.keys(body ?? {}),
    words: inWords([...new Set(saidBy(json))].slice(0, MAX_SAID)),
    disabledBy: disabledBy(body),
    isPage: isWebPage(answer),
  };
}

/** Who hides an add-on, as the answer about a hidden one says. */
export function disabledBy(body: Readonly<Record<string, unknown>> | undefined): Complaint['disabledBy'] {
  if (body?.['is_disabled_by_mozilla'] === true) return 'mozilla';
  return body?.['is_disabled_by_developer'] === true ? 'developer' : null;
}

/** All texts in an error, each with the name of the field that it is about. */
function saidBy(value: unknown, key = '', depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => saidBy(one, key, depth + 1));
  const inner = asRecord(value);
  if (inner !== undefined) return Object.entries(inner).flatMap(([name, one]) => saidBy(one, name, depth + 1));
  const text = asText(value);
  if (text === undefined) return [];
  return [PLAIN_KEYS.has(key) ? text : `${key}: ${text}`];
}
