import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { StoreWebhookEntity } from './store-webhook.entity.js';

/** More than a store announces of one item in weeks. */
const REMEMBERED = 200;

/** Where stores announce changes. */
@Injectable()
export class StoreWebhooksRepository {
  constructor(private readonly tx: Transactions) {}

  find(targetId: string): Promise<StoreWebhookEntity | null> {
    return this.webhooks.findOneBy({ targetId });
  }

  /** Adds one, unless the target has one already. Raw SQL: two workers may do so at once. */
  async insert({ id, createdAt, updatedAt, targetId, sealed }: StoreWebhookEntity): Promise<void> {
    await this.tx.query(
      `insert into store_webhook (id, created_at, updated_at, target_id, sealed) values ($1, $2, $3, $4, $5)
       on conflict (target_id) do nothing`,
      [id, createdAt, updatedAt, targetId, sealed],
    );
  }

  async registered(id: string, webhookId: string): Promise<void> {
    await this.webhooks.update({ id }, { webhookId });
  }

  /** Replaces the sealed secret, unless it has changed meanwhile. */
  async reseal({ id, sealed: old }: StoreWebhookEntity, sealed: string): Promise<void> {
    await this.webhooks.update({ id, sealed: old }, { sealed });
  }

  /** Records an announcement. Raw SQL: it reads and changes an array. @returns false for one that was received before */
  async receive(id: string, announcementId: string, now: Date): Promise<boolean> {
    const rows = await this.tx.query(
      `update store_webhook set recent_ids = (array_prepend($2::text, recent_ids))[1:$4::int], received_at = $3
        where id = $1 and not $2 = any(recent_ids) returning id`,
      [id, announcementId, now, REMEMBERED],
    );
    return rows.length === 1;
  }

  private get webhooks() {
    return this.tx.repository(StoreWebhookEntity);
  }
}
