import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditLog } from '../../audit/index.js';
import { actAs, currentActor, type Role, type SessionCaller } from '../../../common/access/index.js';
import { Config } from '../../../common/config/index.js';
import { newRow, onConstraint, Transactions } from '../../../common/database/index.js';
import { digestOf, isSecret, newSecret, pageFrom, type Page, type PageQuery } from '../../../common/fields/index.js';
import { Unauthenticated } from '../../../common/problems/index.js';
import { Clock, DAY_MS } from '../../../common/system/index.js';
import { MailLimitsService, OutboxService } from '../../mail/index.js';
import { AddressProofsService } from '../address-proofs.service.js';
import { InvalidCredentials } from '../accounts.problems.js';
import { AccountsService } from '../accounts.service.js';
import type { TenantOfUser } from '../accounts.dto.js';
import { MembershipsRepository } from '../memberships.repository.js';
import { canChangeRole, OwnerRequired } from '../members/index.js';
import { invitationMail } from './invitation-mail.js';
import type { InvitationEntity } from './invitation.entity.js';
import type {
  AcceptInvitation,
  CreatedInvitation,
  CreateInvitation,
  Invitation,
  InvitationOffer,
} from './invitations.dto.js';
import {
  AlreadyMember,
  InvitationExpired,
  InvitationForAnother,
  InvitationNotFound,
  MemberLimitReached,
} from './invitations.problems.js';
import { InvitationsRepository, type InvitationRow } from './invitations.repository.js';

/** The path of the page that a link opens, without the leading slash. */
export const INVITATION_PATH = 'invitation';

const PURPOSE = 'invitation';
/** Violated when the user has just been deleted with the last of the user's tenants. */
const USER_GONE = 'membership_user_id_fkey';
const LIFETIME_MS = 7 * DAY_MS;

