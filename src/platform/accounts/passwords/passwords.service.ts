import { Injectable } from '@nestjs/common';
import type { SessionCaller } from '../../../common/access/index.js';
import { Transactions } from '../../../common/database/index.js';
import { Clock } from '../../../common/system/index.js';
import { AccountsRepository } from '../accounts.repository.js';
import { MembershipsRepository } from '../memberships.repository.js';
import { LoginAttempts } from '../guessing/login-attempts.js';
import { refuseGuessable } from './new-password.js';
import { hashPassword, isPassword } from './password-hash.js';
import type { UserEntity } from '../user.entity.js';
import { UserAuditService } from '../user-audit.service.js';
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
    private readonly audit: UserAuditService,
  ) {}

  /** Checks that the caller knows the password. Guesses are slowed down like those at log-in. */
  async check({ userId }: SessionCaller, password: string, address: string): Promise<UserEntity> {
    const user = await this.accounts.getUser(userId);
    await this.attempts.begin(user.email, address);
    if (!(await isPassword(password, user.passwordHash))) throw new WrongPassword();
    await this.attempts.forget(user.email, address);
    return user;
  }

  /** Checks that the caller knows the password, if the user has one. */
  async checkIfSet(caller: SessionCaller, password: string | undefined, address: string): Promise<void> {
    const { passwordHash } = await this.accounts.getUser(caller.userId);
    if (passwordHash !== null) await this.check(caller, password ?? '', address);
  }

  /** Changes the caller's password and ends all other sessions. */
  async change(
    caller: SessionCaller,
    { currentPassword, newPassword }: ChangePassword,
    address: string,
  ): Promise<void> {
    const user = await this.check(caller, currentPassword, address);
    const { id, passwordHash } = user;
    await this.refuseGuessable(id, newPassword);
    const newHash = await hashPassword(newPassword);
    await this.tx.run(async () => {
      // Of two simultaneous changes, only the first still finds the password that both have checked.
      if (!(await this.accounts.replacePassword(id, passwordHash, newHash, this.clock.now())))
        throw new WrongPassword();
      await this.resets.deleteOf(id);
      await this.sessions.endOthers(id, caller.sessionId);
      await this.audit.record(user, 'user.password_changed');
    });
  }

  /** Replaces a user's password and ends all sessions, for the operator. */
  async replace(user: UserEntity, newPassword: string): Promise<void> {
    const passwordHash = await hashPassword(newPassword);
    await this.tx.run(async () => {
      await this.accounts.setPassword(user.id, passwordHash, this.clock.now());
      await this.resets.deleteOf(user.id);
      await this.sessions.endAll(user.id);
      await this.audit.record(user, 'user.password_reset');
    });
  }

  /** Refuses a new password of a user that is easy to guess. */
  async refuseGuessable(userId: string, newPassword: string): Promise<void> {
    const memberships = await this.memberships.listOfUser(userId);
    const own = memberships.flatMap(({ user, tenant }) => [user?.email ?? '', tenant?.name ?? '']);
    await refuseGuessable(newPassword, own, 'newPassword');
  }
}
