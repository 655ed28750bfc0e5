import { createHmac } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { actAs } from '../../../../common/access/index.js';
import { Config } from '../../../../common/config/index.js';
import { newRow, Transactions } from '../../../../common/database/index.js';
import { digestOf, isSecret } from '../../../../common/fields/index.js';
import { BackgroundTasks } from '../../../../common/jobs/index.js';
import { Clock, MINUTE_MS } from '../../../../common/system/index.js';
import { composeMail, MailLimitsService, OutboxService } from '../../../mail/index.js';
import { AccountsRepository } from '../../accounts.repository.js';
import { AddressProofsService } from '../../address-proofs.service.js';
import { UserAuditService } from '../../user-audit.service.js';
import { hashPassword } from '../password-hash.js';
import { PasswordResetsRepository, type NewReset } from './password-resets.repository.js';
import type { RequestReset, ResetPassword } from '../passwords.dto.js';
import { MailNotConfigured, ResetLinkInvalid } from '../passwords.problems.js';
import { PasswordsService } from '../passwords.service.js';

const PURPOSE = 'password-reset';
const LINK_MINUTES = 30;
const AGAIN_MS = 5 * MINUTE_MS;

/** Somebody else may have made the account. */
const FIRST_PROOF =
  'The link also confirms your address. It ends everything that was attached to the account before: sign-in through an identity provider, the second factor, access tokens, and open invitations.';

/** The path of the page that a link opens, without the leading slash. */
export const RESET_PAGE_PATH = 'account/reset-password';

/** Mails links by which users set a new password, and sets it. */
@Injectable()
export class PasswordResetsService implements BeforeApplicationShutdown {
  private readonly mailing = new BackgroundTasks(PasswordResetsService.name);

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly limits: MailLimitsService,
    private readonly accounts: AccountsRepository,
    private readonly passwords: PasswordsService,
    private readonly proofs: AddressProofsService,
    private readonly resets: PasswordResetsRepository,
    private readonly outbox: OutboxService,
    private readonly audit: UserAuditService,
  ) {}

  /**
   * Mails a link if a user has the address. The user is looked up after the answer, so that neither the answer nor its timing depends on it.
   * @throws MailNotConfigured, RateLimited for every address alike
   */
  async request({ email }: RequestReset): Promise<void> {
    if (this.config.smtpUrl === undefined) throw new MailNotConfigured();
    await this.limits.countLink('password-resets', email);
    this.mailing.start('a link for a new password was not mailed', () =>
      actAs({ kind: 'unknown' }, () => this.mail(email)),
    );
  }

  /** Sets the password of a link's user; the link has also proven the address, which ends all sessions. */
  async reset({ token, newPassword }: ResetPassword): Promise<void> {
    const digest = digestOf(token);
    const userId = isSecret(token) ? await this.resets.findUser(digest, this.clock.now()) : null;
    if (userId === null) throw new ResetLinkInvalid();
    await this.passwords.refuseGuessable(userId, newPassword);
    const passwordHash = await hashPassword(newPassword);
    await this.tx.run(async () => {
      const now = this.clock.now();
      if (!(await this.resets.take(digest, now))) throw new ResetLinkInvalid();
      await this.accounts.setPassword(userId, passwordHash, now);
      await this.proofs.prove(userId, now);
      await this.audit.recordBySelf(await this.accounts.getUser(userId), 'user.password_reset');
    });
  }

  /** Resolves when every requested link is in the outbox. */
  async whenIdle(): Promise<void> {
    await this.mailing.whenIdle();
  }

  /** Finishes the links that were requested. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.whenIdle();
  }

  /** The link that was made for a user a moment ago, and may be on its way: it is sent again, so that no mail brings a link that does not work. */
  private async recentOf(userId: string, now: Date): Promise<NewReset | null> {
    const row = await this.resets.findOf(userId, new Date(now.getTime() - AGAIN_MS));
    return row !== null && row.expiresAt > now && digestOf(this.secretOf(row)) === row.secretDigest ? row : null;
  }

  private newReset(userId: string, now: Date): NewReset {
    const row = newRow(now);
    const expiresAt = new Date(now.getTime() + LINK_MINUTES * MINUTE_MS);
    return { ...row, userId, secretDigest: digestOf(this.secretOf(row)), expiresAt };
  }

  /** The secret of a link follows from its id under the instance's own secret, so that it can be sent again, and is stored nowhere. */
  private secretOf({ id }: Pick<NewReset, 'id'>): string {
    return createHmac('sha256', this.config.tokenSecret).update(`${PURPOSE}:${id}`).digest('base64url');
  }

  private async mail(email: string): Promise<void> {
    const user = await this.accounts.findUserByEmail(email);
    if (user === null) return;
    const now = this.clock.now();
    const row = (await this.recentOf(user.id, now)) ?? this.newReset(user.id, now);
    const secret = this.secretOf(row);
    const { expiresAt } = row;
    const mail = composeMail(
      'Set a new password',
      [
        `Open this link within ${Math.floor((expiresAt.getTime() - now.getTime()) / MINUTE_MS)} minutes to set a new password for Pierhead at ${this.config.publicUrl}. It works once, and ends all your sessions.`,
        { button: `${this.config.publicUrl}/${RESET_PAGE_PATH}?token=${secret}`, label: 'Set a new password' },
        ...(this.proofs.isFirstProof(user) ? [FIRST_PROOF] : []),
        'If you did not request this link, ignore this mail: your password stays as it is.',
      ],
      'because a new password was requested for this address',
    );
    await this.tx.run(async () => {
      await this.resets.replace(row);
      // Only the newest link works.
      await this.outbox.withdraw(PURPOSE, [user.id]);
      await this.outbox.add({ purpose: PURPOSE, aboutId: user.id, to: email, expiresAt, ...mail });
      await this.audit.record(user, 'user.password_reset_requested');
    });
  }
}
