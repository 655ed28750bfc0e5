import { Injectable } from '@nestjs/common';
import { newRow, Transactions } from '../../common/database/index.js';
import type { StoreId } from '../../stores/index.js';
import { PackageRefusalEntity } from './package-refusal.entity.js';

/** Refusals that are kept; a store has some dozens of reasons. */
export const MAX_REFUSALS = 200;

/** Refusals of packages in which no rule had found a fault. */
@Injectable()
export class PackageRefusalsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Counts a refusal. Raw SQL: an upsert that counts, and the oldest beyond the limit go. */
  async count(store: StoreId, words: string, now: Date): Promise<void> {
    const { id } = newRow(now);
    await this.tx.query(
      `insert into package_refusal (id, created_at, updated_at, store, words, count) values ($1, $2, $2, $3, $4, 1)
       on conflict (store, words) do update set count = package_refusal.count + 1, updated_at = excluded.updated_at`,
      [id, now, store, words],
    );
    await this.tx.query(
      `delete from package_refusal where id in (select id from package_refusal order by updated_at desc, id desc offset $1)`,
      [MAX_REFUSALS],
    );
  }

  /** All that are kept, the most frequent first. */
  findAll(): Promise<PackageRefusalEntity[]> {
    return this.tx.repository(PackageRefusalEntity).find({ order: { count: 'DESC', updatedAt: 'DESC' } });
  }
}
