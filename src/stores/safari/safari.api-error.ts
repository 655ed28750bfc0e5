import { asList, asRecord, asText } from '../../common/net/index.js';
import { isWebPage, joinTexts, type StoreAnswer, withFullStop } from '../failures/index.js';
import { isDocument } from './safari.documents.js';

/** An error of App Store Connect (src/stores/README.md#safari-errors). */
export interface ApiError {
  /** The status of the error, which may arrive with HTTP status 200. */
  readonly status: number;
  /** The codes of the errors, such as `STATE_ERROR.ENTITY_STATE_INVALID`. */
  readonly codes: readonly string[];
  /** The codes of `meta.associatedErrors`, the reasons behind the errors; an empty text for one without a code. */
  readonly associated: readonly string[];
  /** The texts of all errors, associated ones included, redacted. */
  readonly message: string;
  /** A web page instead of an answer of the API. */
  readonly isPage: boolean;
}

type ErrorObject = ReturnType<typeof asRecord>;

/** Enough for everything that a listing can lack: a sentence for each language and each screen size. */
const MAX_MESSAGE = 4000;

/** Whether an answer is an error: anything but a 204 or a 2xx with a document without `errors`. */
export function isErrorAnswer({ status, json }: StoreAnswer): boolean {
  if (status < 200 || status > 299) return true;
  if (status === 204) return false;
  return !isDocument(json) || 'errors' in (asRecord(json) ?? {});
}

/** Reads the error from any answer. */
export function apiErrorOf(answer: StoreAnswer): ApiError {
  const { status, json } = answer;
  const errors = asList(asRecord(json)?.['errors']).map(asRecord);
  const behind = errors.flatMap((error) =>
    Object.values(asRecord(asRecord(error?.['meta'])?.['associatedErrors']) ?? {})
      .flatMap(asList)
      .map(asRecord),
  );
  const codeOf = (error: ErrorObject): string => asText(error?.['code']) ?? '';
  return {
    status: status >= 300 ? status : (statusOf(errors[0]?.['status']) ?? status),
    codes: errors.map(codeOf).filter((code) => code !== ''),
    associated: behind.map(codeOf),
    message: joinTexts(sentencesOf([...errors, ...behind]), MAX_MESSAGE),
    isPage: isWebPage(answer),
  };
}

/** Each text once, with its codes where Apple uses one text for several codes. */
function sentencesOf(errors: readonly ErrorObject[]): string[] {
  const codes = new Map<string, Set<string>>();
  for (const error of errors) {
    const code = asText(error?.['code']);
    const text = asText(error?.['detail']) ?? asText(error?.['title']) ?? code;
    if (text === undefined) continue;
    codes.set(text, (codes.get(text) ?? new Set()).add(code ?? text));
  }
  return [...codes].map(([text, ofText]) =>
    withFullStop(ofText.size > 1 ? `${text} (${[...ofText].join(', ')})` : text),
  );
}

/** The HTTP status in an error, which is a text. */
function statusOf(status: unknown): number | undefined {
  return typeof status === 'string' && /^[3-5]\d\d$/.test(status) ? Number(status) : undefined;
}
