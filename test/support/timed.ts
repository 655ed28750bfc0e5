import { performance } from 'node:perf_hooks';

/** Where each file's line goes: `npm test -- --profile` reads them. Unset, nothing is measured. */
export const PATH = process.env['TEST_PROFILE'] ?? '';
/** What is counted and, in milliseconds, timed, by kind. */
export const counted = new Map<string, { count: number; ms: number }>();

/** Adds one of a kind. */
export function add(kind: string, ms: number): void {
  const sum = counted.get(kind) ?? { count: 0, ms: 0 };
  counted.set(kind, { count: sum.count + 1, ms: sum.ms + ms });
}

/** Counts and times work of a kind. */
export async function timed<Result>(kind: string, work: () => Promise<Result>): Promise<Result> {
  if (PATH === '') return work();
  const began = performance.now();
  try {
    return await work();
  } finally {
    add(kind, performance.now() - began);
  }
}
