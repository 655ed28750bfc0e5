import { Injectable } from '@nestjs/common';
import { In, LessThan, MoreThanOrEqual, Not } from 'typeorm';
import { IS_UNLOCKED, Transactions, WorkLocks, type WorkLock } from '../../common/database/index.js';
import { MailEntity, type MailState } from './mail.entity.js';

/** Longer than handing over the mails that a worker takes together may take. */
const LOCK_SECONDS = 60;
/** Mails that a worker takes together while very many are due. */
const TOGETHER = 8;

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
export type DueMail = MailEntity & WorkLock & { readonly sealed: string };

/** How an attempt ended. */
export type MailAttempt = MailResult & { readonly mail: DueMail; readonly triedAt: Date };

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

  /** Deletes mails that still wait, also for the worker that has taken them. */
  async deleteWaiting(purpose: string, aboutIds: readonly string[]): Promise<void> {
    await this.mails.delete({ purpose, aboutId: In([...aboutIds]), state: 'waiting' });
  }

  /** Whether a mail still waits for the worker that has taken it. */
  isHeld({ id, leaseToken }: DueMail): Promise<boolean> {
    return this.mails.existsBy({ id, leaseToken });
  }

  /** Takes the mails that have been due for longest: a fair share of what is due, so that all workers have some. */
  take(now: Date, workers: number): Promise<readonly DueMail[]> {
    return this.tx.run(async () => {
      const due = `select from mail where next_try_at <= $1 and ${IS_UNLOCKED} limit ${workers * TOGETHER}`;
      const share = `(select greatest(1, count(*) / ${workers}) from (${due}) due)`;
      const ids = (await this.locks.takeAllDue(now, share)).map(({ id }) => id);
      if (ids.length === 0) return [];
      return (await this.mails.find({ where: { id: In(ids) }, order: { nextTryAt: 'ASC', id: 'ASC' } })) as DueMail[];
    });
  }

  /**
   * Counts attempts, records how they ended, and returns their work locks. Raw SQL: one statement for values of several rows.
   * @returns the ids of those whose work lock was not lost; of the others nothing was written
   */
  async recordResults(attempts: readonly MailAttempt[], now: Date): Promise<readonly string[]> {
    const results = attempts.map(({ mail: { id, leaseToken }, ...result }) => ({ id, leaseToken, ...result }));
    const rows = await this.tx.query<{ readonly id: string }>(
      `update mail
          set attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, result."triedAt"), state = result.state,
              sealed = case when result."nextTryAt" is null then null else sealed end, next_try_at = result."nextTryAt",
              last_status = result.status, last_error = result.error, updated_at = $2, lease_token = null, lease_until = null
         from json_to_recordset($1) as result (id uuid, "leaseToken" uuid, "triedAt" timestamptz, state text, "nextTryAt" timestamptz,
              status integer, error text)
        where mail.id = result.id and lease_token = result."leaseToken" returning mail.id`,
      [JSON.stringify(results), now],
    );
    return rows.map(({ id }) => id);
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
