import { NO_ANSWER, Problem } from './problem';

/** Time in which the service must begin its answer to a question. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Sends a request; one that changes nothing is not waited for forever. @throws Problem `no_answer` */
export async function fetchWithTimeout(request: Request): Promise<Response> {
  if (request.method !== 'GET' && !/\/(?:auth\/token|console\/start)$/.test(request.url)) return fetch(request);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Problem(NO_ANSWER)), ANSWER_TIMEOUT_MS);
  try {
    return await fetch(request, { signal: AbortSignal.any([request.signal, late.signal]) });
  } finally {
    clearTimeout(timer);
  }
}
