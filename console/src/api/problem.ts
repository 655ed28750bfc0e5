import type { Schemas } from './schemas';

export type ProblemBody = Pick<Schemas['Problem'], 'code' | 'title' | 'detail' | 'status'> &
  Partial<Schemas['Problem']>;

/** Error of a call to the service: the problem of the answer, or that the service could not be reached (`code` is `offline`). */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** The fields that show their own faults. */
  private readonly shown = new Set<string>();

  constructor(readonly body: ProblemBody) {
    super(body.detail);
  }

  get code(): string {
    return this.body.code;
  }

  get isOffline(): boolean {
    return this.body.code === 'offline';
  }

  /** Fault of a field of the request, for the field to show; undefined when there is none. */
  fault(field: string): string | undefined {
    this.shown.add(field);
    return this.body.errors?.find((error) => error.field === field)?.message;
  }

  /** Faults of fields that do not show them themselves. */
  otherFaults(): readonly { readonly field: string; readonly message: string }[] {
    return (this.body.errors ?? []).filter(({ field }) => !this.shown.has(field));
  }
}

export const OFFLINE: ProblemBody = {
  code: 'offline',
  title: 'No connection',
  detail: 'The service could not be reached. What you see may be out of date.',
  status: 0,
};

export const NO_ANSWER: ProblemBody = {
  code: 'no_answer',
  title: 'No answer',
  detail: 'The service has not answered for 30 seconds. What you see may be out of date.',
  status: 0,
};

export const PAGE_NOT_LOADED: ProblemBody = {
  code: 'page_not_loaded',
  title: 'Page not loaded',
  detail: 'The connection failed, or the service was updated meanwhile.',
  status: 0,
};

/** Makes a problem of whatever was thrown. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof TypeError && /fetch|network|load failed/i.test(thrown.message)) return new Problem(OFFLINE);
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new Problem({ code: 'unexpected', title: 'The console failed', detail, status: 0 });
}

/** Makes a problem of an answer that is an error, from the service or from a proxy in front of it, which answers no problem. */
export function problemOf({ status }: Pick<Response, 'status'>, body: unknown): Problem {
  if (typeof body === 'object' && body !== null && 'code' in body && 'detail' in body)
    return new Problem(body as ProblemBody);
  const detail = `The service answered ${status} without a reason. Try again in a minute.`;
  return new Problem({ code: 'unexpected', title: 'Unexpected answer', detail, status });
}
