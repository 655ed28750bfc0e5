import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { OperatorSettingEntity } from './operator-setting.entity.js';

/** What the operator has switched off by a command. */
@Injectable()
export class OperatorSettingsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Whether the thing of this name is off. */
  isOff(name: string): Promise<boolean> {
    return this.rows.existsBy({ name });
  }

  /** Switches it off; returns whether it was not yet. */
  async switchOff(name: string, createdAt: Date): Promise<boolean> {
    const row = { name, createdAt };
    const { raw } = await this.rows.createQueryBuilder().insert().values(row).orIgnore().returning('name').execute();
    return (raw as readonly unknown[]).length === 1;
  }

  /** Takes that back; returns whether there was something to take back. */
  async switchOn(name: string): Promise<boolean> {
    return (await this.rows.delete({ name })).affected === 1;
  }

  private get rows(): Repository<OperatorSettingEntity> {
    return this.tx.repository(OperatorSettingEntity);
  }
}
