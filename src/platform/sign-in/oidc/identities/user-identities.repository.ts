import { Injectable } from '@nestjs/common';
import { LessThan, type Repository } from 'typeorm';
import { newRow, onConstraint, Transactions } from '../../../../common/database/index.js';
import type { PageStart } from '../../../../common/fields/index.js';
import { Clock } from '../../../../common/system/index.js';
import type { ProviderClaims } from '../admission.js';
import { IdentityTaken, SignInExpired } from '../oidc.problems.js';
import { UserIdentityEntity } from './user-identity.entity.js';

type Person = Pick<ProviderClaims, 'issuer' | 'subject'>;

/** Links from persons of OpenID providers to users. */
@Injectable()
export class UserIdentitiesRepository {
  constructor(
    private readonly tx: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Finds the user that a person signs in as. */
  async findUserId({ issuer, subject }: Person): Promise<string | null> {
    return (await this.rows.findOneBy({ issuer, subject }))?.userId ?? null;
  }

  /** Whether a person of the provider is linked to the user. */
  isLinked(userId: string, issuer: string): Promise<boolean> {
    return this.rows.existsBy({ userId, issuer });
  }

  /** Links a person to a user, in place of another person of the same provider. @throws IdentityTaken, SignInExpired when the user was just deleted */
  async link(userId: string, { issuer, subject }: Person): Promise<void> {
    const row = { ...newRow(this.clock.now()), userId, issuer, subject };
    await onConstraint(() => this.rows.upsert(row, ['userId', 'issuer']), {
      user_identity_issuer_subject_key: () => new IdentityTaken(),
      user_identity_user_id_fkey: () => new SignInExpired(),
    });
  }

  /** Returns one row more than the page holds, newest first. */
  list(userId: string, { limit, after }: PageStart): Promise<readonly UserIdentityEntity[]> {
    return this.rows.find({ where: { userId, id: LessThan(after) }, order: { id: 'DESC' }, take: limit + 1 });
  }

  /** Lists all of a user: one of each provider. */
  listAll(userId: string): Promise<readonly UserIdentityEntity[]> {
    return this.rows.findBy({ userId });
  }

  /** Unlinks a person; returns whether this call did. */
  async delete(id: string): Promise<boolean> {
    return (await this.rows.delete({ id })).affected === 1;
  }

  /** Unlinks all persons of a user. */
  async deleteOf(userId: string): Promise<void> {
    await this.rows.delete({ userId });
  }

  private get rows(): Repository<UserIdentityEntity> {
    return this.tx.repository(UserIdentityEntity);
  }
}
