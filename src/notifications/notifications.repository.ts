import { Injectable } from '@nestjs/common';
import { LessThan, type Repository } from 'typeorm';
import { Transactions } from '../common/database/index.js';
import type { PageStart } from '../common/fields/index.js';
import { ExtensionEntity } from '../registry/index.js';
import { NotificationEntity, type NotificationRow } from './notification.entity.js';

/** Notifications of tenants. */
@Injectable()
export class NotificationsRepository {
  constructor(private readonly tx: Transactions) {}

  async insert(row: NotificationRow): Promise<void> {
    await this.notifications.insert(row);
  }

  /** Adds a notification unless one has its `onceKey`. @returns whether it was added */
  async insertOnce(row: NotificationRow): Promise<boolean> {
    const { raw } = await this.notifications
      .createQueryBuilder()
      .insert()
      .values(row)
      .orIgnore()
      .returning('id')
      .execute();
    return (raw as readonly unknown[]).length === 1;
  }

  /** Reads a notification by its id alone, for a delivery of it. */
  get(id: string): Promise<NotificationEntity> {
    return this.notifications.findOneByOrFail({ id });
  }

  /** Lists notifications: one row more than the page holds, newest first. */
  list(tenantId: string, { limit, after }: PageStart): Promise<readonly NotificationEntity[]> {
    return this.notifications.find({
      where: { tenantId, id: LessThan(after) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
  }

  /** Finds the newest notification about a target. */
  lastOfTarget(targetId: string): Promise<NotificationEntity | null> {
    return this.notifications.findOne({ where: { targetId }, order: { id: 'DESC' } });
  }

  async deleteBefore(time: Date): Promise<void> {
    await this.notifications.delete({ createdAt: LessThan(time) });
  }

  /** Reads the extension that an event is about. */
  getExtension(id: string): Promise<ExtensionEntity> {
    return this.tx.repository(ExtensionEntity).findOneByOrFail({ id });
  }

  private get notifications(): Repository<NotificationEntity> {
    return this.tx.repository(NotificationEntity);
  }
}
