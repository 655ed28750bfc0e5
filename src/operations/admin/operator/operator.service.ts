import { Injectable } from '@nestjs/common';
import { AuditLog, type Action } from '../../../platform/audit/index.js';
import { Config } from '../../../common/config/index.js';
import { Transactions } from '../../../common/database/index.js';
import { foldEmail } from '../../../common/fields/index.js';
import {
  AccountsService,
  faultOfNewPassword,
  MembersService,
  PASSWORD_MIN,
  PasswordLoginService,
  PasswordsService,
  type UserEntity,
} from '../../../platform/accounts/index.js';
import { LoginLinksService, SecondFactorsService } from '../../../platform/sign-in/index.js';
import { OperatorRepository } from './operator.repository.js';

/** No user or tenant has the address, id or name that the operator gave. */
export class NotFoundForOperator extends Error {
  override readonly name = 'NotFoundForOperator';
}

/** A command cannot be carried out; the message says why, and what to do. */
export class RefusedToOperator extends Error {
  override readonly name = 'RefusedToOperator';
}

/** Whether users can log in by password after the command. */
type PasswordState = Readonly<Record<'passwordLogin', 'on' | 'off' | 'off by PASSWORD_LOGIN'>>;

/** Commands of the operator at a terminal, for any tenant. */
@Injectable()
export class OperatorService {
  constructor(
    private readonly config: Config,
    private readonly tx: Transactions,
    private readonly accounts: AccountsService,
    private readonly members: MembersService,
    private readonly passwords: PasswordsService,
    private readonly secondFactors: SecondFactorsService,
    private readonly lists: OperatorRepository,
    private readonly links: LoginLinksService,
    private readonly passwordLogin: PasswordLoginService,
    private readonly audit: AuditLog,
  ) {}

  /** Lists all users, oldest first. */
  async users() {
    const rows = await this.lists.users();
    return rows.map(({ hasPassword, hasSecondFactor, hasIdentity, isOperator, createdAt, ...user }) => ({
      ...user,
      password: hasPassword,
      secondFactor: hasSecondFactor,
      openid: hasIdentity,
      operator: isOperator,
      created: createdAt.toISOString(),
    }));
  }

  /** Lists all tenants, oldest first. */
  async tenants() {
    const rows = await this.lists.tenants();
    return rows.map(({ createdAt, ...tenant }) => ({ ...tenant, created: createdAt.toISOString() }));
  }

  /** Sets a user's password, and ends the user's sessions. @throws NotFoundForOperator, RefusedToOperator */
  async resetPassword(email: string, password: string) {
    const user = await this.userOf(email);
    const fault =
      password.length < PASSWORD_MIN
        ? `must have at least ${PASSWORD_MIN} characters.`
        : await faultOfNewPassword(password, [user.email]);
    if (fault !== null) throw new RefusedToOperator(`The password ${fault}`);
    await this.passwords.replace(user, password);
    return { user: user.email, ...(await this.passwordState()) };
  }

  /** Removes a user's second factor, such as one on a lost phone, and ends the user's sessions. @throws NotFoundForOperator, RefusedToOperator */
  async removeSecondFactor(email: string) {
    const user = await this.userOf(email);
    if (!(await this.secondFactors.remove(user))) throw new RefusedToOperator(`${user.email} has no second factor.`);
    return { user: user.email, secondFactor: 'removed' };
  }

  /** Makes a link by which a user logs in once. @throws NotFoundForOperator */
  async loginLink(email: string) {
    const user = await this.userOf(email);
    const { url, expiresAt } = await this.links.create(user);
    return { user: user.email, link: url, expires: expiresAt.toISOString() };
  }

  /**
   * Makes a user an owner of a tenant, as a member or a new one.
   * @param idOrName the tenant's id, or its name if no other tenant has it
   * @throws NotFoundForOperator, RefusedToOperator
   */
  async makeOwner(email: string, idOrName: string) {
    const user = await this.userOf(email);
    const [tenant, another] = await this.lists.findTenants(idOrName);
    if (tenant === undefined) throw new NotFoundForOperator(`No tenant has the id or name ${idOrName}.`);
    if (another !== undefined && tenant.id !== idOrName)
      throw new RefusedToOperator(
        `Several tenants are named ${idOrName}. Pass the id instead; the command tenants lists the ids.`,
      );
    await this.members.makeOwner(tenant.id, user);
    return { user: user.email, tenant: tenant.name, id: tenant.id, role: 'owner' };
  }

  /** Makes a user an operator, who sees the state of the instance. @throws NotFoundForOperator, RefusedToOperator when the user is an operator already */
  makeOperator(email: string) {
    return this.setOperator(email, true);
  }

  /** Makes an operator an ordinary user again. @throws NotFoundForOperator, RefusedToOperator when the user is not an operator */
  removeOperator(email: string) {
    return this.setOperator(email, false);
  }

  /** Switches log-in by password off for everybody. @throws RefusedToOperator when nobody could log in then */
  async disablePasswordLogin(): Promise<PasswordState> {
    if (this.config.oidcIssuer === undefined)
      throw new RefusedToOperator('OIDC_ISSUER is not set: without passwords nobody could log in.');
    await this.tx.run(async () => {
      if (await this.passwordLogin.switchOff()) await this.recordEverywhere('tenant.password_login_disabled');
    });
    return this.passwordState();
  }

  /** Switches log-in by password on again; the setting `PASSWORD_LOGIN` may still switch it off. */
  async enablePasswordLogin(): Promise<PasswordState> {
    await this.tx.run(async () => {
      if (await this.passwordLogin.switchOn()) await this.recordEverywhere('tenant.password_login_enabled');
    });
    return this.passwordState();
  }

  private async setOperator(email: string, operator: boolean) {
    const user = await this.userOf(email);
    if (!(await this.accounts.setOperator(user, operator)))
      throw new RefusedToOperator(`${user.email} is ${operator ? 'already an operator' : 'not an operator'}.`);
    return { user: user.email, operator };
  }

  /** Records an action in the audit log of every tenant. */
  private async recordEverywhere(action: Action): Promise<void> {
    for (const tenant of await this.lists.tenants()) await this.audit.record(tenant.id, action, tenant);
  }

  private async passwordState(): Promise<PasswordState> {
    if (this.config.passwordLogin === 'off') return { passwordLogin: 'off by PASSWORD_LOGIN' };
    return { passwordLogin: (await this.passwordLogin.isOn()) ? 'on' : 'off' };
  }

  private async userOf(email: string): Promise<UserEntity> {
    const user = await this.accounts.findUser(foldEmail(email));
    if (user === null) throw new NotFoundForOperator(`No user has the e-mail address ${email}.`);
    return user;
  }
}
