import { v7 } from 'uuid';

/** Counts the ids of this process, so that those of one millisecond sort in the order in which they were made. */
let made = 0;

/** Makes the id of an entry: a UUIDv7 of the entry's own time, so that ids sort as the entries do, and a time is a range of ids. */
export function auditId(at: Date): string {
  made = (made + 1) >>> 0;
  return v7({ msecs: at.getTime(), seq: made });
}
