import { Injectable } from '@nestjs/common';
import { In, LessThan, MoreThanOrEqual, Not } from 'typeorm';
import { IS_UNLOCKED, RETURNED_LOCK, Transactions, WorkLocks, type WorkLock } from '../../common/database/index.js';
import { MailEntity, type MailState } from './mail.entity.js';

/** Longer than handing a mail over may take. */
const LOCK_SECONDS = 60;

/** The driver's own statement: each order adds a mail. */
const INSERT = {
  name: 'insert_mails',
  text: `
    insert into mail (id, created_at, updated_at, tenant_id, purpose, about_id, state, sealed, expires_at, attempts, first_tried_at, next_try_at)
    select * from json_to_recordset($1)
      as (id uuid, "createdAt" timestamptz, "updatedAt" timestamptz, "tenantId" uuid, purpose text, "aboutId" uuid, state text, sealed text,
          "expiresAt" timestamptz, attempts integer, "firstTriedAt" timestamptz, "nextTryAt" timestamptz)`,
};

/** A mail that a worker may hand over now. */
export type DueMail = MailEntity & WorkLock & { readonly sealed: string; readonly firstTriedAt: Date };

/** Outcome of an attempt. The mail keeps waiting when there is a next one. */
export interface MailResult {
  readonly state: MailState;
  readonly nextTryAt: Date | null;
  readonly status: number | null;
  readonly error: string | null;
}

/** Mails in the outbox, sealed until they are sent. */
@Injectable()
export class MailRepository {
  readonly locks: WorkLocks;

  constructor(private readonly tx: Transactions) {
    this.locks = new WorkLocks(tx, { table: 'mail', due: 'next_try_at', seconds: LOCK_SECONDS });
  }

  async insert(rows: readonly MailEntity[]): Promise<void> {
    await this.tx.prepared(INSERT, [JSON.stringify(rows)]);
  }

  /** Counts the mails about a row that were added from a time on. */
  countSince(purpose: string, aboutId: string, from: Date): Promise<number> {
    return this.mails.countBy({ purpose, aboutId, createdAt: MoreThanOrEqual(from) });
  }

  /** Deletes mails that still wait, except those that a worker is handing over. */
  async deleteWaiting(purpose: string, aboutIds: readonly string[]): Promise<void> {
    await this.mails
      .createQueryBuilder()
      .delete()
      .where({ purpose, aboutId: In([...aboutIds]), state: 'waiting' })
      .andWhere(IS_UNLOCKED)
      .execute();
  }

  /** Takes the mail that has been due for longest, and counts the attempt; null when there is none. */
  async take(now: Date): Promise<DueMail | null> {
    const lock = await this.locks.takeDue(now, {
      set: 'attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, $1)',
    });
    return lock === null ? null : ((await this.mails.findOneBy({ ...lock })) as DueMail | null);
  }

  /** Records how an attempt ended and returns the work lock. @returns false when that was lost: nothing was written */
  async recordResult({ id, leaseToken }: WorkLock, result: MailResult, now: Date): Promise<boolean> {
    const { state, nextTryAt, status: lastStatus, error: lastError } = result;
    const forgotten = nextTryAt === null ? { sealed: null } : {};
    const changes = { state, nextTryAt, lastStatus, lastError, updatedAt: now, ...forgotten, ...RETURNED_LOCK };
    return (await this.mails.update({ id, leaseToken }, changes)).affected === 1;
  }

  /** Gives up mails that have become useless. Raw SQL, because TypeORM's `update` returns no rows. */
  giveUpExpired(now: Date): Promise<readonly Pick<MailEntity, 'id' | 'purpose' | 'aboutId' | 'attempts'>[]> {
    return this.tx.query(
      `update mail set state = 'undelivered', sealed = null, next_try_at = null, last_error = 'expired', updated_at = $1
        where state = 'waiting' and expires_at <= $1 and ${IS_UNLOCKED}
        returning id, purpose, about_id as "aboutId", attempts`,
      [now],
    );
  }

  /** Deletes mails that are no longer waiting and have not changed since a time. */
  async deleteFinishedBefore(time: Date): Promise<void> {
    await this.mails.delete({ state: Not('waiting'), updatedAt: LessThan(time) });
  }

  private get mails() {
    return this.tx.repository(MailEntity);
  }
}
