import { Injectable } from '@nestjs/common';
import { Config } from '../../../common/config/index.js';
import { Clock } from '../../../common/system/index.js';
import { OperatorSettingsRepository } from '../operator-settings.repository.js';
import { PasswordLoginDisabled } from './passwords.problems.js';

const NAME = 'PASSWORD_LOGIN';

/** Whether users can log in by password. Either `PASSWORD_LOGIN` or a command of the operator can switch it off. */
@Injectable()
export class PasswordLoginService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly settings: OperatorSettingsRepository,
  ) {}

  /** Whether users can log in, sign up and reset their password with a password. */
  async isOn(): Promise<boolean> {
    return this.config.passwordLogin === 'on' && !(await this.settings.isOff(NAME));
  }

  async enforceOn(): Promise<void> {
    if (!(await this.isOn())) throw new PasswordLoginDisabled();
  }

  /** Switches log-in by password off for all processes, from the next request on; returns whether it was on. */
  switchOff(): Promise<boolean> {
    return this.settings.switchOff(NAME, this.clock.now());
  }

  /** Switches it on again; returns whether it was off. `PASSWORD_LOGIN` may still switch it off. */
  switchOn(): Promise<boolean> {
    return this.settings.switchOn(NAME);
  }
}