/** Invitations to a tenant: a link that works once, within 7 days, for the invited address. */
@Injectable()
export class InvitationsService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly accounts: AccountsService,
    private readonly memberships: MembershipsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly mailLimits: MailLimitsService,
    private readonly outbox: OutboxService,
    private readonly audit: AuditLog,
    private readonly proofs: AddressProofsService,
  ) {}

  onModuleInit(): void {
    this.proofs.provenFirst.add(({ id }) => this.invitations.deleteOf(id));
  }

  /**
   * Invites an address, whether or not it has an account, and mails the link where the service sends mail. An earlier invitation of the
   * address no longer works.
   */
  async create(caller: SessionCaller, { email, role }: CreateInvitation): Promise<CreatedInvitation> {
    const { tenantId, userId: invitedBy } = caller;
    if (caller.role === null || !canChangeRole(caller.role, null, role)) throw new OwnerRequired();
    const mailed = this.config.smtpUrl !== undefined;
    if (mailed) await this.mailLimits.count(tenantId, email);
    const secret = newSecret();
    const link = `${this.config.publicUrl}/${INVITATION_PATH}#${secret}`;
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    const row = { ...newRow(now), tenantId, invitedBy, email, role, secretDigest: digestOf(secret), expiresAt };
    const { user, tenant } = await this.accounts.me(invitedBy, tenantId);
    await this.tx.run(async () => {
      await this.add(row, caller.role);
      await this.audit.record(tenantId, 'invitation.created', row, { after: row });
      const mail = { purpose: PURPOSE, aboutId: row.id, tenantId, to: email, expiresAt };
      const words = { tenantName: tenant.name, invitedBy: user.email, role, link };
      if (mailed) await this.outbox.add({ ...mail, ...invitationMail(words) });
    });
    return { ...toInvitation(row, user.email), link, mailed };
  }

  /** Lists the tenant's open invitations, newest first. */
  list(tenantId: string, query: PageQuery): Promise<Page<Invitation>> {
    return pageFrom(
      query,
      (start) => this.invitations.list(tenantId, start, this.clock.now()),
      (row) => toInvitation(row, row.inviter?.user?.email ?? ''),
    );
  }

  /** Revokes an invitation at once. */
  revoke({ tenantId, role }: SessionCaller, id: string): Promise<void> {
    return this.tx.run(async () => {
      const row = await this.invitations.findOwn(tenantId, id);
      if (row === null || !(await this.take(row, role))) throw new InvitationNotFound();
      await this.audit.record(tenantId, 'invitation.revoked', row, { before: row });
    });
  }

  /** Shows what an invitation offers. */
  async show(token: string): Promise<InvitationOffer> {
    const { email, role, expiresAt, inviter } = await this.find(token);
    return { tenantName: inviter?.tenant?.name ?? '', invitedBy: inviter?.user?.email ?? '', email, role, expiresAt };
  }

  /**
   * Accepts an invitation with the password of the invited address, or makes an account with it where the address has none.
   * @param address the caller's network address
   */
  async accept({ token, password }: AcceptInvitation, address: string): Promise<TenantOfUser> {
    const invitation = await this.find(token);
    const user = await this.accounts.authenticateOrPrepare({ email: invitation.email, password }, address);
    return onConstraint(() => this.join(invitation, user), { [USER_GONE]: () => new InvalidCredentials() });
  }

  /** Accepts an invitation as the user who is logged in. */
  async acceptAs({ userId, actor }: SessionCaller, token: string): Promise<TenantOfUser> {
    const invitation = await this.find(token);
    if (actor.kind !== 'user' || actor.name !== invitation.email) throw new InvitationForAnother();
    const user = (): Promise<string> => Promise.resolve(userId);
    return onConstraint(() => this.join(invitation, user), { [USER_GONE]: () => new Unauthenticated('Session') });
  }

  /** Whether an address has an invitation that can be accepted. */
  async isInvited(email: string): Promise<boolean> {
    return (await this.openOf(email)).length > 0;
  }

  /** Accepts all open invitations of an address that the identity provider has verified. @throws InvitationExpired when one has just been revoked */
  async acceptVerified(email: string, userId: string): Promise<void> {
    await this.tx.run(async () => {
      for (const invitation of await this.openOf(email)) await this.join(invitation, () => Promise.resolve(userId));
    });
  }

  /** Deletes an invitation and its mail. @returns false when it has just been used */
  private async take({ id, role }: InvitationRow, by: Role | null): Promise<boolean> {
    if (by === null || !canChangeRole(by, role, null)) throw new OwnerRequired();
    await this.outbox.withdraw(PURPOSE, [id]);
    return this.invitations.take(id);
  }

  private async add(row: InvitationRow, by: Role | null): Promise<void> {
    const { tenantId, email } = row;
    await this.accounts.lockTenant(tenantId);
    if (await this.memberships.existsByEmail(tenantId, email)) throw new AlreadyMember();
    await this.invitations.deleteExpired(tenantId, row.createdAt);
    const replaced = await this.invitations.findOfEmail(tenantId, email);
    if (replaced !== null && !(await this.take(replaced, by))) throw new AlreadyMember();
    const count = async (): Promise<number> =>
      (await this.memberships.count(tenantId)) + (await this.invitations.count(tenantId));
    await this.accounts.enforceLimit(tenantId, this.config.maxMembers, count, MemberLimitReached);
    await this.invitations.insert(row);
  }

  private async find(token: string): Promise<InvitationEntity> {
    const found = isSecret(token) ? await this.invitations.find(digestOf(token), this.clock.now()) : null;
    if (found === null || !isValid(found)) throw new InvitationExpired();
    return found;
  }

  private async openOf(email: string): Promise<readonly InvitationEntity[]> {
    return (await this.invitations.listOfEmail(email, this.clock.now())).filter(isValid);
  }

  /** Uses an invitation. @param user creates or finds the user inside the transaction, and returns the user's id */
  private join(
    { id, tenantId, email, role, inviter }: InvitationEntity,
    user: () => Promise<string>,
  ): Promise<TenantOfUser> {
    return this.tx.run(async () => {
      if (!(await this.invitations.take(id))) throw new InvitationExpired();
      const membership = { ...newRow(this.clock.now()), tenantId, userId: await user(), role };
      await onConstraint(() => this.memberships.insert(membership), {
        membership_user_id_tenant_id_key: () => new AlreadyMember(),
        membership_tenant_id_fkey: () => new InvitationExpired(),
      });
      const asked = currentActor();
      const sessionId = asked.kind === 'user' ? asked.sessionId : null;
      const member = { id: membership.userId, email, role };
      await actAs({ kind: 'user', id: member.id, name: email, role, sessionId }, () =>
        this.audit.record(tenantId, 'member.joined', member, { after: member }),
      );
      return { id: tenantId, name: inviter?.tenant?.name ?? '', role };
    });
  }
}

/** Whether the member who invited could still give the role. */
const isValid = ({ inviter, role }: InvitationEntity): boolean =>
  inviter !== undefined && canChangeRole(inviter.role, null, role);

const toInvitation = (row: InvitationRow, invitedBy: string): Invitation => {
  const { id, email, role, expiresAt, createdAt, updatedAt } = row;
  return { id, email, role, invitedBy, expiresAt, createdAt, updatedAt };
};
