import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { RowFinder } from './row-finder.js';
import type { Statements } from './statements.js';

const STATEMENT = { name: 'some_things', text: 'select id, name from thing where id = any($1::uuid[])' };
type Thing = readonly [id: string, name: string];

/** A table that says what was asked of it, and fails over one id. */
class Table {
  readonly asked: (readonly string[])[] = [];
  readonly finder = new RowFinder<Thing>(this as unknown as Statements, STATEMENT);

  constructor(
    private readonly things: readonly Thing[],
    private readonly unreadable?: string,
  ) {}

  rows(statement: unknown, [list]: readonly unknown[]): Promise<readonly Thing[]> {
    expect(statement).toBe(STATEMENT);
    const ids: readonly string[] = String(list).match(/[\w-]+/g) ?? [];
    this.asked.push(ids);
    if (ids.some((each) => each === this.unreadable))
      return Promise.reject(Object.assign(new Error(), { code: '22P02' }));
    return Promise.resolve(this.things.filter(([each]) => ids.includes(each)).toReversed());
  }
}

const thing: Thing = [randomUUID(), 'a thing'];
const [id] = thing;
const things = [thing, ...Array.from({ length: 19 }, (_, at): Thing => [randomUUID(), `thing ${at}`])];

describe('rows that are looked for', () => {
  it('together are found in few statements, each by who asked for it', async () => {
    const table = new Table(things);
    const found = await Promise.all(things.map(([each]) => table.finder.find(each)));
    expect(found).toEqual(things);
    expect(table.asked.length).toBeLessThanOrEqual(4);
  });

  it('by several at once are asked for once, in whichever case', async () => {
    const table = new Table(things);
    const absent = randomUUID();
    const found = await Promise.all([id, absent, id.toUpperCase(), id].map((each) => table.finder.find(each)));
    expect(found).toEqual([thing, null, thing, thing]);
    expect(table.asked).toEqual([[id, absent]]);
  });

  it('later are read anew', async () => {
    const table = new Table(things);
    await table.finder.find(id);
    await table.finder.find(id);
    expect(table.asked).toEqual([[id], [id]]);
  });

  it('do not fail with one among them that no database can read', async () => {
    const table = new Table(things, 'bad');
    const outcomes = await Promise.allSettled([table.finder.find(id), table.finder.find('bad')]);
    expect(outcomes).toMatchObject([{ status: 'fulfilled', value: thing }, { status: 'rejected' }]);
  });
});
