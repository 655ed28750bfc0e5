import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Caller } from '../../common/access/index.js';
import { orThrow } from '../../common/problems/index.js';
import { Clock, DAY_MS, HOUR_MS } from '../../common/system/index.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryNotFound } from './deliveries.problems.js';
import { webhookBody } from './wording.js';
import { assertMayDirect } from '../license-readers.js';
import { NotificationsRepository } from '../notifications.repository.js';
import { urlShownTo } from '../shown-url.js';
import { plainHeaders } from '../outgoing-webhooks/index.js';
import type { DeliveryAttemptList } from './delivery-attempts.dto.js';
import { DeliveryAttemptsRepository } from './delivery-attempts.repository.js';

const KEPT_MS = 14 * DAY_MS;

/** What was sent to receivers, and what they answered. */
@Injectable()
export class DeliveryAttemptsService {
  constructor(
    private readonly clock: Clock,
    private readonly attempts: DeliveryAttemptsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly notifications: NotificationsRepository,
  ) {}

  /**
   * Lists the last attempts of a delivery.
   * @throws DeliveryNotFound; RoleNotAllowed, InsufficientScope for a notification that names a buyer
   */
  async list(caller: Caller, deliveryId: string): Promise<DeliveryAttemptList> {
    const delivery = orThrow(await this.deliveries.find(caller.tenantId, deliveryId), DeliveryNotFound);
    const notification = await this.notifications.get(delivery.notificationId);
    assertMayDirect(caller, [notification.kind]);
    const body = webhookBody(notification);
    const rows = await this.attempts.list(delivery.id);
    return {
      items: rows.map(({ id, triedAt, durationMs, url, status, error, answer }) => {
        const request =
          url === null ? null : { url: urlShownTo(caller, url), headers: plainHeaders(notification.id, triedAt), body };
        return { id, triedAt, durationMs, request, status, error, answer };
      }),
    };
  }

  /** Deletes old attempts. */
  @Interval('delivery-attempt-cleanup', HOUR_MS)
  async deleteOld(): Promise<void> {
    await this.attempts.deleteBefore(new Date(this.clock.now().getTime() - KEPT_MS));
  }
}
