import { Injectable } from '@nestjs/common';
import { IsNull, LessThan, Not, type Repository } from 'typeorm';
import { onConstraint, Transactions } from '../../../common/database/index.js';
import { Unauthenticated } from '../../../common/problems/index.js';
import { RecoveryCodeEntity, SecondFactorEntity } from './second-factor.entity.js';
import { SecondFactorActive } from './second-factor.problems.js';

/** Authenticator apps of users, and the codes that replace them. */
@Injectable()
export class SecondFactorsRepository {
  constructor(private readonly tx: Transactions) {}

  /** Adds a factor that is not confirmed yet, in place of an earlier such one. @throws SecondFactorActive when one is confirmed, Unauthenticated when the user was just deleted */
  async begin(factor: Omit<SecondFactorEntity, 'user'>): Promise<void> {
    await this.rows.delete({ userId: factor.userId, confirmedAt: IsNull() });
    await onConstraint(() => this.rows.insert(factor), {
      second_factor_user_id_key: () => new SecondFactorActive(),
      second_factor_user_id_fkey: () => new Unauthenticated('Session'),
    });
  }

  /** Finds a user's factor that is not confirmed yet. */
  findPending(userId: string): Promise<SecondFactorEntity | null> {
    return this.rows.findOneBy({ userId, confirmedAt: IsNull() });
  }

  /** Finds a user's factor. */
  findConfirmed(userId: string): Promise<SecondFactorEntity | null> {
    return this.rows.findOneBy({ userId, confirmedAt: Not(IsNull()) });
  }

  /** Confirms a factor; returns whether this call did. */
  async confirm(id: string, lastStep: number, confirmedAt: Date): Promise<boolean> {
    const changes = { lastStep, confirmedAt, updatedAt: confirmedAt };
    return (await this.rows.update({ id, confirmedAt: IsNull() }, changes)).affected === 1;
  }

  /** Spends the codes up to a time step; returns whether this call did, because only one of several may use a code. */
  async spendStep(id: string, step: number, updatedAt: Date): Promise<boolean> {
    return (await this.rows.update({ id, lastStep: LessThan(step) }, { lastStep: step, updatedAt })).affected === 1;
  }

  /** Spends a recovery code; returns whether the factor had it. */
  async spendRecoveryCode(secondFactorId: string, digest: string): Promise<boolean> {
    return (await this.codes.delete({ secondFactorId, digest })).affected === 1;
  }

  /** Replaces the recovery codes of a factor. The lock keeps two simultaneous replacements from both adding theirs. */
  async replaceRecoveryCodes(
    secondFactorId: string,
    rows: readonly Omit<RecoveryCodeEntity, 'secondFactor'>[],
  ): Promise<void> {
    await this.rows.findOne({ where: { id: secondFactorId }, lock: { mode: 'for_no_key_update' } });
    await this.codes.delete({ secondFactorId });
    await this.codes.insert([...rows]);
  }

  /** Counts the recovery codes that were not used. */
  countRecoveryCodes(secondFactorId: string): Promise<number> {
    return this.codes.countBy({ secondFactorId });
  }

  /** Deletes a factor with its recovery codes; returns whether this call did. */
  async delete(id: string): Promise<boolean> {
    return (await this.rows.delete({ id })).affected === 1;
  }

  /** Deletes a user's factor, confirmed or not. */
  async deleteOf(userId: string): Promise<void> {
    await this.rows.delete({ userId });
  }

  private get rows(): Repository<SecondFactorEntity> {
    return this.tx.repository(SecondFactorEntity);
  }

  private get codes(): Repository<RecoveryCodeEntity> {
    return this.tx.repository(RecoveryCodeEntity);
  }
}
