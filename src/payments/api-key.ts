import {
  asList,
  asRecord,
  asText,
  truncate,
  HttpFailure,
  parseRetryAfter,
  redactText,
  type HttpAnswer,
  type HttpClient,
} from '../common/net/index.js';
import { valueAt, recordsOf, type Payload } from './payload.js';
import { PaymentFailure } from './payment-failure.js';

interface Connection {
  readonly http: HttpClient;
  readonly clock: { now(): Date };
  readonly apiUrl: string;
  /** The processor's name, for sentences. */
  readonly title: string;
}

/** Of the last, the key is of another account, or of the test mode where the object is not. */
const REFUSALS = new Set([400, 401, 403, 404]);
const MAX_CHARACTERS = 300;

/**
 * Reads one resource of a processor with an API key.
 * @param key the headers that carry it
 * @throws PaymentFailure `credential` when the processor refuses the key, `retry` on any other failure
 */
export async function readWithKey(
  { http, clock, apiUrl, title }: Connection,
  path: string,
  key: Readonly<Record<string, string>>,
): Promise<Payload> {
  const headers = { accept: 'application/json', ...key };
  const answer = await http.request({ method: 'GET', url: `${apiUrl}${path}`, headers }).catch((error: unknown) => {
    if (!(error instanceof HttpFailure)) throw error;
    throw new PaymentFailure('retry', `${title} could not be reached: ${error.message}.`);
  });
  const json = asRecord(answer.json);
  if (answer.status >= 200 && answer.status < 300 && json !== undefined) return json;
  const words = messageOf(answer, title);
  if (REFUSALS.has(answer.status)) throw new PaymentFailure('credential', words);
  throw new PaymentFailure('retry', words, parseRetryAfter(answer.headers.get('retry-after'), clock.now()));
}

/**
 * The processor's own message: Stripe and Paddle send it in `error`, Lemon Squeezy in `errors`, Polar in `detail`, Dodo Payments in
 * `message`, as does Creem, in a list.
 */
function messageOf({ status, json }: HttpAnswer, title: string): string {
  const [first] = recordsOf(valueAt(json, 'errors'));
  const messages = [
    valueAt(json, 'error', 'message'),
    valueAt(json, 'error', 'detail'),
    first?.['detail'],
    valueAt(json, 'detail'),
    valueAt(json, 'error_description'),
    asList(valueAt(json, 'message'))[0] ?? valueAt(json, 'message'),
  ];
  const words = messages.map(asText).find((text) => text !== undefined);
  return words === undefined ? `${title} answered ${status}.` : truncate(redactText(words), MAX_CHARACTERS);
}
