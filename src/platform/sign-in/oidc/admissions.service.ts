import { Injectable } from '@nestjs/common';
import { Config } from '../../../common/config/index.js';
import { onConstraint, Transactions } from '../../../common/database/index.js';
import type { ProblemClass } from '../../../common/problems/index.js';
import {
  AccountsRepository,
  AccountsService,
  InvitationsService,
  MembershipsRepository,
  UserAuditService,
} from '../../accounts/index.js';
import { SecondFactorsRepository } from '../second-factor/index.js';
import {
  decideAdmission,
  refusalByDomain,
  type AdmissionFacts,
  type ProviderClaims,
  type Refusal,
} from './admission.js';
import { AccountNotLinked, DomainNotAllowed, EmailNotVerified, NotInvited, SignInExpired } from './oidc.problems.js';
import { UserIdentitiesRepository } from './identities/user-identities.repository.js';

const REFUSALS: Readonly<Record<Refusal, ProblemClass>> = {
  email_not_verified: EmailNotVerified,
  domain_not_allowed: DomainNotAllowed,
  account_not_linked: AccountNotLinked,
  not_invited: NotInvited,
};

/** Finds the user for a person whom the identity provider has authenticated: loads the facts for `decideAdmission`, and carries out its decision. */
@Injectable()
export class AdmissionsService {
  constructor(
    private readonly config: Config,
    private readonly tx: Transactions,
    private readonly identities: UserIdentitiesRepository,
    private readonly accounts: AccountsService,
    private readonly accountsRepository: AccountsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly secondFactors: SecondFactorsRepository,
    private readonly invitations: InvitationsService,
    private readonly audit: UserAuditService,
  ) {}

  /** Finds or makes the user that a person signs in as. */
  async admit(claims: ProviderClaims): Promise<string> {
    const userId = await this.userOf(claims);
    await this.joinIfWithoutTenant(userId, claims);
    return userId;
  }

  /** Refuses a person whose address is not in an allowed domain. */
  refuseByDomain({ verifiedEmail }: ProviderClaims): void {
    const refusal = refusalByDomain(verifiedEmail, this.config.oidcAllowedDomains);
    if (refusal !== null) throw new REFUSALS[refusal]();
  }

  private async userOf(claims: ProviderClaims): Promise<string> {
    const linkedUserId = await this.identities.findUserId(claims);
    if (linkedUserId !== null) return this.carryOut(claims, { linkedUserId, account: null, isInvited: false });
    return this.tx.run(async () => {
      // Two simultaneous first sign-ins of one person must create one user.
      await this.accountsRepository.lockSignup();
      return this.carryOut(claims, await this.factsOf(claims));
    });
  }

  /** Accepts the invitations of a user without a tenant, who could not log in to accept them. */
  private async joinIfWithoutTenant(userId: string, { verifiedEmail }: ProviderClaims): Promise<void> {
    if (verifiedEmail === null || (await this.memberships.listOfUser(userId)).length > 0) return;
    await onConstraint(() => this.invitations.acceptVerified(verifiedEmail, userId), {
      membership_user_id_fkey: () => new SignInExpired(),
    });
  }

  private async factsOf(claims: ProviderClaims): Promise<AdmissionFacts> {
    const { issuer, verifiedEmail } = claims;
    const linkedUserId = await this.identities.findUserId(claims);
    const user = verifiedEmail === null ? null : await this.accountsRepository.findUserByEmail(verifiedEmail);
    const isInvited = verifiedEmail !== null && (await this.invitations.isInvited(verifiedEmail));
    if (user === null) return { linkedUserId, account: null, isInvited };
    const account = {
      userId: user.id,
      isEmailProven: user.emailVerifiedAt !== null,
      hasSecondFactor: (await this.secondFactors.findConfirmed(user.id)) !== null,
      isLinked: await this.identities.isLinked(user.id, issuer),
    };
    return { linkedUserId, account, isInvited };
  }

  private async carryOut(claims: ProviderClaims, facts: AdmissionFacts): Promise<string> {
    const { oidcAllowedDomains: allowedDomains, oidcSignup: signup } = this.config;
    const admission = decideAdmission(claims, facts, { allowedDomains, signup });
    switch (admission.step) {
      case 'refuse':
        throw new REFUSALS[admission.because]();
      case 'begin_session':
        return admission.userId;
      case 'link':
        await this.identities.link(admission.userId, claims);
        await this.audit.recordBySelf(
          { id: admission.userId, email: claims.verifiedEmail ?? '' },
          'user.identity_linked',
        );
        return admission.userId;
      case 'join': {
        const userId = await this.accounts.addVerifiedUser(admission.email);
        await this.invitations.acceptVerified(admission.email, userId);
        await this.identities.link(userId, claims);
        return userId;
      }
      case 'create_tenant': {
        const { user } = await this.accounts.addVerifiedUserWithTenant(admission.email);
        await this.identities.link(user.id, claims);
        return user.id;
      }
    }
  }
}
