import { NIL, v7, validate } from 'uuid';

/** Makes an id: UUIDv7, so that later rows sort later. */
export const newId = (): string => v7();

const ZERO_BYTES = new Uint8Array(16);

/**
 * Returns an id before those of everything from this time on, and after those of everything earlier. A UUIDv7 has no time before 1970, so an earlier
 * time is before all ids.
 */
export const firstId = (at: Date): string => v7({ msecs: Math.max(0, at.getTime()), seq: 0, random: ZERO_BYTES });

/** The id of no row. Text that is not a UUID is read as this id, and so is not found. */
export const NIL_ID = NIL;

/** Reads an id of a path, query or body; text that is not a UUID becomes `NIL_ID`. */
export const uuidOrNil = (text: unknown): string =>
  typeof text === 'string' && validate(text) ? text.toLowerCase() : NIL_ID;
