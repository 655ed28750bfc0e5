import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Clock } from '../common/system/index.js';
import { Hook, IS_UNLEASED, Leases, newRow, Transactions, type Lease } from '../common/database/index.js';
import { Sealer } from '../common/sealing/index.js';
import type { ComposedMail } from './compose.js';
import { MailEntity, type MailState } from './mail.entity.js';

/** A lease is void this long after it was taken, by the database's clock; longer than handing a mail over may take. */
const LEASE_SECONDS = 60;
/** How long it is remembered that there was a mail. */
const KEPT_MS = 30 * 86_400_000;

/** A mail to one address. */
export interface NewMail extends ComposedMail {
  /** Whose it is, such as `notification`, and about which of the owner's rows: both come back in each `MailOutcome`. */
  readonly purpose: string;
  readonly aboutId: string;
  readonly to: string;
  /** When it has become useless, such as a link that has run out by then; it is given up and forgotten at that moment. */
  readonly worthlessAt?: Date;
}

/** What came of an attempt, or of waiting. `waiting` will be tried again. */
export interface MailOutcome {
  readonly mailId: string;
  readonly purpose: string;
  readonly aboutId: string;
  readonly state: MailState;
  readonly attempts: number;
  /** The mail server's refusal as three digits, and a code such as `ECONNECTION`; never its words. */
  readonly status: number | null;
  readonly error: string | null;
  readonly at: Date;
}

/** What a mail says, unsealed. */
export type MailContent = ComposedMail & Pick<NewMail, 'to'>;

/** A mail with the right to hand it over. */
export type ClaimedMail = MailEntity & Lease & { readonly sealed: string; readonly firstTriedAt: Date };

/** What became of a claimed mail; it waits on when there is a next try. */
export interface MailVerdict {
  readonly state: MailState;
  readonly nextTryAt: Date | null;
  readonly status: number | null;
  readonly error: string | null;
}

const purposeOf = (id: string): string => `mail:${id}`;

/** Mails that are to be sent: put in by whoever has something to say, inside his own transaction. */
@Injectable()
export class Outbox {
  /** Run inside the transaction that puts a mail in. */
  readonly added = new Hook<void>();
  /** Run inside the transaction that records what came of an attempt: here the owner learns of it. */
  readonly attempted = new Hook<MailOutcome>();

  private readonly leases: Leases;

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly sealer: Sealer,
  ) {
    this.leases = new Leases(tx, { table: 'mail', due: 'next_try_at', seconds: LEASE_SECONDS });
  }

  /** Puts a mail in, inside the transaction under way: it is sent if that commits. @returns the mail's id */
  async add(mail: NewMail): Promise<string> {
    const [id] = await this.addAll([mail]);
    if (id === undefined) throw new Error('One mail has one id');
    return id;
  }

  /** Puts many mails in, with as many statements as one. @returns their ids, in their order */
  async addAll(mails: readonly NewMail[]): Promise<readonly string[]> {
    if (mails.length === 0) return [];
    const rows = await Promise.all(mails.map((mail) => this.rowOf(mail)));
    await this.tx.repository(MailEntity).insert(rows);
    await this.added.run();
    return rows.map(({ id }) => id);
  }

  /** Takes back what still waits, but not what is being handed over right now. */
  async withdraw(purpose: string, aboutIds: readonly string[]): Promise<void> {
    if (aboutIds.length === 0) return;
    await this.tx
      .repository(MailEntity)
      .createQueryBuilder()
      .delete()
      .where({ purpose, aboutId: In([...aboutIds]), state: 'waiting' })
      .andWhere(IS_UNLEASED)
      .execute();
  }

  /** Claims the mail that has been due for longest; null when there is none. */
  async claim(): Promise<ClaimedMail | null> {
    const lease = await this.leases.claimDue(this.clock.now(), {
      set: 'attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, $1)',
    });
    return lease === null
      ? null
      : ((await this.tx.repository(MailEntity).findOneBy({ ...lease })) as ClaimedMail | null);
  }

  /** What the mail says, for the mail server and for nobody else. @throws CannotUnseal */
  async open({ id, sealed }: ClaimedMail): Promise<MailContent> {
    return (await this.sealer.unseal(sealed, purposeOf(id))) as MailContent;
  }

  /** Records what came of a claimed mail and tells its owner. @returns false when the lease was lost: nothing was written */
  async settle(mail: ClaimedMail, verdict: MailVerdict): Promise<boolean> {
    const at = this.clock.now();
    return this.tx.run(async () => {
      const rows = await this.tx.query(
        `update mail
            set state = $3, sealed = case when $4::timestamptz is null then null else sealed end, next_try_at = $4,
                last_status = $5, last_error = $6, updated_at = $7, lease_token = null, lease_until = null
          where id = $1 and lease_token = $2 returning id`,
        [mail.id, mail.leaseToken, verdict.state, verdict.nextTryAt, verdict.status, verdict.error, at],
      );
      if (rows.length === 0) return false;
      const { id: mailId, purpose, aboutId, attempts } = mail;
      const { state, status, error } = verdict;
      await this.attempted.run({ mailId, purpose, aboutId, state, attempts, status, error, at });
      return true;
    });
  }

  /** Gives up what has become useless, sent or not, and forgets that there were mails long ago. */
  async clean(): Promise<void> {
    const at = this.clock.now();
    await this.tx.run(async () => {
      const rows = await this.tx.query<Pick<MailOutcome, 'mailId' | 'purpose' | 'aboutId' | 'attempts'>>(
        `update mail set state = 'undelivered', sealed = null, next_try_at = null, last_error = 'worthless', updated_at = $1
          where state = 'waiting' and worthless_at <= $1 and ${IS_UNLEASED}
          returning id as "mailId", purpose, about_id as "aboutId", attempts`,
        [at],
      );
      for (const row of rows)
        await this.attempted.run({ ...row, state: 'undelivered', status: null, error: 'worthless', at });
    });
    await this.tx.query(`delete from mail where state <> 'waiting' and updated_at < $1`, [
      new Date(at.getTime() - KEPT_MS),
    ]);
  }

  /** When the next mail is due that no worker holds; null when none is. */
  nextDue(): Promise<Date | null> {
    return this.leases.nextDue();
  }

  private async rowOf({ purpose, aboutId, worthlessAt, to, subject, text, html }: NewMail): Promise<MailEntity> {
    const row = newRow(this.clock.now());
    return {
      ...row,
      purpose,
      aboutId,
      state: 'waiting',
      sealed: await this.sealer.seal({ to, subject, text, html } satisfies MailContent, purposeOf(row.id)),
      worthlessAt: worthlessAt ?? null,
      attempts: 0,
      firstTriedAt: null,
      nextTryAt: row.createdAt,
      lastStatus: null,
      lastError: null,
      leaseToken: null,
      leaseUntil: null,
    };
  }
}
