import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import type { Day, Range } from '../../analytics/index.js';
import { RATINGS, type StoreFigure, type StoreMetric } from '../../stores/index.js';
import type { FigureRow } from './store-report.js';

/** The figures that stores told. Raw SQL: sets of rows at once. */
@Injectable()
export class FiguresRepository {
  constructor(private readonly tx: Transactions) {}

  /** Saves what a store told; for each day and metric it replaces what the store told before, since stores revise. */
  async replace(targetId: string, figures: readonly StoreFigure[]): Promise<void> {
    const rows = figures.map(({ day, metric, of, amount }) => ({
      day,
      metric,
      dimension: of?.dimension ?? '',
      value: of?.value ?? '',
      amount,
    }));
    const json = JSON.stringify(rows);
    await this.tx.query(
      `delete from store_figure
        where target_id = $1 and (day, metric, dimension) in
              (select distinct day, metric, dimension
                 from json_to_recordset($2) as told (day date, metric text, dimension text))`,
      [targetId, json],
    );
    await this.tx.query(
      `insert into store_figure (target_id, day, metric, dimension, value, amount)
       select $1, day, metric, dimension, value, sum(amount)
         from json_to_recordset($2) as told (day date, metric text, dimension text, value text, amount double precision)
        group by day, metric, dimension, value`,
      [targetId, json],
    );
  }

  /** Returns the last day of which a store told more than its ratings; null when there is none. */
  async lastDay(targetId: string): Promise<Day | null> {
    const [row] = await this.tx.query<{ readonly day: Day | null }>(
      'select max(day)::text as day from store_figure where target_id = $1 and metric <> all($2)',
      [targetId, RATINGS],
    );
    return row?.day ?? null;
  }

  /** Returns the users that stores last counted, by target. */
  async lastUsers(targetIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.tx.query<{ readonly id: string; readonly users: number }>(
      `select wanted.id, last.amount as users
         from unnest($1::uuid[]) as wanted(id),
              lateral (select amount from store_figure
                        where target_id = wanted.id and metric = 'users' and dimension = '' order by day desc limit 1) last`,
      [targetIds],
    );
    return new Map(rows.map(({ id, users }) => [id, users]));
  }

  /** Deletes the figures of a target. */
  async deleteOf(targetId: string, metrics: readonly StoreMetric[]): Promise<void> {
    await this.tx.query('delete from store_figure where target_id = $1 and metric = any($2)', [targetId, metrics]);
  }

  /** Deletes what is older than a day. */
  async deleteBefore(targetId: string, day: Day): Promise<void> {
    await this.tx.query('delete from store_figure where target_id = $1 and day < $2::date', [targetId, day]);
  }

  /** Returns the figures of targets on the days of a range. */
  list(targetIds: readonly string[], { from, to }: Range): Promise<readonly FigureRow[]> {
    return this.tx.query<FigureRow>(
      `select target_id as "targetId", day::text, metric, dimension, value, amount
         from store_figure where target_id = any($1::uuid[]) and day between $2::date and $3::date order by day`,
      [targetIds, from, to],
    );
  }
}
