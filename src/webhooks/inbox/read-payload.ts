import { asRecord, sizeOfJson } from '../../common/net/index.js';
import { invalidBody } from '../../common/problems/index.js';
import type { Payload } from '../../payments/index.js';

/** Processors nest about ten levels, expanded objects included. */
const MAX_DEPTH = 100;
/** An invoice of a hundred lines has some five thousand. */
const MAX_ENTRIES = 20_000;

/** Reads the body of a notification. @throws InvalidRequest when it is not a JSON object, nests too deeply, or holds too much */
export function readPayload(body: Buffer): Payload {
  // Before it is parsed: a megabyte of keys would hold up the process.
  const { entries, depth } = sizeOfJson(body);
  if (depth > MAX_DEPTH) throw invalidBody(`The body must not nest deeper than ${MAX_DEPTH} levels.`);
  if (entries > MAX_ENTRIES) throw invalidBody(`The body must not have more than ${MAX_ENTRIES} keys and list items.`);
  const payload = asRecord(jsonIn(body));
  if (payload === undefined) throw invalidBody('The body must be a JSON object.');
  return payload;
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
