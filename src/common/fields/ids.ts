import { v7, validate } from 'uuid';

/** A new identifier: UUIDv7, so that rows made later sort later. */
export const newId = (): string => v7();

/** Equal to no row's id: what an id that is no UUID is read as, so that it is simply not found. */
export const ABSENT_ID = '00000000-0000-0000-0000-000000000000';

/** Reads an id from a path, query or body. Anything that is no UUID is absent, and never reaches a query as garbage. */
export const idOrAbsent = (text: unknown): string =>
  typeof text === 'string' && validate(text) ? text.toLowerCase() : ABSENT_ID;
