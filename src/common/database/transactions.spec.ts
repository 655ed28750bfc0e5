import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DataSource, QueryFailedError } from 'typeorm';
import { newDatabase, type TestDatabase } from '../../../test/support/database.js';
import { dataSourceOptions } from './data-source.js';
import { onConstraint, sqlState, Transactions } from './transactions.js';

const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';
const onServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';

describe('a transaction', () => {
  let database: TestDatabase;
  let source: DataSource;
  let tx: Transactions;
  beforeAll(async () => {
    database = await newDatabase();
    source = await new DataSource(dataSourceOptions(database.url, 4)).initialize();
    tx = new Transactions(source);
    await source.query('create table account (name text constraint account_name_key unique, balance integer)');
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });
  beforeEach(async () => {
    await source.query('delete from account');
    await source.query(`insert into account values ('one', 1), ('other', 1)`);
  });

  const add = (name: string, amount: number) =>
    tx.query('update account set balance = balance + $2 where name = $1', [name, amount]);
  const balances = async () =>
    (await tx.query<{ balance: number }>('select balance from account order by name desc')).map(
      ({ balance }) => balance,
    );
  const raise = (code: string) => tx.query(`do $$ begin raise exception 'asked for' using errcode = '${code}'; end $$`);

  it('commits everything or nothing', async () => {
    const failed = tx.run(async () => {
      await add('one', 5);
      throw new Error('second thoughts');
    });
    await expect(failed).rejects.toThrow('second thoughts');
    expect(await balances()).toEqual([1, 1]);
    await tx.run(() => add('one', 5));
    expect(await balances()).toEqual([1, 6]);
  });

  it('is joined by an inner transaction, and ends with the outer one', async () => {
    const failed = tx.run(async () => {
      await tx.run(() => add('one', 5));
      throw new Error('second thoughts');
    });
    await expect(failed).rejects.toThrow('second thoughts');
    expect(await balances()).toEqual([1, 1]);
  });

  it('hands over what it gathers together before it commits, anew at each attempt, and at once outside of any', async () => {
    const given: (readonly string[])[] = [];
    const take = async (names: readonly string[]): Promise<void> => {
      given.push(names);
      for (const name of names) await add(name, 1);
    };
    let attempts = 0;
    await tx.run(async () => {
      await tx.gather(take, ['one']);
      await tx.run(() => tx.gather(take, ['other']));
      expect(await balances()).toEqual([1, 1]);
      attempts += 1;
      if (attempts === 1) await raise(SERIALIZATION_FAILURE);
    });
    expect(given).toEqual([['one', 'other']]);
    expect(await balances()).toEqual([2, 2]);
    await tx.gather(take, ['one']);
    expect(given).toEqual([['one', 'other'], ['one']]);
    const failed = tx.run(() => tx.gather(() => raise(DEADLOCK).then(() => undefined), ['one']));
    await expect(failed).rejects.toThrow('asked for');
  });

  it('runs its after-commit actions in order once it has committed, and never otherwise', async () => {
    const thoughts: string[] = [];
    await tx.run(async () => {
      tx.afterCommit(() => thoughts.push('first'));
      await tx.run(async () => tx.afterCommit(() => thoughts.push('second')));
      expect(thoughts).toEqual([]);
    });
    expect(thoughts).toEqual(['first', 'second']);
    const failed = tx.run(async () => {
      tx.afterCommit(() => thoughts.push('never'));
      throw new Error('second thoughts');
    });
    await expect(failed).rejects.toThrow();
    tx.afterCommit(() => thoughts.push('at once'));
    expect(thoughts).toEqual(['first', 'second', 'at once']);
  });

  it.each([DEADLOCK, SERIALIZATION_FAILURE])(
    'is run again when PostgreSQL asks for that by %s, as if the first time had never been',
    async (code) => {
      const thoughts: number[] = [];
      let attempts = 0;
      const result = await tx.run(async () => {
        const attempt = (attempts += 1);
        tx.afterCommit(() => thoughts.push(attempt));
        await add('one', 1);
        if (attempt < 3) await raise(code);
        return 'done';
      });
      expect({ result, attempts, thoughts }).toEqual({ result: 'done', attempts: 3, thoughts: [3] });
      expect(await balances()).toEqual([1, 2]);
    },
  );

  it.each<[string, (statement: string) => Promise<readonly object[]>]>([
    ['a query', (statement) => tx.query(statement)],
    ['a prepared statement', (text) => tx.prepared({ name: 'contended', text }, [])],
  ])('is, where it is only %s, run again too', async (_, send) => {
    // A sequence keeps what a failed statement took from it.
    await source.query('create sequence attempt');
    await source.query(`create function contended() returns bigint language plpgsql as $$
      begin
        if nextval('attempt') < 3 then raise exception 'asked for' using errcode = '${DEADLOCK}'; end if;
        return currval('attempt');
      end $$`);
    expect(await send('select contended() as attempts')).toEqual([{ attempts: '3' }]);
    await source.query('drop function contended; drop sequence attempt');
  });

  it('fails after the third attempt, with the reason', async () => {
    let attempts = 0;
    const error = await tx
      .run(() => {
        attempts += 1;
        return raise(DEADLOCK);
      })
      .catch((thrown: unknown) => thrown);
    expect(attempts).toBe(3);
    expect(sqlState(error)).toBe(DEADLOCK);
  });

  it('is not repeated for any other failure', async () => {
    let attempts = 0;
    const failed = tx.run(() => {
      attempts += 1;
      return raise('22012');
    });
    await expect(failed).rejects.toThrow(QueryFailedError);
    expect(attempts).toBe(1);
  });

  // The embedded database works for one transaction at a time, so that two can never wait for each other there.
  (onServer ? it : it.skip)('gets through when it and another wait for each other', async () => {
    let meet!: () => void;
    const bothHoldOne = new Promise<void>((resolve) => (meet = resolve));
    let holding = 0;
    const transfer = async (from: string, to: string): Promise<void> => {
      await add(from, -1);
      holding += 1;
      if (holding === 2) meet();
      await bothHoldOne;
      await add(to, 1);
    };
    await Promise.all([tx.run(() => transfer('one', 'other')), tx.run(() => transfer('other', 'one'))]);
    // Four times where the one that was ended takes its first row again before the other has woken up.
    expect(holding).toBeGreaterThanOrEqual(3);
    expect(await balances()).toEqual([1, 1]);
  });

  (onServer ? it : it.skip)('gets through when another changed what it had read', async () => {
    let attempts = 0;
    await tx.run(async () => {
      attempts += 1;
      await tx.query('set transaction isolation level repeatable read');
      const [before = 0] = await balances();
      if (attempts === 1) await source.query(`update account set balance = 10 where name = 'other'`);
      await tx.query(`update account set balance = $1 where name = 'other'`, [before + 1]);
    });
    expect(attempts).toBe(2);
    expect((await balances())[0]).toBe(11);
  });

  it('never mixes with a concurrent one', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        tx
          .run(async () => {
            await add('one', 1);
            if (index % 2 === 0) throw new Error('second thoughts');
          })
          .catch(() => undefined),
      ),
    );
    expect(await balances()).toEqual([1, 7]);
  });

  it('translates the violation of a named constraint, and no other failure', async () => {
    const insert = () => tx.query(`insert into account values ('one', 0)`);
    const taken = onConstraint(insert, { account_name_key: () => new Error('taken') });
    await expect(taken).rejects.toThrow('taken');
    await expect(onConstraint(insert, { other_key: () => new Error('no') })).rejects.toThrow(QueryFailedError);
    const other = onConstraint(() => raise('22012'), { account_name_key: () => new Error('taken') });
    await expect(other).rejects.toThrow(QueryFailedError);
  });

  it('returns the rows of every kind of statement', async () => {
    expect(await tx.query(`select name from account where name = 'one'`)).toEqual([{ name: 'one' }]);
    expect(await tx.query(`update account set balance = 9 where name = 'one' returning balance`)).toEqual([
      { balance: 9 },
    ]);
    expect(await tx.query(`delete from account where name = 'one' returning name`)).toEqual([{ name: 'one' }]);
    expect(await tx.query(`select array[1, 2] as list`)).toEqual([{ list: [1, 2] }]);
    expect(await tx.query(`delete from account where false`)).toEqual([]);
  });
});
