import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { onConstraint, Transactions } from '../../common/database/index.js';
import { EmailTaken } from './accounts.problems.js';
import { OperatorSettingsRepository } from './operator-settings.repository.js';
import { TenantEntity } from './tenant.entity.js';
import { UserEntity } from './user.entity.js';

const SIGNUP_LOCK = 7_431_102;
/** Ends when the first user is added, and never begins again, whoever is deleted later. */
const FIRST_RUN = 'first_run';

/** Tenants and users. */
@Injectable()
export class AccountsRepository {
  constructor(
    private readonly tx: Transactions,
    private readonly settings: OperatorSettingsRepository,
  ) {}

  /** Adds a tenant. */
  async insertTenant(tenant: TenantEntity): Promise<void> {
    await this.tx.repository(TenantEntity).insert(tenant);
  }

  /** Adds a user. */
  async insertUser(user: UserEntity): Promise<void> {
    await onConstraint(() => this.tx.repository(UserEntity).insert(user), {
      tenant_user_email_key: () => new EmailTaken(),
    });
  }

  /** Sets a user's password. */
  async setPassword(userId: string, passwordHash: string, updatedAt: Date): Promise<void> {
    await this.tx.repository(UserEntity).update({ id: userId }, { passwordHash, updatedAt });
  }

  /** Finds a user by e-mail address. */
  findUserByEmail(email: string): Promise<UserEntity | null> {
    return this.tx.repository(UserEntity).findOneBy({ email });
  }

  /** Reads a user. */
  getUser(id: string): Promise<UserEntity> {
    return this.tx.repository(UserEntity).findOneByOrFail({ id });
  }

  /** Replaces a user's password if it still has this hash; returns whether it had. */
  async replacePassword(id: string, oldHash: string | null, passwordHash: string, updatedAt: Date): Promise<boolean> {
    const changes = { passwordHash, updatedAt };
    return (
      (await this.tx.repository(UserEntity).update({ id, passwordHash: oldHash ?? IsNull() }, changes)).affected === 1
    );
  }

  /** Locks a user's password against changes until the transaction ends. @returns false when it no longer has this hash */
  async lockPassword(id: string, passwordHash: string | null): Promise<boolean> {
    const where = { id, passwordHash: passwordHash ?? IsNull() };
    const lock = { mode: 'pessimistic_read' } as const;
    return (await this.tx.repository(UserEntity).findOne({ select: { id: true }, where, lock })) !== null;
  }

  /** Records when a user first proved to receive mail at the address; returns whether this is the first time. */
  async setEmailVerified(id: string, emailVerifiedAt: Date): Promise<boolean> {
    const unproven = { id, emailVerifiedAt: IsNull() };
    return (await this.tx.repository(UserEntity).update(unproven, { emailVerifiedAt })).affected === 1;
  }

  /** Reads a tenant. */
  getTenant(id: string): Promise<TenantEntity> {
    return this.tx.repository(TenantEntity).findOneByOrFail({ id });
  }

  /** Whether no user has ever been added. */
  async isFirstRun(): Promise<boolean> {
    return !(await this.settings.isOff(FIRST_RUN)) && !(await this.hasUsers());
  }

  /** Records that the first run is over where users exist whom an earlier version added. */
  async recordFirstRun(now: Date): Promise<void> {
    if (await this.hasUsers()) await this.settings.switchOff(FIRST_RUN, now);
  }

  /** Ends the first run; returns whether it lasted until now. Of several transactions at once, one ends it. */
  async endFirstRun(now: Date): Promise<boolean> {
    return (await this.isFirstRun()) && this.settings.switchOff(FIRST_RUN, now);
  }

  /** Makes a user an operator or an ordinary user; returns whether that is a change. */
  async setOperator(id: string, isOperator: boolean, updatedAt: Date): Promise<boolean> {
    const changes = { isOperator, updatedAt };
    return (await this.tx.repository(UserEntity).update({ id, isOperator: !isOperator }, changes)).affected === 1;
  }

  /** The e-mail addresses of the operators. */
  async operatorAddresses(): Promise<readonly string[]> {
    const found = await this.tx.repository(UserEntity).find({ select: { email: true }, where: { isOperator: true } });
    return found.map(({ email }) => email);
  }

  /** Whether any tenant exists. */
  hasTenants(): Promise<boolean> {
    return this.tx.repository(TenantEntity).exists();
  }

  /** Makes sign-ups wait for each other until the transaction ends. Raw SQL: TypeORM has no advisory locks. */
  async lockSignup(): Promise<void> {
    await this.tx.query('select pg_advisory_xact_lock($1)', [SIGNUP_LOCK]);
  }

  /** Locks a tenant against others that lock it, until the transaction ends; transactions that only refer to it do not wait. */
  async lockTenant(id: string): Promise<void> {
    await this.tx
      .repository(TenantEntity)
      .findOne({ select: { id: true }, where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  private hasUsers(): Promise<boolean> {
    return this.tx.repository(UserEntity).exists();
  }
}
