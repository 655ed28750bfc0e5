import { Injectable } from '@nestjs/common';
import { In, LessThan, type Repository } from 'typeorm';
import { newRow, Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import type { Seller } from '../seller.js';
import { UnrelatedProductEntity } from './unrelated-product.entity.js';

/** The products that sellers marked as unrelated to their extensions. */
@Injectable()
export class UnrelatedProductsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Returns the products among these that are marked. */
  async among(seller: Seller, productIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (productIds.length === 0) return new Set();
    const rows = await this.rows.findBy({ ...seller, productId: In([...productIds]) });
    return new Set(rows.map(({ productId }) => productId));
  }

  /** Marks products, some of which may be marked already. */
  async mark(seller: Seller, productIds: readonly string[], now: Date): Promise<void> {
    const rows = productIds.map((productId) => ({ ...newRow(now), ...seller, productId }));
    await this.rows.createQueryBuilder().insert().values(rows).orIgnore().execute();
  }

  /** Lists them, one row more than the page holds, newest first. */
  list(tenantId: string, { limit, after }: PageStart): Promise<readonly UnrelatedProductEntity[]> {
    return this.rows.find({ where: { tenantId, id: LessThan(after) }, order: { id: 'DESC' }, take: limit + 1 });
  }

  find(tenantId: string, id: string): Promise<UnrelatedProductEntity | null> {
    return this.rows.findOneBy({ tenantId, id });
  }

  async delete(tenantId: string, id: string): Promise<void> {
    await this.rows.delete({ tenantId, id });
  }

  private get rows(): Repository<UnrelatedProductEntity> {
    return this.tx.repository(UnrelatedProductEntity);
  }
}
