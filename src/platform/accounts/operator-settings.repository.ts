import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { Transactions } from '../../common/database/index.js';
import { OperatorSettingEntity } from './operator-setting.entity.js';

/** The first run, which ends once, and features that the operator has switched off by a command. */
@Injectable()
export class OperatorSettingsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Whether a feature is off. */
  isOff(name: string): Promise<boolean> {
    return this.rows.existsBy({ name });
  }

  /** Switches a feature off; returns whether it was on. */
  async switchOff(name: string, createdAt: Date): Promise<boolean> {
    const row = { name, createdAt };
    const { raw } = await this.rows.createQueryBuilder().insert().values(row).orIgnore().returning('name').execute();
    return (raw as readonly unknown[]).length === 1;
  }

  /** Switches a feature on; returns whether it was off. */
  async switchOn(name: string): Promise<boolean> {
    return (await this.rows.delete({ name })).affected === 1;
  }

  private get rows(): Repository<OperatorSettingEntity> {
    return this.tx.repository(OperatorSettingEntity);
  }
}
