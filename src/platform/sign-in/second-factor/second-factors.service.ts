import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RateLimits, type SessionCaller } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { newRow, Transactions } from '../../../common/database/index.js';
import { digestOf } from '../../../common/fields/index.js';
import { SecondFactorRequired } from '../../../common/problems/index.js';
import { Sealer } from '../../../common/sealing/index.js';
import { Clock, MINUTE_MS, MINUTE_SECONDS } from '../../../common/system/index.js';
import {
  AddressProofsService,
  PasswordsService,
  SessionsRepository,
  UserAuditService,
  type UserEntity,
} from '../../accounts/index.js';
import { foldRecoveryCode, newRecoveryCodes } from './recovery-codes.js';
import type {
  BeginSecondFactor,
  DisableSecondFactor,
  NewSecondFactor,
  RecoveryCodes,
  SecondFactorCode,
  SecondFactorShown,
  SecondFactorStatus,
} from './second-factor.dto.js';
import type { SecondFactorEntity } from './second-factor.entity.js';
import { SecondFactorActive, SecondFactorInvalid, SecondFactorMissing } from './second-factor.problems.js';
import { SecondFactorsRepository } from './second-factors.repository.js';
import { isTotpCode, newTotpSecret, stepOfCode, totpUrl } from './totp.js';

/** Time for which a session need not show the second factor again. */
const SHOWN_MS = 15 * MINUTE_MS;
const GUESSES = 'second-factor';
const GUESSES_WITHIN_SECONDS = 15 * MINUTE_SECONDS;

const purposeOf = (id: string): string => `second-factor:${id}`;

