import { useEffect, useState } from 'react';
import { asProblem, type Problem } from './problem';

/** Time until what could not be read is read again. */
const AGAIN_MS = 5_000;

/** Whether a failure may pass: not when the service refused. */
export const mayPass = ({ body: { status } }: Problem): boolean => status === 0 || status >= 500;

/** Something that was asked once: the answer, or the problem. */
export interface Asked<Data> {
  readonly data: Data | undefined;
  readonly problem: Problem | null;
  readonly retry: () => Promise<unknown>;
}

/** Reads something once, without the cache of the console, which the log-in page does not load. */
export function useAnswer<Data>(ask: () => Promise<Data>): Asked<Data> {
  const [{ data, problem }, setState] = useState<Omit<Asked<Data>, 'retry'>>({ data: undefined, problem: null });
  const retry = (): Promise<void> =>
    ask().then(
      (found) => setState({ data: found, problem: null }),
      (thrown: unknown) => setState({ data: undefined, problem: asProblem(thrown) }),
    );
  const isWanted = data === undefined;
  useEffect(() => {
    if (!isWanted || (problem !== null && !mayPass(problem))) return undefined;
    const timer = setTimeout(() => void retry(), problem === null ? 0 : AGAIN_MS);
    return () => clearTimeout(timer);
    // The question is the same for as long as the page is open.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isWanted, problem]);
  return { data, problem, retry };
}

interface Sending<Data> {
  readonly isPending: boolean;
  readonly isSuccess: boolean;
  readonly error: Problem | null;
  readonly submit: (onSuccess?: (data: Data) => void, onError?: (problem: Problem) => void) => void;
}

/** Sends a form, likewise without the cache. */
export function useSubmit<Data>(send: () => Promise<Data>): Sending<Data> {
  const [state, setState] = useState<Omit<Sending<Data>, 'submit'>>({
    isPending: false,
    isSuccess: false,
    error: null,
  });
  const submit: Sending<Data>['submit'] = (onSuccess, onError) => {
    setState({ isPending: true, isSuccess: false, error: null });
    send().then(
      (data) => {
        setState({ isPending: false, isSuccess: true, error: null });
        onSuccess?.(data);
      },
      (thrown: unknown) => {
        const error = asProblem(thrown);
        setState({ isPending: false, isSuccess: false, error });
        onError?.(error);
      },
    );
  };
  return { ...state, submit };
}
