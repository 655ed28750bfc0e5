import { Injectable } from '@nestjs/common';
import { Clock, DAY_MS } from '../../common/system/index.js';
import { Hook, newRow, Transactions } from '../../common/database/index.js';
import { Sealer } from '../../common/sealing/index.js';
import type { ComposedMail } from './compose.js';
import type { MailEntity, MailState } from './mail.entity.js';
import { MailRepository, type DueMail, type MailAttempt } from './mail.repository.js';

/** Time for which the outbox keeps the row of a finished mail. */
const KEPT_MS = 30 * DAY_MS;

/** A mail to one address. */
export interface NewMail extends ComposedMail {
  /** Kind of the mail, such as `notification`, and the row of its owner that it is about: both come back in each `MailOutcome`. */
  readonly purpose: string;
  readonly aboutId: string;
  /** The tenant in whose name the mail is sent, if any, for its log lines. */
  readonly tenantId?: string;
  readonly to: string;
  /** URL that stops mails of this kind at a POST, without a session (RFC 8058); https only. */
  readonly unsubscribe?: string;
  /** Hands it over no earlier; at once when absent. */
  readonly notBefore?: Date;
  /** When the mail becomes useless, for example because its link expires: it is given up then. */
  readonly expiresAt?: Date;
}

/** Outcome of an attempt, or of the wait for one. A mail that is still `waiting` is tried again. */
export interface MailOutcome {
  readonly mailId: string;
  readonly purpose: string;
  readonly aboutId: string;
  readonly state: MailState;
  readonly attempts: number;
  /** The three digits of the mail server's refusal, and a code such as `ECONNECTION`; never the server's text. */
  readonly status: number | null;
  readonly error: string | null;
  readonly at: Date;
}

/** Content of a mail, unsealed. */
export type MailContent = ComposedMail & Pick<NewMail, 'to' | 'unsubscribe'>;

const purposeOf = (id: string): string => `mail:${id}`;

/** Mails waiting to be sent. Each is added inside the transaction of the change that it is about. */
@Injectable()
export class OutboxService {
  /** Runs inside the transaction that adds mails. */
  readonly added = new Hook<void>();
  /** Runs inside the transaction that records how attempts ended, so that the mails' owners can record it too. */
  readonly attempted = new Hook<readonly MailOutcome[]>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly mails: MailRepository,
    private readonly sealer: Sealer,
  ) {}

  /** Adds a mail inside the current transaction: it is sent if that commits. @returns the mail's id */
  async add(mail: NewMail): Promise<string> {
    const [id] = await this.addAll([mail]);
    if (id === undefined) throw new Error('One mail has one id');
    return id;
  }

  /** Adds mails with one statement. @returns their ids, in their order */
  async addAll(mails: readonly NewMail[]): Promise<readonly string[]> {
    if (mails.length === 0) return [];
    const rows = await Promise.all(mails.map((mail) => this.rowOf(mail)));
    await this.mails.insert(rows);
    await this.added.run();
    return rows.map(({ id }) => id);
  }

  /** Counts the mails about a row that were added from a time on. */
  countSince(purpose: string, aboutId: string, from: Date): Promise<number> {
    return this.mails.countSince(purpose, aboutId, from);
  }

  /** Withdraws mails that still wait. One that is being handed over right now still arrives, and is not tried again. */
  async withdraw(purpose: string, aboutIds: readonly string[]): Promise<void> {
    if (aboutIds.length > 0) await this.mails.deleteWaiting(purpose, aboutIds);
  }

  /** Unseals a mail for the mail server. @throws CannotUnseal */
  async open({ id, sealed }: DueMail): Promise<MailContent> {
    return (await this.sealer.unseal(sealed, purposeOf(id))) as MailContent;
  }

  /**
   * Records how attempts ended, here and at the mails' owners, and frees mails that were not tried.
   * @returns the outcomes, without those of mails whose work lock was lost: of these nothing was written
   */
  async recordResults(attempts: readonly MailAttempt[], rest: readonly DueMail[]): Promise<readonly MailOutcome[]> {
    const at = this.clock.now();
    return this.tx.run(async () => {
      const written = await this.mails.recordResults(attempts, at);
      const recorded = attempts.filter(({ mail }) => written.includes(mail.id));
      const outcomes = recorded.map(({ mail: { id: mailId, purpose, aboutId, attempts: before }, ...result }) => {
        const { state, status, error } = result;
        return { mailId, purpose, aboutId, state, attempts: before + 1, status, error, at };
      });
      await this.attempted.run(outcomes);
      await this.mails.locks.giveBackAll(rest);
      return outcomes;
    });
  }

  /** Gives up mails that have become useless, and deletes the records of old ones. */
  async clean(): Promise<void> {
    const at = this.clock.now();
    await this.tx.run(async () => {
      const expired = { state: 'undelivered', status: null, error: 'expired', at } as const;
      const mails = await this.mails.giveUpExpired(at);
      await this.attempted.run(mails.map(({ id: mailId, ...mail }) => ({ ...mail, mailId, ...expired })));
    });
    await this.mails.deleteFinishedBefore(new Date(at.getTime() - KEPT_MS));
  }

  private async rowOf({ purpose, aboutId, tenantId, expiresAt, notBefore, ...content }: NewMail): Promise<MailEntity> {
    const row = newRow(this.clock.now());
    return {
      ...row,
      tenantId: tenantId ?? null,
      purpose,
      aboutId,
      state: 'waiting',
      sealed: await this.sealer.seal(content satisfies MailContent, purposeOf(row.id)),
      expiresAt: expiresAt ?? null,
      attempts: 0,
      firstTriedAt: null,
      nextTryAt: notBefore ?? row.createdAt,
      lastStatus: null,
      lastError: null,
      leaseToken: null,
      leaseUntil: null,
    };
  }
}
