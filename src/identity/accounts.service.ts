import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { newRow, onConstraint, Transactions } from '../common/database/index.js';
import type { Login, Me, Signup } from './identity.dto.js';
import { EmailTaken, InvalidCredentials, SignupClosed } from './identity.problems.js';
import { LoginTries } from './login-tries.js';
import { hashPassword, isPassword } from './passwords.js';
import { TenantEntity } from './tenant.entity.js';
import { UserEntity } from './user.entity.js';

/** Held while a tenant is made, so that two first sign-ups at once do not both find the door open. */
const FIRST_TENANT_LOCK = 7_431_102;

/** Tenants and users: how they come into being and how they are recognised. */
@Injectable()
export class AccountsService implements OnApplicationBootstrap {
  private readonly log = new Logger(AccountsService.name);

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly tries: LoginTries,
  ) {}

  /** Makes the first tenant from `BOOTSTRAP_*`, once: not when any tenant exists. */
  async onApplicationBootstrap(): Promise<void> {
    const { bootstrapEmail: email, bootstrapPassword } = this.config;
    if (email === undefined || bootstrapPassword === undefined) return;
    const passwordHash = await hashPassword(bootstrapPassword);
    const made = await this.tx.run(async () => {
      await this.tx.query('select pg_advisory_xact_lock($1)', [FIRST_TENANT_LOCK]);
      if (await this.anyTenant()) return false;
      await this.add(email, passwordHash, email);
      return true;
    });
    if (made) this.log.log({ msg: 'bootstrap tenant made' });
  }

  /** @throws SignupClosed, EmailTaken */
  async signUp(input: Signup): Promise<Me> {
    if (this.config.signup === 'closed') throw new SignupClosed();
    const passwordHash = await hashPassword(input.password);
    return this.tx.run(async () => {
      await this.tx.query('select pg_advisory_xact_lock($1)', [FIRST_TENANT_LOCK]);
      if (this.config.signup === undefined && (await this.anyTenant())) throw new SignupClosed();
      return this.add(input.email, passwordHash, input.tenantName);
    });
  }

  /** @throws InvalidCredentials, RateLimited */
  async logIn(input: Login, address: string): Promise<Me> {
    await this.tries.begin(input.email, address);
    const user = await this.tx.repository(UserEntity).findOneBy({ email: input.email });
    if (!(await isPassword(input.password, user?.passwordHash ?? null)) || user === null)
      throw new InvalidCredentials();
    await this.tries.succeeded(input.email, address);
    return this.me(user.id);
  }

  async me(userId: string): Promise<Me> {
    const user = await this.tx
      .repository(UserEntity)
      .createQueryBuilder('user')
      .innerJoinAndSelect('user.tenant', 'tenant')
      .where({ id: userId })
      .getOneOrFail();
    if (user.tenant === undefined) throw new Error('A user has a tenant');
    return toMe(user, user.tenant);
  }

  /** How many extensions the tenant's plan allows; null when it sets no limit. A plan no longer configured allows none more. */
  async extensionLimit(tenantId: string): Promise<number | null> {
    const { plan } = await this.tx.repository(TenantEntity).findOneByOrFail({ id: tenantId });
    const limit = this.config.tenantPlans[plan];
    if (limit === undefined) this.log.warn({ msg: 'tenant plan is not in TENANT_PLANS', tenantId, plan });
    return limit === 0 ? null : (limit ?? 0);
  }

  /**
   * Lets a tenant have one more of something, inside the transaction that makes it; those of one tenant take turns.
   * @throws Refusal when there are as many as there may be
   */
  async oneMore(
    tenantId: string,
    limit: number,
    count: () => Promise<number>,
    Refusal: new (limit: number) => Error,
  ): Promise<void> {
    await this.lockTenant(tenantId);
    if ((await count()) >= limit) throw new Refusal(limit);
  }

  /** Lets one transaction at a time decide about what a tenant may still have; those that only refer to the tenant do not wait. */
  async lockTenant(tenantId: string): Promise<void> {
    await this.tx.query('select id from tenant where id = $1 for no key update', [tenantId]);
  }

  private anyTenant(): Promise<boolean> {
    return this.tx.repository(TenantEntity).createQueryBuilder().limit(1).getExists();
  }

  private async add(email: string, passwordHash: string, tenantName: string): Promise<Me> {
    const now = this.clock.now();
    const tenant = { ...newRow(now), name: tenantName, plan: this.config.defaultTenantPlan };
    const user = { ...newRow(now), tenantId: tenant.id, email, passwordHash };
    await this.tx.repository(TenantEntity).insert(tenant);
    await onConstraint(() => this.tx.repository(UserEntity).insert(user), {
      tenant_user_email_key: () => new EmailTaken(),
    });
    return toMe(user, tenant);
  }
}

const toMe = (user: Pick<UserEntity, 'id' | 'email'>, tenant: Pick<TenantEntity, 'id' | 'name' | 'plan'>): Me => ({
  user: { id: user.id, email: user.email },
  tenant: { id: tenant.id, name: tenant.name, plan: tenant.plan },
});
