import { setTimeout as pause } from 'node:timers/promises';
import { Failure, isAbort } from '../failure.js';

/** Longer than the service itself waits for its stores while it answers. */
const IDLE_MS = 60_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;
/** Too many requests, a failure of the service, or a gateway without the service behind it. */
const NOT_NOW = new Set([429, 500, 502, 503, 504]);

/** How requests are repeated. */
export interface RetryOptions {
  /** The service, for what people read. */
  readonly url: string;
  /** How long in all to try again, in milliseconds. */
  readonly retryForMs: number;
  /** How long one attempt may stall, in milliseconds. */
  readonly idleMs?: number;
  /** How long to wait before the first retry, in milliseconds; each further one waits twice as long. */
  readonly firstDelayMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once, before the first retry. */
  readonly onTrouble?: ((why: string) => void) | undefined;
}

/** The error of a request that stalls, the same as for a connection that timed out. */
export const timeoutError = (): Error => Object.assign(new Error('it does not answer'), { code: 'ETIMEDOUT' });

export const idleLimit = ({ idleMs = IDLE_MS }: Pick<RetryOptions, 'idleMs'>): number => idleMs;

/** An answer of the service, or of something before it. */
interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
}

/**
 * Sends a request again while the service does not answer or asks to wait. Only what may happen twice may be sent twice, unless the service
 * says that it did nothing.
 * @param isRepeatable whether the request may be carried out twice
 * @throws Failure when the service has not answered in time
 */
export async function withRetries<Response>(
  send: () => Promise<Response>,
  read: (response: Response) => Answered,
  isRepeatable: boolean,
  { url, retryForMs, firstDelayMs = FIRST_DELAY_MS, signal, onTrouble }: RetryOptions,
): Promise<Response> {
  const until = Date.now() + retryForMs;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attempted(send);
    const delay = delayOf(outcome, firstDelayMs * 2 ** attempt, read);
    const shouldRetry = delay !== null && (isRepeatable || hadNoEffect(outcome, read)) && Date.now() + delay < until;
    if (!shouldRetry) {
      if ('response' in outcome) return outcome.response;
      throw lost(url, outcome.error);
    }
    if (attempt === 0)
      onTrouble?.('error' in outcome ? reasonOf(outcome.error) : `it answers ${read(outcome.response).status}`);
    await pause(delay, undefined, { signal });
  }
}

type Outcome<Response> = { readonly response: Response } | { readonly error: Error };

async function attempted<Response>(send: () => Promise<Response>): Promise<Outcome<Response>> {
  try {
    return { response: await send() };
  } catch (error) {
    if (isAbort(error) || error instanceof Failure) throw error;
    return { error: error as Error };
  }
}

/** How long to wait before the next attempt, in milliseconds; null when another attempt is pointless. */
function delayOf<Response>(
  outcome: Outcome<Response>,
  backOffMs: number,
  read: (response: Response) => Answered,
): number | null {
  const backOff = Math.min(backOffMs, LONGEST_DELAY_MS) * (0.75 + Math.random() / 2);
  if ('error' in outcome) return backOff;
  const { status, retryAfter } = read(outcome.response);
  if (!NOT_NOW.has(status)) return null;
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : backOff;
}

/** A refused connection reached nobody; 429 and 503 say that nothing was done. */
function hadNoEffect<Response>(outcome: Outcome<Response>, read: (response: Response) => Answered): boolean {
  if ('response' in outcome) return [429, 503].includes(read(outcome.response).status);
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(codeOf(outcome.error));
}

/** fetch only says that it failed; the cause says why. */
const causeOf = (error: Error): Error => (error.cause as Error | undefined) ?? error;
const codeOf = (error: Error): string => {
  const cause = causeOf(error) as NodeJS.ErrnoException & AggregateError;
  return cause.code ?? (cause.errors?.[0] as NodeJS.ErrnoException | undefined)?.code ?? '';
};

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses the connection',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak HTTPS',
  UND_ERR_SOCKET: 'it closed the connection',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'it does not answer',
};

const reasonOf = (error: Error): string => REASONS[codeOf(error)] ?? causeOf(error).message;

const lost = (url: string, error: Error): Failure =>
  new Failure(`${url} cannot be reached: ${reasonOf(error)}.`, {
    hint: 'Check the address and the network, and that the service is running.',
    code: 'unreachable',
    cause: error,
  });
