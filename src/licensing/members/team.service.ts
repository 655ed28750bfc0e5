import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Hook, newRow, timeOfChange, Transactions } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { orThrow } from '../../common/problems/index.js';
import { CodesService } from '../codes/index.js';
import { type LicenseEventReason, LicenseEventsService } from '../events/index.js';
import {
  decideInvitation,
  type LicenseEntity,
  LicenseLifecycleService,
  type LicenseMemberEntity,
  LicensesRepository,
} from '../licenses/index.js';
import { LicenseNotFound, LicenseRevoked } from '../licensing.problems.js';
import { SeatsRepository } from '../seats/index.js';
import { LicenseMembersRepository } from './license-members.repository.js';
import { MemberMailsService } from './member-mails.service.js';
import type { TeamLink } from './members.dto.js';
import { TeamLinksService } from './team-links.service.js';
import { MemberNotFound, NotATeam, TeamFull } from './members.problems.js';

/** Who acts: on whose account mails are counted, and how the act is recorded in its transaction. */
export interface Acting {
  /** A tenant, or a license on whose account its buyer and members act. */
  readonly account: string;
  readonly record?: (license: LicenseEntity) => Promise<void>;
}

/** Changes who is on a license: the same for its tenant, its buyer and its members. */
@Injectable()
export class TeamService implements OnModuleInit {
  /** Runs with the address of a member who is no longer on a license. */
  readonly removed = new Hook<string>();

  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly codes: CodesService,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly members: LicenseMembersRepository,
    private readonly seats: SeatsRepository,
    private readonly events: LicenseEventsService,
    private readonly mails: MemberMailsService,
    private readonly links: TeamLinksService,
  ) {}

  onModuleInit(): void {
    this.lifecycle.beforeErase.add(async ({ id }) => this.mails.withdraw(await this.members.listOf([id])));
  }

  /**
   * Adds a person to a license and mails them a code. Whoever is on it stays as they are.
   * @returns the id of the member
   */
  async invite(license: LicenseEntity, email: string, { account, record }: Acting): Promise<string> {
    const known = await this.admit(license, email);
    if (known !== null) return known.id;
    // Counted only for a mail that is about to be sent.
    await this.mails.count(account, email);
    return this.tx.run(async () => {
      const locked = await this.lock(license);
      const meanwhile = await this.admit(locked, email);
      if (meanwhile !== null) return meanwhile.id;
      const { code, stored } = this.codes.make();
      const member = { ...newRow(this.clock.now()), ...stored, licenseId: locked.id, email, joinedAt: null };
      await this.members.insert(member);
      await this.mails.send(await this.mails.teamFor(locked), member, code);
      await this.noteChange(locked, record);
      return member.id;
    });
  }

  /** Makes a link by which people join, in place of the one before. */
  async makeLink(license: LicenseEntity, record?: Acting['record']): Promise<TeamLink> {
    return this.tx.run(async () => {
      const locked = await this.lock(license);
      if ((await this.mails.teamFor(locked)).team === null) throw new NotATeam();
      await record?.(locked);
      return this.links.make(locked);
    });
  }

  /** Replaces a member's code and mails the new one. Devices keep their seats. */
  async resend(license: LicenseEntity, memberId: string, { account, record }: Acting): Promise<void> {
    if (license.revokedAt !== null) throw new LicenseRevoked(license);
    const { email } = orThrow(await this.members.find(license.id, memberId), MemberNotFound);
    await this.mails.count(account, email);
    await this.tx.run(async () => {
      const locked = await this.lock(license);
      const member = orThrow(await this.members.find(locked.id, memberId), MemberNotFound);
      await this.mails.send(await this.mails.teamFor(locked), member, await this.replaceCode(member));
      await this.noteChange(locked, record);
    });
  }

  /** Gives a member of a locked license a new code, and withdraws the mail with the old one. @returns the new code */
  async replaceCode(member: LicenseMemberEntity): Promise<string> {
    await this.mails.withdraw([member]);
    await this.licenses.keepFormerCode(member, this.clock.now());
    const { code, stored } = this.codes.make();
    await this.members.change(member, { ...stored, updatedAt: timeOfChange(member, this.clock.now()) });
    return code;
  }

  /** Takes a member off a locked license, frees the member's seats, and forgets the address. */
  async remove(license: LicenseEntity, member: LicenseMemberEntity, reason: LicenseEventReason): Promise<void> {
    await this.mails.withdraw([member]);
    const freed = await this.seats.endOfMember(member.id, this.clock.now());
    await this.members.delete(member.id);
    const fact = { kind: 'license.seat_freed', licenseId: license.id, reason } as const;
    await this.events.tell(Array.from({ length: freed }, () => fact));
    await this.removed.run(member.email);
    await this.noteChange(license);
  }

  /** @returns the person, if on the license already @throws NotATeam @throws TeamFull */
  private async admit(license: LicenseEntity, email: string): Promise<LicenseMemberEntity | null> {
    if (license.revokedAt !== null) throw new LicenseRevoked(license);
    const member = await this.members.findByEmail(license.id, email);
    const { team } = await this.mails.teamFor(license);
    const decided = decideInvitation(team, await this.members.count(license.id), member !== null);
    if (decided === 'no_team') throw new NotATeam();
    if (decided === 'full') throw new TeamFull(team?.maxMembers ?? 0);
    return member;
  }

  private async lock({ tenantId, id }: LicenseEntity): Promise<LicenseEntity> {
    const license = orThrow(await this.licenses.findForUpdate(tenantId, id), LicenseNotFound);
    if (license.revokedAt !== null) throw new LicenseRevoked(license);
    return license;
  }

  /** The license shows how many people are on it, so it has changed too. */
  private async noteChange(license: LicenseEntity, record?: Acting['record']): Promise<void> {
    await this.licenses.change(license, {});
    await record?.(license);
  }
}