/** Authenticator apps: their setup, and their codes at log-in and before actions that require a recent one. */
@Injectable()
export class SecondFactorsService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly limits: RateLimits,
    private readonly sealer: Sealer,
    private readonly passwords: PasswordsService,
    private readonly sessions: SessionsRepository,
    private readonly factors: SecondFactorsRepository,
    private readonly audit: UserAuditService,
    private readonly proofs: AddressProofsService,
  ) {}

  onModuleInit(): void {
    this.proofs.provenFirst.add(({ id }) => this.factors.deleteOf(id));
  }

  /** Shows whether log-in asks the user for a code. */
  async show({ userId }: SessionCaller): Promise<SecondFactorStatus> {
    const factor = await this.factors.findConfirmed(userId);
    if (factor === null) return { enabled: false, confirmedAt: null, recoveryCodesLeft: 0 };
    const recoveryCodesLeft = await this.factors.countRecoveryCodes(factor.id);
    return { enabled: true, confirmedAt: factor.confirmedAt, recoveryCodesLeft };
  }

  /** Makes a secret for an app, which a code must confirm. */
  async begin(caller: SessionCaller, { password }: BeginSecondFactor, address: string): Promise<NewSecondFactor> {
    const { id: userId, email } = await this.passwords.check(caller, password, address);
    await this.proofs.refuseUnproven(userId);
    const secret = await newTotpSecret();
    const row = newRow(this.clock.now());
    const sealed = await this.sealer.seal(secret, purposeOf(row.id));
    await this.tx.run(() => this.factors.begin({ ...row, userId, sealed, confirmedAt: null, lastStep: 0 }));
    return { secret, otpauthUrl: await totpUrl(secret, email) };
  }

  /** Confirms that the app has the secret: log-in asks for a code from now on. */
  async confirm({ userId, sessionId, actor }: SessionCaller, { code }: SecondFactorCode): Promise<RecoveryCodes> {
    const factor = await this.factors.findPending(userId);
    if (factor === null) throw new SecondFactorMissing();
    await this.countGuess(userId);
    const step = await this.stepOf(factor, code);
    if (step === null) throw new SecondFactorInvalid();
    const recoveryCodes = await this.tx.run(async () => {
      const now = this.clock.now();
      if (!(await this.factors.confirm(factor.id, step, now))) throw new SecondFactorActive();
      await this.sessions.setSecondFactorAt(sessionId, now);
      await this.audit.recordOfSession(userId, actor, 'user.second_factor_enabled');
      return this.replaceRecoveryCodes(factor.id);
    });
    await this.forgetGuesses(userId);
    return { recoveryCodes };
  }

  /** Records that the session has shown the second factor. */
  async verify({ userId, sessionId }: SessionCaller, { code }: SecondFactorCode): Promise<SecondFactorShown> {
    await this.spend(await this.factorOf(userId), code);
    const now = this.clock.now();
    await this.sessions.setSecondFactorAt(sessionId, now);
    return { validUntil: new Date(now.getTime() + SHOWN_MS) };
  }

  /** Makes new recovery codes; the old ones stop working. */
  async renewRecoveryCodes({ userId, actor }: SessionCaller): Promise<RecoveryCodes> {
    const { id } = await this.factorOf(userId);
    return this.tx.run(async () => {
      await this.audit.recordOfSession(userId, actor, 'user.recovery_codes_renewed');
      return { recoveryCodes: await this.replaceRecoveryCodes(id) };
    });
  }

  /** Removes the second factor. */
  async disable(caller: SessionCaller, { password, code }: DisableSecondFactor, address: string): Promise<void> {
    const user = await this.passwords.check(caller, password, address);
    const factor = await this.factorOf(caller.userId);
    await this.spend(factor, code);
    await this.tx.run(async () => {
      if (!(await this.factors.delete(factor.id))) throw new SecondFactorMissing();
      await this.audit.record(user, 'user.second_factor_disabled');
    });
  }

  /** Removes a user's second factor and ends all sessions, for the operator. @returns false when the user has none */
  remove(user: UserEntity): Promise<boolean> {
    return this.tx.run(async () => {
      const factor = await this.factors.findConfirmed(user.id);
      if (factor === null || !(await this.factors.delete(factor.id))) return false;
      await this.sessions.deleteAllOf(user.id);
      await this.audit.record(user, 'user.second_factor_disabled');
      return true;
    });
  }

  /**
   * Asks a user whose password was right for the second factor.
   * @returns when it was shown; null for a user who has none
   */
  async askAtLogin(userId: string, code: string | undefined): Promise<Date | null> {
    const factor = await this.factors.findConfirmed(userId);
    if (factor === null) return null;
    if (code === undefined) throw new SecondFactorRequired();
    await this.spend(factor, code);
    return this.clock.now();
  }

  /** Checks that a user with a second factor has shown it in this session within 15 minutes. */
  async enforceShown(userId: string, sessionId: string): Promise<void> {
    if ((await this.factors.findConfirmed(userId)) === null) return;
    const shownAt = await this.sessions.secondFactorAt(sessionId);
    if (shownAt === null || this.clock.now().getTime() - shownAt.getTime() >= SHOWN_MS)
      throw new SecondFactorRequired();
  }

  private async factorOf(userId: string): Promise<SecondFactorEntity> {
    const factor = await this.factors.findConfirmed(userId);
    if (factor === null) throw new SecondFactorMissing();
    return factor;
  }

  /** Uses up a code. */
  private async spend(factor: SecondFactorEntity, code: string): Promise<void> {
    await this.countGuess(factor.userId);
    const isAccepted = isTotpCode(code)
      ? await this.spendTotp(factor, code)
      : await this.factors.spendRecoveryCode(factor.id, digestOf(foldRecoveryCode(code)));
    if (!isAccepted) throw new SecondFactorInvalid();
    await this.forgetGuesses(factor.userId);
  }

  private async spendTotp(factor: SecondFactorEntity, code: string): Promise<boolean> {
    const step = await this.stepOf(factor, code);
    return step !== null && this.factors.spendStep(factor.id, step, this.clock.now());
  }

  private async stepOf({ id, sealed }: SecondFactorEntity, code: string): Promise<number | null> {
    if (!isTotpCode(code)) return null;
    const secret = (await this.sealer.unseal(sealed, purposeOf(id))) as string;
    return stepOfCode(secret, code, this.clock.now());
  }

  /** Replaces the recovery codes inside the current transaction. */
  private async replaceRecoveryCodes(secondFactorId: string): Promise<readonly string[]> {
    const codes = newRecoveryCodes();
    const now = this.clock.now();
    const rows = codes.map((code) => ({ ...newRow(now), secondFactorId, digest: digestOf(foldRecoveryCode(code)) }));
    await this.factors.replaceRecoveryCodes(secondFactorId, rows);
    return codes;
  }

  /** Counts a guess before it is made, from all addresses together: there are only a million codes. */
  private async countGuess(userId: string): Promise<void> {
    const points = this.config.rateLimitLoginPerEmail;
    await this.limits.consume({ name: GUESSES, points, withinSeconds: GUESSES_WITHIN_SECONDS }, userId);
  }

  private async forgetGuesses(userId: string): Promise<void> {
    await this.limits.reset({ name: GUESSES, withinSeconds: GUESSES_WITHIN_SECONDS }, userId);
  }
}
