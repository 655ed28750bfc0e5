import { ApiProperty } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import { MAX } from 'uuid';
import { InvalidRequest } from '../problems/index.js';
import { EXAMPLE } from './examples.js';
import { NIL_ID, uuidOrNil } from './ids.js';
import { IntQuery, TextField } from './fields.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
/** Sorts after all ids. */
export const LAST_ID: string = MAX;

/** The page of a list to return. */
export class PageQuery {
  @IntQuery({ description: 'Number of items to return.', min: 1, max: MAX_LIMIT, optional: true })
  limit?: number;

  @TextField({
    description: '`nextCursor` of the previous page. Omit it for the first page.',
    max: 512,
    optional: true,
    example: EXAMPLE.id,
  })
  cursor?: string;
}

/** A page of a list. `nextCursor` is null on the last page. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Makes the DTO class of a page of items, for OpenAPI. */
export function pageOf<Item>(item: Type<Item>): Type<Page<Item>> {
  class ItemPage {
    @ApiProperty({ type: [item], description: 'The items of this page.' })
    items!: Item[];

    @ApiProperty({ type: String, nullable: true, description: 'Cursor of the next page; null on the last page.' })
    nextCursor!: string | null;
  }
  Object.defineProperty(ItemPage, 'name', { value: `${item.name}Page` });
  return ItemPage;
}

/** The most that a count reads of a list, so that a long one costs no more than a short one. */
export const MOST_COUNTED = 10_000;

/** How many items a list has. */
export class ListCount {
  @ApiProperty({ type: 'integer', description: `Number of items, up to ${MOST_COUNTED}.` })
  count!: number;

  @ApiProperty({ description: `Whether there are more than ${MOST_COUNTED}.` })
  isMore!: boolean;
}

/** @param found what was found of a list that was read up to one more than `MOST_COUNTED` */
export const toCount = (found: number): ListCount => ({
  count: Math.min(found, MOST_COUNTED),
  isMore: found > MOST_COUNTED,
});

/** The start and the length of a page. Lists are ordered by id, newest first; a repository reads one row more than `limit`. */
export interface PageStart {
  readonly limit: number;
  /** The id of the last item of the page before. */
  readonly after: string;
}

/** Reads a page's start from its query. @throws InvalidRequest when the cursor is not one of ours */
export function readPage(query: PageQuery): PageStart {
  return { limit: query.limit ?? DEFAULT_LIMIT, after: query.cursor === undefined ? LAST_ID : decode(query.cursor) };
}

/** Makes a page of rows, which may be one more than the limit. */
export function toPage<Row extends { readonly id: string }, Item>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor = rows.length > limit && last !== undefined ? Buffer.from(last.id).toString('base64url') : null;
  return { items: shown.map((row) => show(row)), nextCursor };
}

/** Reads the page that a query asks for. @throws InvalidRequest when the cursor is not one of ours */
export async function pageFrom<Row extends { readonly id: string }, Item>(
  query: PageQuery,
  read: (start: PageStart) => Promise<readonly Row[]>,
  show: (row: Row) => Item,
): Promise<Page<Item>> {
  const start = readPage(query);
  return toPage(await read(start), start.limit, show);
}

const BATCH_SIZE = 1000;

/** Yields a whole list, newest first, in batches of up to 1000 rows, each read when it is asked for. The last may be empty. */
export async function* batchesOf<Row extends { readonly id: string }>(
  read: (start: PageStart) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after = LAST_ID;
  for (;;) {
    const rows = await read({ limit: BATCH_SIZE, after });
    yield rows.slice(0, BATCH_SIZE);
    const last = rows[BATCH_SIZE - 1];
    if (rows.length <= BATCH_SIZE || last === undefined) return;
    after = last.id;
  }
}

function decode(cursor: string): string {
  const id = uuidOrNil(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (id === NIL_ID)
    throw new InvalidRequest([{ field: 'cursor', message: 'must be the nextCursor of an earlier page.' }]);
  return id;
}
