import { Injectable } from '@nestjs/common';
import { actAs, addToWorkContext, RateLimits, type SessionCaller } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { newRow, Transactions } from '../../../common/database/index.js';
import { digestOf, isSecret, newSecret } from '../../../common/fields/index.js';
import { Clock, MINUTE_MS, MINUTE_SECONDS } from '../../../common/system/index.js';
import { SessionsService, UserAuditService } from '../../accounts/index.js';
import { AuthService, type NewSession } from '../auth.service.js';
import type { BeginCliLogin, BegunCliLogin, DecisionForm } from './cli-login.dto.js';
import type { CliLoginEntity } from './cli-login.entity.js';
import { CliLoginDenied, CliLoginExpired, CliLoginPending } from './cli-login.problems.js';
import { CliLoginsRepository } from './cli-logins.repository.js';
import { newUserCode, readUserCode } from './user-code.js';

const LIFETIME_MINUTES = 10;
const INTERVAL_SECONDS = 3;
/** Codes that a person may try within the lifetime of one, out of 25 billion. */
const CODES_PER_PERSON = { name: 'cli-login-codes', points: 20, withinSeconds: LIFETIME_MINUTES * MINUTE_SECONDS };

/** The path of the page on which a person decides, without the leading slash. */
export const CLI_LOGIN_PATH = 'cli-login';

/**
 * Log-ins of programs at a shell, which a person approves in a browser, as in RFC 8628: the program keeps a secret, the person compares a
 * short code, and the program then fetches its own session, once.
 */
@Injectable()
export class CliLoginsService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly limits: RateLimits,
    private readonly logins: CliLoginsRepository,
    private readonly sessions: SessionsService,
    private readonly auth: AuthService,
    private readonly audit: UserAuditService,
  ) {}

  /** Begins a log-in. It belongs to nobody until a person approves it. */
  async begin({ name = null }: BeginCliLogin): Promise<BegunCliLogin> {
    const deviceCode = newSecret();
    const userCode = newUserCode();
    const now = this.clock.now();
    await this.logins.deleteExpired(now);
    await this.logins.insert({
      ...newRow(now),
      deviceCodeDigest: digestOf(deviceCode),
      userCodeDigest: digestOf(userCode),
      name,
      expiresAt: new Date(now.getTime() + LIFETIME_MINUTES * MINUTE_MS),
      sessionId: null,
      deniedAt: null,
    });
    const verificationUrl = `${this.config.publicUrl}/${CLI_LOGIN_PATH}`;
    return {
      deviceCode,
      userCode,
      verificationUrl,
      verificationUrlComplete: `${verificationUrl}?code=${userCode}`,
      expiresIn: LIFETIME_MINUTES * MINUTE_SECONDS,
      interval: INTERVAL_SECONDS,
    };
  }

  /**
   * Finds a log-in that a person may approve or deny.
   * @param typed the code as the person typed it
   */
  async find({ userId }: SessionCaller, typed: string): Promise<CliLoginEntity> {
    await this.limits.consume(CODES_PER_PERSON, userId);
    const code = readUserCode(typed);
    const login = code === null ? null : await this.logins.findUndecided(digestOf(code), this.clock.now());
    if (login === null) throw new CliLoginExpired();
    return login;
  }

  /** Approves or denies a log-in. Only the first decision counts. */
  async decide(caller: SessionCaller, { userCode, decision }: DecisionForm): Promise<void> {
    const { userId, sessionId, actor, tenantId } = caller;
    addToWorkContext({ tenantId, actor });
    const { id } = await this.find(caller, userCode);
    const now = this.clock.now();
    const decided =
      decision === 'approve'
        ? { sessionId, deniedAt: null, updatedAt: now }
        : { sessionId: null, deniedAt: now, updatedAt: now };
    await this.tx.run(async () => {
      if (!(await this.logins.decide(id, decided, now))) throw new CliLoginExpired();
      const action = decision === 'approve' ? 'user.cli_login_approved' : 'user.cli_login_denied';
      await actAs(actor, () => this.audit.recordOfSession(userId, actor, action));
    });
  }

  /** Begins the program's own session, at the tenant of the session in which the person approved. Works once. */
  async finish(deviceCode: string): Promise<NewSession> {
    if (!isSecret(deviceCode)) throw new CliLoginExpired();
    const digest = digestOf(deviceCode);
    return this.tx.run(async () => {
      const taken = await this.logins.take(digest, this.clock.now());
      if (taken === null) throw await this.refusalOf(digest);
      const { sessionId, name } = taken;
      const approving = await this.sessions.findById(sessionId);
      if (approving === null) throw new CliLoginExpired();
      const { userId, tenantId, secondFactorAt } = approving;
      return this.auth.begin(userId, { tenantId, secondFactorAt, name });
    });
  }

  private async refusalOf(deviceCodeDigest: string): Promise<Error> {
    const login = await this.logins.find(deviceCodeDigest, this.clock.now());
    if (login === null || login.sessionId !== null) return new CliLoginExpired();
    return login.deniedAt === null ? new CliLoginPending() : new CliLoginDenied();
  }
}
