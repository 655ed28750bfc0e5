import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../common/database/index.js';
import { AccessTokenEntity } from '../access-tokens/access-token.entity.js';
import { InvitationEntity } from '../members/invitations/invitation.entity.js';
import { UserIdentityEntity } from '../oidc/identities/user-identity.entity.js';
import { SecondFactorEntity } from '../second-factor/second-factor.entity.js';
import { LoginLinkEntity } from '../sign-in/login-link.entity.js';

/** Everything besides sessions that lets somebody act as a user, or act for long on what a user did. */
@Injectable()
export class AddressProofsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Deletes persons who sign in as the user, the second factor, log-in links, the access tokens that the user made, and open invitations. */
  async deleteAttached(userId: string): Promise<void> {
    await this.tx.repository(UserIdentityEntity).delete({ userId });
    await this.tx.repository(SecondFactorEntity).delete({ userId });
    await this.tx.repository(LoginLinkEntity).delete({ userId });
    await this.tx.repository(AccessTokenEntity).delete({ createdBy: userId });
    await this.tx.repository(InvitationEntity).delete({ invitedBy: userId });
  }
}
