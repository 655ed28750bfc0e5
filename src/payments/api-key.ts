import {
  asRecord,
  asText,
  cutText,
  HttpFailure,
  parseRetryAfter,
  redactText,
  type HttpAnswer,
  type HttpClient,
} from '../common/net/index.js';
import { dig, recordsOf } from './payload.js';
import { PaymentFailure } from './payment-failure.js';

/** How a processor is reached. */
export interface ProcessorLine {
  readonly http: HttpClient;
  readonly clock: { now(): Date };
  /** Base address, without a slash at its end. */
  readonly apiUrl: string;
}

/** What a credential without an API key is shown to be. */
export const SECRET_ONLY = { identity: 'webhook secret' };

const REFUSALS = new Set([400, 401, 403]);
const LONGEST_WORDS = 300;

/**
 * Reads one resource of a processor with an API key.
 * @returns the answer's JSON object
 * @throws PaymentFailure `credential` when the key is refused, `retry` whatever else went wrong
 */
export async function readWithKey(
  line: ProcessorLine,
  title: string,
  path: string,
  apiKey: string,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };
  const answer = await line.http
    .request({ method: 'GET', url: `${line.apiUrl}${path}`, headers })
    .catch((error: unknown) => {
      if (!(error instanceof HttpFailure)) throw error;
      throw new PaymentFailure('retry', `${title} could not be asked: ${error.message}.`);
    });
  const json = asRecord(answer.json);
  if (answer.status >= 200 && answer.status < 300 && json !== undefined) return json;
  const words = wordsOf(answer, title);
  if (REFUSALS.has(answer.status)) throw new PaymentFailure('credential', words);
  throw new PaymentFailure('retry', words, parseRetryAfter(answer.headers.get('retry-after'), line.clock.now()));
}

/** The processor's own words: Stripe and Paddle say them in `error`, Lemon Squeezy in `errors`, Polar in `detail`. */
function wordsOf({ status, json }: HttpAnswer, title: string): string {
  const [first] = recordsOf(dig(json, 'errors'));
  const said = [
    dig(json, 'error', 'message'),
    dig(json, 'error', 'detail'),
    first?.['detail'],
    dig(json, 'detail'),
    dig(json, 'error_description'),
  ];
  const words = said.map(asText).find((text) => text !== undefined);
  return words === undefined ? `${title} answered ${status}.` : cutText(redactText(words), LONGEST_WORDS);
}
