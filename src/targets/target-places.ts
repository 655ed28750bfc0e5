import { Injectable } from '@nestjs/common';
import { Stores, type StorePages } from '../stores/index.js';
import { TargetsRepository } from './targets.repository.js';

/** Where a target is, in names and addresses for people. */
export interface TargetPlace extends StorePages {
  /** The store's own name. */
  readonly store: string;
}

/** Tells people where to look. */
@Injectable()
export class TargetPlaces {
  constructor(
    private readonly targets: TargetsRepository,
    private readonly stores: Stores,
  ) {}

  /** Null for a target that is gone, or stands for no item. */
  async of(targetId: string): Promise<TargetPlace | null> {
    const row = await this.targets.findSettings(targetId);
    if (row === null || row.storeItemId === null) return null;
    const { storeItemId, crxId, channel } = row;
    const store = this.stores.for(row.store);
    return { store: store.title, ...store.pagesOf({ storeItemId, crxId, channel: channel === '' ? null : channel }) };
  }
}
