import { applyDecorators, Injectable, UseGuards, type CanActivate } from '@nestjs/common';
import { Throws } from '../../../common/problems/index.js';
import { PasswordLoginService } from './password-login.service.js';
import { PasswordLoginDisabled } from './passwords.problems.js';

/** Refuses a route while log-in by password is switched off. */
export const NeedsPasswordLogin = (): MethodDecorator =>
  applyDecorators(UseGuards(PasswordLoginGuard), Throws(PasswordLoginDisabled));

/** Applies `@NeedsPasswordLogin`. */
@Injectable()
export class PasswordLoginGuard implements CanActivate {
  constructor(private readonly passwordLogin: PasswordLoginService) {}

  async canActivate(): Promise<boolean> {
    await this.passwordLogin.enforceOn();
    return true;
  }
}
