import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { newDatabase, type TestDatabase } from '../../../test/support/database.js';
import { dataSourceOptions } from './data-source.js';
import { WorkLocks, type WorkLock } from './work-locks.js';
import { Transactions } from './transactions.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const inMinutes = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);

describe('work locks', () => {
  let database: TestDatabase;
  let source: DataSource;
  let tx: Transactions;
  let locks: WorkLocks;
  beforeAll(async () => {
    database = await newDatabase();
    source = await new DataSource(dataSourceOptions(database.url, 8)).initialize();
    tx = new Transactions(source);
    locks = new WorkLocks(tx, { table: 'job', key: 'job_id', due: 'run_at', seconds: 30 });
    await source.query(`create table job (
      job_id uuid primary key, run_at timestamptz, is_paused boolean not null default false, runs integer not null default 0,
      lease_token uuid, lease_until timestamptz)`);
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });
  beforeEach(async () => {
    await source.query('delete from job');
  });

  const add = async (runAt: Date | null, isPaused = false): Promise<string> => {
    const id = randomUUID();
    await source.query('insert into job (job_id, run_at, is_paused) values ($1, $2, $3)', [id, runAt, isPaused]);
    return id;
  };
  const take = async (id: string): Promise<WorkLock> => {
    const lock = await locks.takeOne(id);
    if (lock === null) throw new Error('The row is not free');
    return lock;
  };
  const runOut = (): Promise<unknown> => source.query(`update job set lease_until = now() - interval '1 second'`);
  const writeUnder = async ({ id, leaseToken }: WorkLock): Promise<number> =>
    (
      await tx.query('update job set runs = runs + 1 where job_id = $1 and lease_token = $2 returning 1', [
        id,
        leaseToken,
      ])
    ).length;

  it('are granted in the order in which rows are due', async () => {
    const ids = [await add(inMinutes(-1)), await add(inMinutes(-3)), await add(inMinutes(-2))];
    const rows = [await locks.takeDue(NOW), await locks.takeDue(NOW), await locks.takeDue(NOW)];
    expect(rows.map((lock) => lock?.id)).toEqual([ids[1], ids[2], ids[0]]);
    expect(await locks.takeDue(NOW)).toBeNull();
  });

  it('are not granted for rows that are not due, have nothing to do, or do not meet the condition', async () => {
    await add(inMinutes(1));
    await add(null);
    await add(inMinutes(-1), true);
    expect(await locks.takeDue(NOW, { where: 'not job.is_paused' })).toBeNull();
  });

  it('are counted when they are taken over from a worker that let them run out, and not when they were given back', async () => {
    const id = await add(inMinutes(-1));
    const before = locks.takenOver;
    await locks.giveBack(await take(id));
    await take(id);
    expect(locks.takenOver - before).toBe(0);
    await runOut();
    expect(await locks.takeDue(NOW)).toEqual({ id, leaseToken: expect.any(String) });
    expect(locks.takenOver - before).toBe(1);
  });

  it('can change columns of the row, in the same statement', async () => {
    const id = await add(inMinutes(-1));
    await locks.takeDue(NOW, { set: 'runs = runs + 1, run_at = $1' });
    expect(await source.query('select job_id, runs, run_at from job')).toEqual([{ job_id: id, runs: 1, run_at: NOW }]);
  });

  it('are granted for a named row before it is due, unless there is nothing to do for it', async () => {
    const [later, never] = [await add(inMinutes(60)), await add(null)];
    expect(await locks.takeOne(later)).toMatchObject({ id: later });
    expect(await locks.takeOne(never)).toBeNull();
    expect(await locks.takeOne(randomUUID())).toBeNull();
  });

  it('say until when they last, and when the next free row is due', async () => {
    const [first] = [await add(inMinutes(-2)), await add(inMinutes(5))];
    expect(await locks.nextDue()).toEqual(inMinutes(-2));
    expect(await locks.lockedUntil(first)).toBeNull();
    const lock = await take(first);
    const [row] = await tx.query<{ until: Date }>('select lease_until as until from job where lease_until is not null');
    expect(await locks.lockedUntil(first)).toEqual(row?.until);
    expect(await locks.nextDue()).toEqual(inMinutes(5));
    await locks.giveBack(lock);
    expect(await locks.lockedUntil(first)).toBeNull();
    expect(await locks.nextDue()).toEqual(inMinutes(-2));
  });

  it('can be renewed, checked and locked while they last, and past their end until another worker takes the row', async () => {
    const lock = await take(await add(inMinutes(-1)));
    await runOut();
    expect([await locks.isValid(lock), await tx.run(() => locks.lockRow(lock))]).toEqual([true, true]);
    expect(await locks.renew(lock)).toBe(true);
    expect(await locks.takeOne(lock.id)).toBeNull();
  });

  it('are lost once another worker has the row: the first one renews, locks, writes and returns nothing', async () => {
    const lost = await take(await add(inMinutes(-1)));
    await runOut();
    const next = await take(lost.id);
    expect([await locks.renew(lost), await locks.isValid(lost), await locks.lockRow(lost)]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await writeUnder(lost)).toBe(0);
    await locks.giveBack(lost);
    expect(await locks.isValid(next)).toBe(true);
    expect(await writeUnder(next)).toBe(1);
  });

  it('are all void after a start that follows a crash', async () => {
    const [one, other] = [await take(await add(inMinutes(-1))), await take(await add(inMinutes(-1)))];
    await locks.voidAll();
    expect([await locks.isValid(one), await locks.isValid(other)]).toEqual([false, false]);
    expect(await locks.takeOne(one.id)).not.toBeNull();
  });

  it('of one row go to one of many workers that take rows at once', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 12 }),
      async (minutes, workers) => {
        await source.query('delete from job');
        for (const minute of minutes) await add(inMinutes(minute));
        const due = minutes.filter((minute) => minute <= 0).length;
        const rows = await Promise.all(Array.from({ length: workers }, () => locks.takeDue(NOW)));
        const taken = rows.filter((lock) => lock !== null);
        expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length);
        // A worker that meets rows that others are taking skips them, and may find none; the next call finds what is left.
        const rest: WorkLock[] = [];
        for (let lock = await locks.takeDue(NOW); lock !== null; lock = await locks.takeDue(NOW)) rest.push(lock);
        expect(new Set([...taken, ...rest].map(({ id }) => id)).size).toBe(due);
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });

  it('let every row be worked on by one worker at a time, however they are taken, renewed, lost and returned', async () => {
    const ids = [await add(inMinutes(-1)), await add(inMinutes(-1)), await add(inMinutes(-1))];
    const works = async (rounds: number): Promise<number> => {
      let written = 0;
      for (let round = 0; round < rounds; round += 1) {
        const lock = (await locks.takeDue(NOW)) ?? (await locks.takeOne(ids[round % ids.length] ?? ''));
        if (lock === null) continue;
        if (round % 5 === 0) await source.query(`update job set lease_until = now() where job_id = $1`, [lock.id]);
        await locks.renew(lock);
        // What is read under the lock and written is lost by nobody: two workers with one row would count one of their writes twice.
        written += await tx.run(async () => {
          if (!(await locks.lockRow(lock))) return 0;
          const [row] = await tx.query<{ runs: number }>('select runs from job where job_id = $1', [lock.id]);
          await tx.query('update job set runs = $2 where job_id = $1', [lock.id, (row?.runs ?? 0) + 1]);
          return 1;
        });
        if (round % 3 !== 0) await locks.giveBack(lock);
        else await source.query('update job set lease_until = now() where job_id = $1', [lock.id]);
      }
      return written;
    };
    const written = await Promise.all([works(30), works(30), works(30), works(30)]);
    const [total] = await tx.query<{ runs: number }>('select sum(runs)::integer as runs from job');
    expect(total?.runs).toBe(written.reduce((sum, one) => sum + one, 0));
    expect(total?.runs).toBeGreaterThan(0);
  });
});
