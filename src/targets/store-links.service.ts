import { Injectable } from '@nestjs/common';
import { Stores, type Store, type StorePages } from '../stores/index.js';
import { channelOrNull } from './target-channel.js';
import type { TargetEntity } from './target.entity.js';
import { TargetsRepository } from './targets.repository.js';

/** The store of a target, with its name and the addresses of its pages. */
export interface StoreLinks extends StorePages {
  /** The store's own name. */
  readonly store: string;
}

/** Finds the pages of a target's item, for notifications. */
@Injectable()
export class StoreLinksService {
  constructor(
    private readonly targets: TargetsRepository,
    private readonly stores: Stores,
  ) {}

  /** Null for a target that is deleted or has no item. */
  async forTarget(targetId: string): Promise<StoreLinks | null> {
    const row = await this.targets.findSettings(targetId);
    if (row === null || row.storeItemId === null) return null;
    const store = this.stores.for(row.store);
    return { store: store.title, ...pagesAt(store, row) };
  }
}

/** The pages of a target at its store. Pure. */
export const pagesAt = (
  store: Store,
  { channel, ...ids }: Pick<TargetEntity, 'storeItemId' | 'crxId' | 'channel' | 'account'>,
): StorePages => store.pagesOf({ ...ids, channel: channelOrNull(channel) });
