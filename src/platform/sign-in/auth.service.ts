import { Injectable } from '@nestjs/common';
import type { SessionCaller } from '../../common/access/index.js';
import { Transactions } from '../../common/database/index.js';
import { AccessTokensService, type ExchangedToken } from '../access/index.js';
import {
  AccountsService,
  LoginRefusalsService,
  type Me,
  PasswordLoginService,
  SessionsService,
  type SessionStart,
  type Signup,
  type UserEntity,
} from '../accounts/index.js';
import type { SignInMethods } from './oidc/oidc.dto.js';
import { OpenIdProvider } from './oidc/openid-provider.js';
import { SecondFactorInvalid } from './second-factor/second-factor.problems.js';
import { SecondFactorsService } from './second-factor/second-factors.service.js';
import type { Login, SwitchTenant } from './auth.dto.js';

/** A user who has just logged in, and the secret of the session for the cookie. */
export interface NewSession {
  readonly me: Me;
  readonly secret: string;
}

/** Sign-up, log-in and log-out of a person in a browser. */
@Injectable()
export class AuthService {
  constructor(
    private readonly tx: Transactions,
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsService,
    private readonly tokens: AccessTokensService,
    private readonly passwordLogin: PasswordLoginService,
    private readonly provider: OpenIdProvider,
    private readonly secondFactors: SecondFactorsService,
    private readonly refusals: LoginRefusalsService,
  ) {}

  /** Creates a tenant with its first user, and a session. */
  async signUp(input: Signup): Promise<NewSession> {
    return this.begin((await this.accounts.signUp(input)).user.id);
  }

  /** Begins a session. */
  async logIn(input: Login, address: string): Promise<NewSession> {
    const user = await this.accounts.authenticate(input, address);
    const secondFactorAt = await this.askSecondFactor(user, input.code);
    return this.tx.run(async () => {
      // Replacing the password ends all sessions; without the lock, one that begins at the same time would survive.
      await this.accounts.lockPassword(user.id, user.passwordHash);
      return this.begin(user.id, { secondFactorAt });
    });
  }

  /** Begins a session of a user who was authenticated, by default at the tenant joined first. */
  begin(userId: string, { tenantId, ...start }: SessionStart & { tenantId?: string } = {}): Promise<NewSession> {
    return this.tx.run(async () => {
      const me = await this.accounts.getMeForKeyShare(userId, tenantId);
      return { me, secret: await this.sessions.begin(userId, me.tenant.id, start) };
    });
  }

  /** Lists the ways to log in. */
  async methods(): Promise<SignInMethods> {
    const password = await this.passwordLogin.isOn();
    return {
      password,
      signup: password && (await this.accounts.isSignupOpen()),
      firstRun: await this.accounts.isFirstRun(),
      oidc: this.provider.name,
    };
  }

  /** Shows the caller's user and tenant. */
  me({ userId, tenantId }: SessionCaller): Promise<Me> {
    return this.accounts.me(userId, tenantId);
  }

  /** Ends the caller's session, and with it the tokens it was exchanged for. */
  logOut(caller: SessionCaller): Promise<void> {
    return this.sessions.end(caller);
  }

  /** Exchanges the caller's session for a short-lived access token. */
  exchange(caller: SessionCaller): Promise<ExchangedToken> {
    return this.tx.run(async () => {
      await this.sessions.lockAtTenant(caller);
      return this.tokens.exchange(caller);
    });
  }

  /** Switches the caller's session to another tenant of the user, and revokes the tokens that it was exchanged for. */
  async switchTenant(caller: SessionCaller, { tenantId }: SwitchTenant): Promise<Me> {
    await this.tx.run(async () => {
      await this.sessions.switchTenant(caller, tenantId);
      await this.tokens.revokeOfSession(caller.sessionId);
    });
    return this.accounts.me(caller.userId, tenantId);
  }

  private async askSecondFactor(user: UserEntity, code: string | undefined): Promise<Date | null> {
    try {
      return await this.secondFactors.askAtLogin(user.id, code);
    } catch (refused) {
      if (refused instanceof SecondFactorInvalid) this.refusals.note(user);
      throw refused;
    }
  }
}
