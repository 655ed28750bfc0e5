import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditLog } from '../audit/index.js';
import { actAs, currentActor, ROLE_PERMISSIONS, type Actor, type Role } from '../../common/access/index.js';
import { Clock, COMMIT, VERSION } from '../../common/system/index.js';
import { Config, ConfigFault } from '../../common/config/index.js';
import { newRow, onConstraint, Transactions } from '../../common/database/index.js';
import { Unauthenticated } from '../../common/problems/index.js';
import { AccountsRepository } from './accounts.repository.js';
import type { CreateTenant, Me, Signup, TenantOfUser } from './accounts.dto.js';
import { InvalidCredentials, NoTenant, SignupClosed } from './accounts.problems.js';
import { LoginAttempts } from './guessing/login-attempts.js';
import { LoginRefusalsService } from './guessing/login-refusals.service.js';
import { MembershipsRepository, type MembershipRow } from './memberships.repository.js';
import { faultOfNewPassword, refuseGuessable } from './passwords/new-password.js';
import { hashPassword, isPassword } from './passwords/password-hash.js';
import { UserAuditService } from './user-audit.service.js';
import type { UserEntity } from './user.entity.js';

type NewUser = Pick<UserEntity, 'email' | 'passwordHash' | 'emailVerifiedAt'>;

type Credentials = Pick<Signup, 'email' | 'password'>;

