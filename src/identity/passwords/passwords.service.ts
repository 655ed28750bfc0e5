import { Injectable } from '@nestjs/common';
import type { SessionCaller } from '../../common/access/index.js';
import { Transactions } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { MembershipsRepository } from '../accounts/memberships.repository.js';
import { LoginAttempts } from '../accounts/login-attempts.js';
import { refuseGuessable } from './new-password.js';
import { hashPassword, isPassword } from './password-hash.js';
import type { UserEntity } from '../accounts/user.entity.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { PasswordResetsRepository } from './reset/password-resets.repository.js';
import type { ChangePassword } from './passwords.dto.js';
import { WrongPassword } from './passwords.problems.js';

/** A user's own password. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly accounts: AccountsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly attempts: LoginAttempts,
    private readonly sessions: SessionsService,
    private readonly resets: PasswordResetsRepository,
  ) {}

  /**
   * Checks that the caller knows the password. Guesses are slowed down like those at log-in.
   * @throws WrongPassword, RateLimited
   */
  async check({ userId }: SessionCaller, password: string, address: string): Promise<UserEntity> {
    const user = await this.accounts.getUser(userId);
    await this.attempts.begin(user.email, address);
    if (!(await isPassword(password, user.passwordHash))) throw new WrongPassword();
    await this.attempts.forget(user.email, address);
    return user;
  }

  /** Changes the caller's password and ends all other sessions. @throws WrongPassword, RateLimited, InvalidRequest */
  async change(
    caller: SessionCaller,
    { currentPassword, newPassword }: ChangePassword,
    address: string,
  ): Promise<void> {
    const { id, passwordHash } = await this.check(caller, currentPassword, address);
    await this.refuseGuessable(id, newPassword);
    const newHash = await hashPassword(newPassword);
    await this.tx.run(async () => {
      // Of two changes at once, only one replaces the password that both have checked.
      if (!(await this.accounts.replacePassword(id, passwordHash, newHash, this.clock.now())))
        throw new WrongPassword();
      await this.resets.deleteOf(id);
      await this.sessions.endOthers(id, caller.sessionId);
    });
  }

  /** Refuses a new password of a user that is easy to guess. @throws InvalidRequest */
  async refuseGuessable(userId: string, newPassword: string): Promise<void> {
    const memberships = await this.memberships.listOfUser(userId);
    const own = memberships.flatMap(({ user, tenant }) => [user?.email ?? '', tenant?.name ?? '']);
    await refuseGuessable(newPassword, own, 'newPassword');
  }
}
