import { asList, asRecord, asText } from '../../common/net/index.js';
import { ended, inWords, isWebPage, type StoreAnswer } from '../refusals.js';
import { isDocument } from './safari.documents.js';

/** What App Store Connect complained about (docs/stores.md#safari-errors). */
export interface Complaint {
  /** The status that was meant, whatever the HTTP status said. */
  readonly status: number;
  /** Codes of the errors themselves, such as `STATE_ERROR.ENTITY_STATE_INVALID`. */
  readonly codes: readonly string[];
  /** Codes of the errors behind them, `meta.associatedErrors`: what is really missing. Empty for an error without a code. */
  readonly associated: readonly string[];
  /** Everything that is said, for people, with what other tools hide: the associated errors. */
  readonly words: string;
  /** A web page instead of an answer of the API. */
  readonly isPage: boolean;
}

type ErrorObject = ReturnType<typeof asRecord>;

/** Room for all that a listing can lack: a sentence for each language and each screen size. */
const MAX_WORDS = 4000;

/** Whether the answer is not what was asked for: no 2xx, or a body that is neither empty by its status nor a document. */
export function isRefused({ status, json }: StoreAnswer): boolean {
  if (status < 200 || status > 299) return true;
  if (status === 204) return false;
  return !isDocument(json) || 'errors' in (asRecord(json) ?? {});
}

/** Reads the complaint out of any answer, however odd. */
export function complaintOf(answer: StoreAnswer): Complaint {
  const { status, json } = answer;
  const errors = asList(asRecord(json)?.['errors']).map(asRecord);
  const behind = errors.flatMap((error) =>
    Object.values(asRecord(asRecord(error?.['meta'])?.['associatedErrors']) ?? {})
      .flatMap(asList)
      .map(asRecord),
  );
  const codeOf = (error: ErrorObject): string => asText(error?.['code']) ?? '';
  return {
    status: status >= 300 ? status : (meant(errors[0]?.['status']) ?? status),
    codes: errors.map(codeOf).filter((code) => code !== ''),
    associated: behind.map(codeOf),
    words: inWords(sentencesOf([...errors, ...behind]), MAX_WORDS),
    isPage: isWebPage(answer),
  };
}

/** Each thing that is said, once; the codes tell apart what Apple puts into the same words. */
function sentencesOf(errors: readonly ErrorObject[]): string[] {
  const codes = new Map<string, Set<string>>();
  for (const error of errors) {
    const code = asText(error?.['code']);
    const words = asText(error?.['detail']) ?? asText(error?.['title']) ?? code;
    if (words === undefined) continue;
    codes.set(words, (codes.get(words) ?? new Set()).add(code ?? words));
  }
  return [...codes].map(([words, said]) => ended(said.size > 1 ? `${words} (${[...said].join(', ')})` : words));
}

/** The HTTP status that an error names in itself, as text. */
function meant(status: unknown): number | undefined {
  return typeof status === 'string' && /^[3-5]\d\d$/.test(status) ? Number(status) : undefined;
}