/** Tenants and users: sign-up, passwords at log-in, and a tenant's limits. */
@Injectable()
export class AccountsService implements OnApplicationBootstrap {
  private readonly log = new Logger(AccountsService.name);

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly accounts: AccountsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly attempts: LoginAttempts,
    private readonly refusals: LoginRefusalsService,
    private readonly audit: AuditLog,
    private readonly userAudit: UserAuditService,
  ) {}

  /** Creates the first tenant from `BOOTSTRAP_*`, unless a tenant exists. @throws ConfigFault when its password is easy to guess */
  async onApplicationBootstrap(): Promise<void> {
    await this.accounts.recordFirstRun(this.clock.now());
    const { bootstrapEmail: email, bootstrapPassword } = this.config;
    if (email === undefined || bootstrapPassword === undefined) return;
    const passwordHash = await hashPassword(bootstrapPassword);
    const isCreated = await this.tx.run(async () => {
      await this.accounts.lockSignup();
      if (await this.accounts.hasTenants()) return false;
      const fault = await faultOfNewPassword(bootstrapPassword, [email]);
      if (fault !== null) throw new ConfigFault([`BOOTSTRAP_PASSWORD ${fault}`]);
      const operator = { kind: 'operator', name: 'BOOTSTRAP_EMAIL' } as const;
      await this.addUserWithTenant({ email, passwordHash, emailVerifiedAt: this.clock.now() }, email, operator);
      return true;
    });
    if (isCreated) this.log.log({ msg: 'bootstrap tenant created' });
    else this.log.warn({ msg: 'BOOTSTRAP_EMAIL and BOOTSTRAP_PASSWORD are ignored: a tenant exists. Remove them.' });
  }

  /** Counts the members of a tenant who have one of these roles. */
  countMembers(tenantId: string, roles: readonly Role[]): Promise<number> {
    return this.memberships.countWith(tenantId, roles);
  }

  /** Whether sign-up creates accounts now. */
  async isSignupOpen(): Promise<boolean> {
    const { signup } = this.config;
    return signup === undefined ? this.isFirstRun() : signup === 'open';
  }

  /** Whether nobody has ever had an account here. */
  isFirstRun(): Promise<boolean> {
    return this.accounts.isFirstRun();
  }

  async signUp(input: Signup): Promise<Me> {
    if (this.config.signup === 'closed') throw new SignupClosed();
    await refuseGuessable(input.password, [input.email, input.tenantName]);
    const passwordHash = await hashPassword(input.password);
    return this.tx.run(async () => {
      await this.accounts.lockSignup();
      if (!(await this.isSignupOpen())) throw new SignupClosed();
      return this.addUserWithTenant({ email: input.email, passwordHash, emailVerifiedAt: null }, input.tenantName);
    });
  }

  /** Adds a user whose address the identity provider has verified, and a tenant that the user owns. */
  addVerifiedUserWithTenant(email: string): Promise<Me> {
    return this.addUserWithTenant({ email, passwordHash: null, emailVerifiedAt: this.clock.now() }, email);
  }

  /** Adds a user whose address the identity provider has verified, without a tenant. @returns the user's id */
  async addVerifiedUser(email: string): Promise<string> {
    return (await this.addUser({ email, passwordHash: null, emailVerifiedAt: this.clock.now() })).id;
  }

  /** Finds the user who has an address, and checks the password. */
  async authenticate({ email, password }: Credentials, address: string): Promise<UserEntity> {
    await this.attempts.begin(email, address);
    const user = await this.accounts.findUserByEmail(email);
    if (!(await isPassword(password, user?.passwordHash ?? null)) || user === null) {
      if (user !== null) this.refusals.note(user);
      throw new InvalidCredentials();
    }
    await this.attempts.forget(email, address);
    return user;
  }

  /** Locks a user's password against changes until the transaction ends. @throws InvalidCredentials when it has been replaced */
  async lockPassword(userId: string, passwordHash: string | null): Promise<void> {
    if (!(await this.accounts.lockPassword(userId, passwordHash))) throw new InvalidCredentials();
  }

  /**
   * Checks the password of the user who has an address, or hashes it for a new user if nobody has the address. Both take the same time.
   * @returns a function to call inside a transaction, which creates the new user and returns the user's id
   */
  async authenticateOrPrepare(input: Credentials, address: string): Promise<() => Promise<string>> {
    const { email, password } = input;
    if ((await this.accounts.findUserByEmail(email)) !== null) {
      const { id } = await this.authenticate(input, address);
      return () => Promise.resolve(id);
    }
    await refuseGuessable(password, [email]);
    const passwordHash = await hashPassword(password);
    return async () => (await this.addUser({ email, passwordHash, emailVerifiedAt: null })).id;
  }

  /** Creates another tenant, which the user owns. @throws SignupClosed unless anyone may sign up */
  async createTenant(userId: string, { name }: CreateTenant): Promise<TenantOfUser> {
    if (this.config.signup !== 'open') throw new SignupClosed();
    return this.tx.run(async () => {
      const actor = currentActor();
      const owner = actor.kind === 'user' ? ({ ...actor, role: 'owner' } as const) : actor;
      const { tenantId } = await this.addTenant(userId, name, owner);
      return { id: tenantId, name, role: 'owner' };
    });
  }

  /** Finds a user by e-mail address. */
  findUser(email: string): Promise<UserEntity | null> {
    return this.accounts.findUserByEmail(email);
  }

  /** Makes a user an operator or an ordinary user; returns whether that is a change. */
  setOperator(user: UserEntity, isOperator: boolean): Promise<boolean> {
    return this.tx.run(async () => {
      if (!(await this.accounts.setOperator(user.id, isOperator, this.clock.now()))) return false;
      await this.userAudit.record(user, isOperator ? 'user.made_operator' : 'user.operator_removed');
      return true;
    });
  }

  /** The e-mail addresses of the operators. */
  operatorAddresses(): Promise<readonly string[]> {
    return this.accounts.operatorAddresses();
  }

  /** The e-mail addresses of a tenant's owners. */
  ownersOf(tenantId: string): Promise<readonly string[]> {
    return this.memberships.findOwners(tenantId);
  }

  /**
   * Shows a user who begins a session, by default with the tenant joined first, and locks the memberships against deletion until the transaction
   * ends.
   */
  async getMeForKeyShare(userId: string, tenantId?: string): Promise<Me> {
    await this.memberships.lockForKeyShare(userId);
    return this.me(userId, tenantId);
  }

  /** Shows a user with a tenant, by default the one that the user joined first. */
  async me(userId: string, tenantId?: string): Promise<Me> {
    const memberships = await this.memberships.listOfUser(userId);
    const shown = memberships.find((membership) => tenantId === undefined || membership.tenantId === tenantId);
    if (shown?.user === undefined || shown.tenant === undefined) throw new NoTenant();
    const { user, tenant, role } = shown;
    return {
      user: { id: user.id, email: user.email, operator: user.isOperator },
      tenant: { id: tenant.id, name: tenant.name, quota: tenant.quota, plan: tenant.quota },
      role,
      permissions: ROLE_PERMISSIONS[role],
      tenants: memberships.map((one) => ({ id: one.tenantId, name: one.tenant?.name ?? '', role: one.role })),
      service: { version: VERSION, commit: COMMIT },
    };
  }

  /** Returns the number of extensions that the tenant's quota allows; null for no limit. A quota that is no longer configured allows no further ones. */
  async extensionLimit(tenantId: string): Promise<number | null> {
    const { quota } = await this.accounts.getTenant(tenantId);
    const limit = this.config.tenantQuotas[quota];
    if (limit === undefined) this.log.warn({ msg: 'tenant quota is not in TENANT_QUOTAS', tenantId, quota });
    return limit === 0 ? null : (limit ?? 0);
  }

  /**
   * Checks a tenant's limit inside the transaction that adds one; such transactions of one tenant wait for each other.
   * @throws Refusal when the limit is reached
   */
  async enforceLimit(
    tenantId: string,
    limit: number,
    count: () => Promise<number>,
    Refusal: new (limit: number) => Error,
  ): Promise<void> {
    await this.lockTenant(tenantId);
    if ((await count()) >= limit) throw new Refusal(limit);
  }

  /** Makes transactions that decide about a tenant's limits wait for each other; those that only refer to the tenant do not wait. */
  lockTenant(tenantId: string): Promise<void> {
    return this.accounts.lockTenant(tenantId);
  }

  private async addUserWithTenant(fields: NewUser, tenantName: string, by?: Actor): Promise<Me> {
    const { id, email: name } = await this.addUser(fields);
    await this.addTenant(id, tenantName, by ?? { kind: 'user', id, name, role: 'owner', sessionId: null });
    return this.me(id);
  }

  private async addUser(fields: NewUser): Promise<UserEntity> {
    // The user of the first run becomes the operator.
    const user = {
      ...newRow(this.clock.now()),
      ...fields,
      isOperator: await this.accounts.endFirstRun(this.clock.now()),
    };
    await this.accounts.insertUser(user);
    return user;
  }

  private async addTenant(userId: string, name: string, by: Actor): Promise<MembershipRow> {
    const now = this.clock.now();
    const tenant = { ...newRow(now), name, quota: this.config.defaultTenantQuota };
    const membership = { ...newRow(now), tenantId: tenant.id, userId, role: 'owner' } as const;
    await this.accounts.insertTenant(tenant);
    await onConstraint(() => this.memberships.insert(membership), {
      membership_user_id_fkey: () => new Unauthenticated('Session'),
    });
    await actAs(by, () => this.audit.record(tenant.id, 'tenant.created', tenant, { after: tenant }));
    return membership;
  }
}
