import { Injectable } from '@nestjs/common';
import { Transactions } from '../common/database/index.js';
import { addDays, DAYS_KEPT, daysBetween, type Day } from './days.js';

const PARTITIONS_LOCK = 7_431_104;
const DAYS_AHEAD = 3;

/** The partitions of pings, one per day: created ahead and dropped whole. Raw SQL: TypeORM knows neither partitions nor advisory locks. */
@Injectable()
export class PartitionsRepository {
  private readonly partitions = new Map<Day, Promise<void>>();

  constructor(private readonly tx: Transactions) {}

  /** Creates the partition of today's pings if it is missing, as in a process that was suspended over midnight. */
  ensure(today: Day): Promise<void> {
    const partition = this.partitions.get(today);
    if (partition !== undefined) return partition;
    const making = this.create(today);
    this.partitions.clear();
    this.partitions.set(today, making);
    making.catch(() => this.partitions.delete(today));
    return making;
  }

  /** Creates the partitions of today and the next days, and a row of `analytics_day` for each day since the last, with or without pings. */
  private async create(today: Day): Promise<void> {
    const last = addDays(today, DAYS_AHEAD);
    await this.tx.run(async () => {
      await this.tx.query('select pg_advisory_xact_lock($1)', [PARTITIONS_LOCK]);
      const names = await this.names();
      for (const day of daysBetween(today, last))
        if (!names.includes(nameOf(day)))
          await this.tx.query(
            `create table ${nameOf(day)} partition of install_day for values from ('${day}') to ('${addDays(day, 1)}')`,
          );
      await this.tx.query(
        `insert into analytics_day (day)
         select generate_series(coalesce((select max(day) + 1 from analytics_day), $1::date), $2::date, '1 day')::date`,
        [today, last],
      );
    });
  }

  /** Drops partitions that are older than 35 days and rolled up; the figures stay. */
  async dropOld(today: Day): Promise<void> {
    const oldest = addDays(today, -DAYS_KEPT);
    await this.tx.run(async () => {
      await this.tx.query('select pg_advisory_xact_lock($1)', [PARTITIONS_LOCK]);
      const [open] = await this.tx.query<{ day: Day }>(
        'select min(day)::text as day from analytics_day where closed_at is null',
      );
      const before = [oldest, open?.day ?? oldest].toSorted()[0] ?? oldest;
      for (const name of await this.names()) if (name < nameOf(before)) await this.tx.query(`drop table ${name}`);
      await this.tx.query('delete from install_seen where last_day < $1', [before]);
      await this.tx.query('delete from install_last_day where last_day < $1', [before]);
    });
  }

  private async names(): Promise<readonly string[]> {
    const rows = await this.tx.query<{ name: string }>(
      `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = 'install_day'::regclass`,
    );
    return rows.map(({ name }) => name);
  }
}

const nameOf = (day: Day): string => `install_day_${day.replaceAll('-', '')}`;
