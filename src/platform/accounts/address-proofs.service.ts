import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { Hook } from '../../common/database/index.js';
import { SessionsService } from './sessions/sessions.service.js';
import { AddressNotConfirmed } from './accounts.problems.js';
import { AccountsRepository } from './accounts.repository.js';
import type { UserEntity } from './user.entity.js';

type Provable = Pick<UserEntity, 'emailVerifiedAt'>;

/**
 * Whether users receive mail at their addresses. Anybody may sign up with another person's address; what a stranger has attached to such an
 * account must not outlast the moment in which its owner shows up.
 */
@Injectable()
export class AddressProofsService {
  /** Runs when a user proves the address for the first time. Listeners delete what a stranger may have attached to the account before, such as tokens, second factors and invitations. */
  readonly provenFirst = new Hook<Pick<UserEntity, 'id'>>();

  constructor(
    private readonly config: Config,
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsService,
  ) {}

  /** Records that a user has received mail, and ends all sessions; the first time, also everything else that was attached. In a transaction. */
  async prove(userId: string, now: Date): Promise<void> {
    // Sessions first: a request that attaches something holds its session until it has committed.
    await this.sessions.endAll(userId);
    if (await this.accounts.setEmailVerified(userId, now)) await this.provenFirst.run({ id: userId });
  }

  /** Whether the user's next proof is the first, and ends what was attached before. */
  isFirstProof({ emailVerifiedAt }: Provable): boolean {
    return emailVerifiedAt === null;
  }

  /**
   * Refuses to attach a second factor or an identity to an account whose address nobody has proven. Without a mail server there is no proof, and
   * no link by which the owner of the address could take the account.
   */
  async refuseUnproven(userId: string): Promise<void> {
    if (this.config.smtpUrl === undefined) return;
    if (this.isFirstProof(await this.accounts.getUser(userId))) throw new AddressNotConfirmed();
  }
}
