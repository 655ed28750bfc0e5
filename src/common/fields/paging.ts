import { ApiProperty } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import { InvalidRequest } from '../problems/index.js';
import { ABSENT_ID, idOrAbsent } from './ids.js';
import { IntQuery, TextField } from './fields.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
/** Sorts after every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** How much of a list, and from where. */
export class PageQuery {
  @IntQuery({ description: 'How many items, 50 when absent.', min: 1, max: MAX_LIMIT, optional: true })
  limit?: number;

  @TextField({ description: '`nextCursor` of the page before; absent for the first page.', max: 512, optional: true })
  cursor?: string;
}

/** A page of a list; `nextCursor` is null on the last one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** The DTO class of a page of something, for OpenAPI. */
export function pageOf<Item>(item: Type<Item>): Type<Page<Item>> {
  class ItemPage {
    @ApiProperty({ type: [item], description: 'The items of this page.' })
    items!: Item[];

    @ApiProperty({ type: String, nullable: true, description: 'Cursor of the next page; null when this is the last.' })
    nextCursor!: string | null;
  }
  Object.defineProperty(ItemPage, 'name', { value: `${item.name}Page` });
  return ItemPage;
}

/** Where a page begins and how long it is. Lists are ordered by id, newest first; a repository reads one row more than `limit`. */
export interface PageStart {
  readonly limit: number;
  /** The id of the last item of the page before. */
  readonly after: string;
}

/** Reads a page's start from its query. @throws InvalidRequest when the cursor is not one of ours */
export function readPage(query: PageQuery): PageStart {
  return { limit: query.limit ?? DEFAULT_LIMIT, after: query.cursor === undefined ? LAST_ID : decode(query.cursor) };
}

/** Makes a page of rows that were read with one more than the limit. */
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

function decode(cursor: string): string {
  const id = idOrAbsent(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (id === ABSENT_ID)
    throw new InvalidRequest([{ field: 'cursor', message: 'must be the nextCursor of an earlier page.' }]);
  return id;
}
