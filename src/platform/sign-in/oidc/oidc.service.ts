import { Injectable, Logger } from '@nestjs/common';
import { actAs, type Caller } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { Transactions } from '../../../common/database/index.js';
import { equalsInConstantTime } from '../../../common/fields/index.js';
import { AddressProofsService, SessionsService, UserAuditService } from '../../accounts/index.js';
import { AuthService, type NewSession } from '../auth.service.js';
import type { ProviderClaims } from './admission.js';
import { AdmissionsService } from './admissions.service.js';
import { SignInExpired } from './oidc.problems.js';
import { OpenIdProvider } from './openid-provider.js';
import { safeReturnTo } from './return-to.js';
import type { PendingSignIn } from './sign-in-cookie.js';
import { UserIdentitiesRepository } from './identities/user-identities.repository.js';

/** A sign-in that has begun: where to send the browser, and what it keeps. */
export interface BegunSignIn {
  readonly url: string;
  readonly pending: PendingSignIn;
}

/** A sign-in that has ended: where to send the browser, and its new session; null after linking. */
export interface FinishedSignIn {
  readonly url: string;
  readonly session: NewSession | null;
}

/** Sign-in through the OpenID provider of the settings. */
@Injectable()
export class OidcService {
  private readonly log = new Logger(OidcService.name);

  constructor(
    private readonly config: Config,
    private readonly tx: Transactions,
    private readonly provider: OpenIdProvider,
    private readonly identities: UserIdentitiesRepository,
    private readonly admissions: AdmissionsService,
    private readonly auth: AuthService,
    private readonly sessions: SessionsService,
    private readonly audit: UserAuditService,
    private readonly proofs: AddressProofsService,
  ) {}

  /** Begins a sign-in, or with `linkTo` the linking of a user who is logged in. */
  async begin(returnTo: string | undefined, linkTo: string | null = null): Promise<BegunSignIn> {
    if (linkTo !== null) await this.proofs.refuseUnproven(linkTo);
    const { url, ...checks } = await this.provider.begin();
    return { url, pending: { ...checks, returnTo: safeReturnTo(returnTo), linkTo } };
  }

  /**
   * Ends a sign-in with a session, or the linking of a user without one.
   * @param query of the callback
   * @param pending what the browser kept; null when it kept nothing
   * @param sessionSecret of the session of the browser, if it has one
   */
  async finish(
    query: string,
    pending: PendingSignIn | null,
    sessionSecret: string | undefined,
  ): Promise<FinishedSignIn> {
    if (pending === null || !hasState(query, pending.state)) throw new SignInExpired();
    const { returnTo, linkTo } = pending;
    const linking = linkTo === null ? null : ((await this.sessions.find(sessionSecret))?.caller ?? null);
    if (linkTo !== (linking?.userId ?? null)) throw new SignInExpired();
    const claims = await this.provider.finish(query, pending);
    const url = this.config.publicUrl + returnTo;
    if (linking === null) return { url, session: await this.auth.begin(await this.admissions.admit(claims)) };
    this.admissions.refuseByDomain(claims);
    await actAs(linking.actor, () => this.link(linking, claims));
    this.log.log({ msg: 'user linked to a person of the identity provider', userId: linkTo });
    return { url, session: null };
  }

  private link({ userId, sessionId, tenantId, actor }: Caller, claims: ProviderClaims): Promise<void> {
    return this.tx.run(async () => {
      if (userId === null || sessionId === null) throw new Error('A session has a user');
      // If somebody proves the address meanwhile, that ends the session, and with it the linking.
      await this.sessions.lockAtTenant({ sessionId, tenantId });
      await this.identities.link(userId, claims);
      await this.audit.recordOfSession(userId, actor, 'user.identity_linked');
    });
  }
}

/** Whether a callback carries the state of the sign-in that this browser began. */
const hasState = (query: string, state: string): boolean =>
  equalsInConstantTime(new URLSearchParams(query).get('state') ?? '', state);
