import { Injectable } from '@nestjs/common';
import { ArrayContains, IsNull, LessThan, MoreThan, Not, type Repository } from 'typeorm';
import { Transactions } from '../common/database/index.js';
import type { PageStart } from '../common/fields/index.js';
import { EndpointEntity, type EndpointRow } from './endpoint.entity.js';
import type { NotificationRow } from './notification.entity.js';

/** Webhooks and addresses to which a tenant sends notifications. */
@Injectable()
export class EndpointsRepository {
  constructor(private readonly tx: Transactions) {}

  async insert(row: EndpointRow): Promise<void> {
    await this.endpoints.insert(row);
  }

  async save(row: EndpointEntity): Promise<void> {
    await this.endpoints.save(row);
  }

  /** Deletes an endpoint with its deliveries. */
  async delete(id: string): Promise<void> {
    await this.endpoints.delete({ id });
  }

  count(tenantId: string): Promise<number> {
    return this.endpoints.countBy({ tenantId });
  }

  exists(tenantId: string, id: string): Promise<boolean> {
    return this.endpoints.existsBy({ id, tenantId });
  }

  /** Lists endpoints: one row more than the page holds, newest first. */
  list(tenantId: string, { limit, after }: PageStart): Promise<readonly EndpointEntity[]> {
    return this.endpoints.find({ where: { tenantId, id: LessThan(after) }, order: { id: 'DESC' }, take: limit + 1 });
  }

  find(tenantId: string, id: string): Promise<EndpointEntity | null> {
    return this.endpoints.findOneBy({ id, tenantId });
  }

  findForUpdate(tenantId: string, id: string): Promise<EndpointEntity | null> {
    return this.endpoints.findOne({ where: { id, tenantId }, lock: { mode: 'pessimistic_write' } });
  }

  /** Whether an endpoint is as it was read, and enabled. */
  isUnchanged({ id, updatedAt }: EndpointEntity): Promise<boolean> {
    return this.endpoints.existsBy({ id, updatedAt, enabled: true });
  }

  /** Finds an endpoint and locks it against changes; new deliveries may refer to it meanwhile. */
  findForNoKeyUpdate(id: string): Promise<EndpointEntity | null> {
    return this.endpoints.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Finds an endpoint and locks it against deletion, so that a delivery can refer to it. */
  findForKeyShare(id: string): Promise<EndpointEntity | null> {
    return this.endpoints.findOne({ where: { id }, lock: { mode: 'for_key_share' } });
  }

  /** Finds the enabled endpoints that receive a notification, and locks them against deletion. Licenses have a statement of their own. */
  async subscribersOf({ tenantId, kind, extensionId }: NotificationRow): Promise<readonly EndpointEntity[]> {
    const subscribed = { tenantId, enabled: true, events: ArrayContains([kind]) };
    const endpoints = await this.endpoints.find({
      where: [
        { ...subscribed, kind: 'webhook' },
        { ...subscribed, confirmedAt: Not(IsNull()) },
      ],
      order: { id: 'ASC' },
      lock: { mode: 'for_key_share' },
    });
    return endpoints.filter(
      ({ extensionIds }) => extensionId === null || (extensionIds?.includes(extensionId) ?? true),
    );
  }

  /** Confirms the address whose link has this digest. @returns false when there is none, or it has expired */
  async confirm(confirmationDigest: string, now: Date): Promise<boolean> {
    const { affected } = await this.endpoints.update(
      { confirmationDigest, confirmationUntil: MoreThan(now) },
      { confirmedAt: now, confirmationDigest: null, confirmationUntil: null, updatedAt: now },
    );
    return affected === 1;
  }

  /** Disables an endpoint whose receiver answered that it is gone. */
  async disableAsGone(id: string, now: Date): Promise<void> {
    await this.endpoints.update({ id }, { enabled: false, disabledBecause: 'gone', updatedAt: now });
  }

  private get endpoints(): Repository<EndpointEntity> {
    return this.tx.repository(EndpointEntity);
  }
}
