import { Injectable } from '@nestjs/common';
import { AnnouncementsService } from '../reconcile/index.js';
import type { Capabilities } from '../stores/index.js';
import type { AskedItem, ItemAnswer, ItemReader } from './item-reader.js';
import { DAILY_MS } from './next-reading.js';

/** The webhooks of the item, and a change of ours. */
const CALLS = 3;

/** Sees that a store announces changes of an item, since people change and delete webhooks. */
@Injectable()
export class AnnouncementsReader implements ItemReader {
  readonly everyMs = DAILY_MS;

  constructor(private readonly announcements: AnnouncementsService) {}

  callsAt({ announcements }: Capabilities): number {
    return announcements && this.announcements.areReachable ? CALLS : 0;
  }

  async read({ target, item, secrets }: AskedItem): Promise<ItemAnswer> {
    await this.announcements.subscribe(target, item, secrets);
    return { write: () => Promise.resolve(), failures: [] };
  }
}
