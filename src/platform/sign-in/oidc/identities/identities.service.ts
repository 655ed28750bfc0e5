import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { SessionCaller } from '../../../../common/access/index.js';
import { Config } from '../../../../common/config/index.js';
import { Transactions } from '../../../../common/database/index.js';
import { pageFrom, type Page, type PageQuery } from '../../../../common/fields/index.js';
import {
  AccountsRepository,
  AddressProofsService,
  PasswordLoginService,
  SessionsService,
  UserAuditService,
} from '../../../accounts/index.js';
import type { LinkedIdentity } from './identities.dto.js';
import { IdentityNotFound, OnlyWayIn } from './identities.problems.js';
import { isOnlyWayIn } from './only-way-in.js';
import { UserIdentitiesRepository } from './user-identities.repository.js';

/** The persons of identity providers who sign in as a user. */
@Injectable()
export class IdentitiesService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly tx: Transactions,
    private readonly accounts: AccountsRepository,
    private readonly passwordLogin: PasswordLoginService,
    private readonly identities: UserIdentitiesRepository,
    private readonly sessions: SessionsService,
    private readonly audit: UserAuditService,
    private readonly proofs: AddressProofsService,
  ) {}

  onModuleInit(): void {
    this.proofs.provenFirst.add(({ id }) => this.identities.deleteOf(id));
  }

  /** Lists the caller's, newest first. */
  list({ userId }: SessionCaller, query: PageQuery): Promise<Page<LinkedIdentity>> {
    const { oidcIssuer } = this.config;
    return pageFrom(
      query,
      (start) => this.identities.list(userId, start),
      ({ id, issuer, subject, createdAt }) => ({ id, issuer, subject, active: issuer === oidcIssuer, createdAt }),
    );
  }

  /** Unlinks one of the caller's, and ends all other sessions: one of them may be the person's. */
  async unlink({ userId, sessionId, actor }: SessionCaller, id: string): Promise<void> {
    const { passwordHash } = await this.accounts.getUser(userId);
    const hasPassword = passwordHash !== null && (await this.passwordLogin.isOn());
    await this.tx.run(async () => {
      const linked = await this.identities.listAll(userId);
      if (!linked.some((one) => one.id === id)) throw new IdentityNotFound();
      if (isOnlyWayIn(id, linked, { hasPassword, oidcIssuer: this.config.oidcIssuer })) throw new OnlyWayIn();
      if (!(await this.identities.delete(id))) throw new IdentityNotFound();
      await this.sessions.endOthers(userId, sessionId);
      await this.audit.recordOfSession(userId, actor, 'user.identity_unlinked');
    });
  }
}
