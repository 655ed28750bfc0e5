import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual, MoreThan, type Repository } from 'typeorm';
import { Transactions } from '../../../common/database/index.js';
import { CliLoginEntity } from './cli-login.entity.js';

/** A log-in that was approved. */
export interface ApprovedCliLogin {
  readonly sessionId: string;
  readonly name: string | null;
}

/** Log-ins of programs that wait for a person, or for the program to fetch them. */
@Injectable()
export class CliLoginsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds a log-in. */
  async insert(login: Omit<CliLoginEntity, 'session'>): Promise<void> {
    await this.rows.insert(login);
  }

  /** Finds a log-in that nobody has approved or denied, by the digest of its user code. */
  findUndecided(userCodeDigest: string, now: Date): Promise<CliLoginEntity | null> {
    return this.rows.findOneBy({ userCodeDigest, sessionId: IsNull(), deniedAt: IsNull(), expiresAt: MoreThan(now) });
  }

  /** Finds a log-in that has not expired, by the digest of its device code. */
  find(deviceCodeDigest: string, now: Date): Promise<CliLoginEntity | null> {
    return this.rows.findOneBy({ deviceCodeDigest, expiresAt: MoreThan(now) });
  }

  /** Approves or denies a log-in; returns whether this call did, because only the first decision counts. */
  async decide(
    id: string,
    decision: Pick<CliLoginEntity, 'sessionId' | 'deniedAt' | 'updatedAt'>,
    now: Date,
  ): Promise<boolean> {
    const { affected } = await this.rows.update(
      { id, sessionId: IsNull(), deniedAt: IsNull(), expiresAt: MoreThan(now) },
      decision,
    );
    return affected === 1;
  }

  /** Deletes an approved log-in and returns its session. Raw SQL: only one of several simultaneous requests may get it. */
  async take(deviceCodeDigest: string, now: Date): Promise<ApprovedCliLogin | null> {
    const [taken] = await this.tx.query<{ readonly session_id: string; readonly name: string | null }>(
      'delete from cli_login where device_code_digest = $1 and session_id is not null and expires_at > $2 returning session_id, name',
      [deviceCodeDigest, now],
    );
    return taken === undefined ? null : { sessionId: taken.session_id, name: taken.name };
  }

  /** Deletes expired log-ins. */
  async deleteExpired(now: Date): Promise<void> {
    await this.rows.delete({ expiresAt: LessThanOrEqual(now) });
  }

  private get rows(): Repository<CliLoginEntity> {
    return this.tx.repository(CliLoginEntity);
  }
}
