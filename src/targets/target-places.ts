import { Injectable } from '@nestjs/common';
import { Transactions } from '../common/database/index.js';
import { Stores, type StorePages } from '../stores/index.js';
import { TargetEntity } from './target.entity.js';

/** Where a target is, in names and addresses for people. */
export interface TargetPlace extends StorePages {
  /** The store's own name. */
  readonly store: string;
}

/** Tells people where to look. */
@Injectable()
export class TargetPlaces {
  constructor(
    private readonly tx: Transactions,
    private readonly stores: Stores,
  ) {}

  /** Null for a target that is gone, or stands for no item. */
  async of(targetId: string): Promise<TargetPlace | null> {
    const row = await this.tx.repository(TargetEntity).findOneBy({ id: targetId });
    if (row === null || row.storeItemId === null) return null;
    const { storeItemId, crxId, channel } = row;
    const store = this.stores.for(row.store);
    return { store: store.title, ...store.pagesOf({ storeItemId, crxId, channel: channel === '' ? null : channel }) };
  }
}
