const closers = new Set<() => Promise<void>>();

/** Closes something when the spec file ends that has left it open, as one does whose test fails before it comes to that. @returns what forgets it again */
export function closedWithFile(close: () => Promise<void>): () => void {
  closers.add(close);
  return () => void closers.delete(close);
}

const handedOut = new Set<object>();

/** Empties an object when the spec file ends that was given it: a worker keeps what the file's variables name. */
export function emptiedWithFile<Given extends object>(given: Given): Given {
  handedOut.add(given);
  return given;
}

/** Whether a test of the spec file has failed: at its time limit it goes on, beside whatever comes next. */
export const failure = { isNoted: false };

/** @throws what closing threw, when all is closed */
export async function closeOpened(): Promise<void> {
  const faults: unknown[] = [];
  for (const close of [...closers].toReversed()) await close().catch((error: unknown) => faults.push(error));
  for (const given of handedOut) for (const name of Object.keys(given)) Reflect.deleteProperty(given, name);
  closers.clear();
  handedOut.clear();
  if (faults.length > 0) throw new AggregateError(faults, 'Something that the file had opened could not be closed');
}
