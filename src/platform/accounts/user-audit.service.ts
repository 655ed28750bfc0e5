import { Injectable } from '@nestjs/common';
import { AuditLog, type Action } from '../audit/index.js';
import { actAs, type Actor } from '../../common/access/index.js';
import { isAccountAlert } from './mails/account-mail.js';
import { AccountMailsService } from './mails/account-mails.service.js';
import { MembershipsRepository } from './memberships.repository.js';
import type { UserEntity } from './user.entity.js';

type UserAction = Extract<Action, `user.${string}`>;
type User = Pick<UserEntity, 'id' | 'email'>;

/**
 * Records what happens to a user's account in the audit log of every tenant of the user, inside the transaction of the change, and mails the
 * user about changes that an attacker would make.
 */
@Injectable()
export class UserAuditService {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly audit: AuditLog,
    private readonly mails: AccountMailsService,
  ) {}

  /** Records what the current actor did to a user. */
  async record(user: User, action: UserAction): Promise<void> {
    for (const { tenantId } of await this.memberships.listOfUser(user.id))
      await this.audit.record(tenantId, action, user);
    await this.alert(user, action);
  }

  /** Records what the user of a session did to the user's own account. */
  async recordOfSession(userId: string, actor: Actor, action: UserAction): Promise<void> {
    await this.record({ id: userId, email: 'name' in actor ? actor.name : '' }, action);
  }

  /** Records what a user did before the session began, or without one. */
  async recordBySelf(user: User, action: UserAction): Promise<void> {
    for (const { tenantId, role } of await this.memberships.listOfUser(user.id)) {
      const self = { kind: 'user', id: user.id, name: user.email, role, sessionId: null } as const;
      await actAs(self, () => this.audit.record(tenantId, action, user));
    }
    await this.alert(user, action);
  }

  private async alert(user: User, action: UserAction): Promise<void> {
    if (isAccountAlert(action)) await this.mails.alert(user, action);
  }
}
