import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { Config } from '../../common/config/index.js';
import { Transactions } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { OperatorSettingEntity } from './operator-setting.entity.js';
import { PasswordLoginDisabled } from './sign-in.problems.js';

const NAME = 'PASSWORD_LOGIN';

/** Whether passwords are of use. They are not while either `PASSWORD_LOGIN` or a command of the operator says so. */
@Injectable()
export class PasswordLoginService {
  constructor(
    private readonly config: Config,
    private readonly tx: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Whether users can log in, sign up and reset their password with a password. */
  async isOn(): Promise<boolean> {
    return this.config.passwordLogin === 'on' && !(await this.rows.existsBy({ name: NAME }));
  }

  /** @throws PasswordLoginDisabled */
  async enforceOn(): Promise<void> {
    if (!(await this.isOn())) throw new PasswordLoginDisabled();
  }

  /** Switches passwords off for all processes, from the next request on; returns whether they were not yet. */
  async switchOff(): Promise<boolean> {
    const row = { name: NAME, createdAt: this.clock.now() };
    const { raw } = await this.rows.createQueryBuilder().insert().values(row).orIgnore().returning('name').execute();
    return (raw as readonly unknown[]).length === 1;
  }

  /** Takes that back; returns whether there was something to take back. The setting may still say that they are off. */
  async switchOn(): Promise<boolean> {
    return (await this.rows.delete({ name: NAME })).affected === 1;
  }

  private get rows(): Repository<OperatorSettingEntity> {
    return this.tx.repository(OperatorSettingEntity);
  }
}
