import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/system/index.js';
import { Transactions } from '../../common/database/index.js';
import { LicenseEventsService } from '../events/index.js';
import type { LicenseEnd } from '../plans/index.js';
import { type SeatEntity, SeatsRepository } from '../seats/index.js';
import {
  devicesAllowed,
  type LicenseEntity,
  LicenseLifecycleService,
  type LicenseMemberEntity,
  LicensesRepository,
  type LicenseStatus,
  type PaymentPages,
  PurchaseLookup,
  statusOf,
  teamOf,
} from '../licenses/index.js';
import { LicenseMembersRepository, TeamService } from '../members/index.js';

/** The people on a license besides its buyer, as the buyer sees them. */
export interface BuyerTeam {
  /** 0 when nobody may join any more. */
  readonly maxMembers: number;
  /** The earliest first. */
  readonly members: readonly {
    readonly id: string;
    readonly email: string;
    readonly joinedAt: Date | null;
    readonly createdAt: Date;
    readonly devices: number;
  }[];
}

/** A license as its buyer sees it, or a member with the member's own code and devices. */
export interface BuyerLicense extends LicenseEnd, Omit<PaymentPages, 'licenseId'> {
  readonly id: string;
  readonly tenantId: string;
  readonly extensionName: string;
  readonly tier: string;
  readonly status: LicenseStatus;
  readonly codeHint: string;
  readonly maxActivations: number;
  /** Whether a member sees it. */
  readonly isMembers: boolean;
  /** Null for a member, and for a license of one person. */
  readonly team: BuyerTeam | null;
  /** The devices that hold a seat, the earliest first. */
  readonly devices: readonly BuyerDevice[];
}

interface BuyerDevice {
  readonly id: string;
  readonly label: string | null;
  readonly lastSeenAt: Date;
  /** Whose code it uses, for the buyer; null for the license's own, and for a member. */
  readonly memberEmail: string | null;
}

/** A license that is locked, and its member who acts; null for its buyer. */
interface Locked {
  readonly license: LicenseEntity;
  readonly member: LicenseMemberEntity | null;
}

/** Licenses for their buyers, across all tenants. The caller has verified that the address is the buyer's. */
@Injectable()
export class BuyerLicensesService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly licenses: LicensesRepository,
    private readonly lifecycle: LicenseLifecycleService,
    private readonly seats: SeatsRepository,
    private readonly members: LicenseMembersRepository,
    private readonly team: TeamService,
    private readonly purchases: PurchaseLookup,
    private readonly events: LicenseEventsService,
  ) {}

  /** Lists the newest licenses of an address over all tenants. @param email in lower case, here as below */
  async list(email: string, limit: number): Promise<readonly BuyerLicense[]> {
    const rows = await this.licenses.listOfBuyer(email, limit);
    const ids = rows.map(({ id }) => id);
    const own = rows.filter(({ buyerEmail }) => buyerEmail === email).map(({ id }) => id);
    const seats = await this.seats.listLive(ids);
    const members = await this.members.listOf(own, email);
    const pages = new Map((await this.purchases.pagesOf(own)).map((page) => [page.licenseId, page]));
    const now = this.clock.now();
    return rows.flatMap((row) => {
      const ofLicense = {
        team: members.filter(({ licenseId }) => licenseId === row.id),
        seats: seats.filter(({ licenseId }) => licenseId === row.id),
      };
      const self = ofLicense.team.find((member) => member.email === email);
      return [
        ...(own.includes(row.id) ? [seenByBuyer(row, ofLicense, pages.get(row.id), now)] : []),
        ...(self === undefined ? [] : [seenByMember(row, self, ofLicense, now)]),
      ];
    });
  }

  /** Frees a seat. Repeating it changes nothing. @returns false when the buyer or member has no such license */
  async freeSeat(email: string, licenseId: string, seatId: string): Promise<boolean> {
    return this.tx.run(async () => {
      const locked = await this.lock(email, licenseId);
      if (locked === null) return false;
      const { member } = locked;
      const of = { licenseId, ...(member === null ? {} : { memberId: member.id }) };
      const reason = member === null ? 'buyer' : 'member';
      if ((await this.seats.freeById(of, seatId, this.clock.now())) === true)
        await this.events.tell([{ kind: 'license.seat_freed', licenseId, reason }]);
      return true;
    });
  }

  /** Takes a member off a license. Repeating it changes nothing. @returns false when the buyer has no such license */
  async removeMember(email: string, licenseId: string, memberId: string): Promise<boolean> {
    return this.tx.run(async () => {
      const license = await this.licenses.findOfBuyerForUpdate(email, licenseId);
      if (license === null) return false;
      const member = await this.members.find(licenseId, memberId);
      if (member !== null) await this.team.remove(license, member, 'buyer');
      return true;
    });
  }

  /** Takes the member with an address off a license. Repeating it changes nothing. */
  async leave(email: string, licenseId: string): Promise<void> {
    await this.tx.run(async () => {
      const locked = await this.lockOfMember(email, licenseId);
      if (locked !== null) await this.team.remove(locked.license, locked.member, 'member');
    });
  }

  /**
   * Replaces the code; devices keep their seats.
   * @param codeHint the last characters of the code to replace, so that a repeated request does not replace the new code
   * @returns the new code, and the tenant whose license it is for; null when the buyer has no such license, it is revoked, or its code has another hint
   */
  async rotate(
    email: string,
    licenseId: string,
    codeHint: string,
  ): Promise<{ readonly code: string; readonly tenantId: string } | null> {
    return this.tx.run(async () => {
      const own = await this.licenses.findOfBuyerForUpdate(email, licenseId);
      if (own?.revokedAt === null && own.codeHint === codeHint) {
        const code = await this.lifecycle.replaceCode(own);
        const message = `The buyer replaced the code …${codeHint} by …${own.codeHint}.`;
        await this.lifecycle.addEvent(own, 'license_rotated', message);
        return { code, tenantId: own.tenantId };
      }
      const locked = await this.lockOfMember(email, licenseId);
      if (locked?.license.revokedAt !== null || locked.member.codeHint !== codeHint) return null;
      return { code: await this.team.replaceCode(locked.member), tenantId: locked.license.tenantId };
    });
  }

  private async lock(email: string, licenseId: string): Promise<Locked | null> {
    const own = await this.licenses.findOfBuyerForUpdate(email, licenseId);
    return own === null ? this.lockOfMember(email, licenseId) : { license: own, member: null };
  }

  private async lockOfMember(email: string, licenseId: string) {
    const seen = await this.members.findByEmail(licenseId, email);
    const license = seen?.license ? await this.licenses.findForUpdate(seen.license.tenantId, licenseId) : null;
    const member = license === null ? null : await this.members.findByEmail(licenseId, email);
    return license === null || member === null ? null : { license, member };
  }
}

interface OfLicense {
  readonly team: readonly LicenseMemberEntity[];
  readonly seats: readonly SeatEntity[];
}

const planOf = ({ plan }: LicenseEntity) => plan ?? { maxActivations: 0, maxMembers: null, seatsPerMember: null };

const seenByAll = (row: LicenseEntity, now: Date) => ({
  id: row.id,
  tenantId: row.tenantId,
  extensionName: row.extension?.name ?? '',
  tier: row.plan?.tier ?? '',
  status: statusOf(row, now),
  expiresAt: row.expiresAt,
  graceDays: row.graceDays,
  renewalLeewayHours: row.renewalLeewayHours,
  onEnd: row.onEnd,
  maxActivations: devicesAllowed(row.maxActivations, planOf(row).maxActivations),
});

function seenByBuyer(
  row: LicenseEntity,
  { team: members, seats }: OfLicense,
  pages: PaymentPages | undefined,
  now: Date,
): BuyerLicense {
  const maxMembers = teamOf(row, planOf(row))?.maxMembers ?? 0;
  const shown = members.map(({ id, email, joinedAt, createdAt }) => ({
    id,
    email,
    joinedAt,
    createdAt,
    devices: seats.filter(({ memberId }) => memberId === id).length,
  }));
  const emails = new Map(members.map(({ id, email }) => [id, email]));
  return {
    ...seenByAll(row, now),
    codeHint: row.codeHint,
    isMembers: false,
    team: maxMembers === 0 && members.length === 0 ? null : { maxMembers, members: shown },
    devices: seats.map((seat) => ({ ...deviceOf(seat), memberEmail: emails.get(seat.memberId ?? '') ?? null })),
    receiptUrl: pages?.receiptUrl ?? null,
    portalUrl: pages?.portalUrl ?? null,
  };
}

function seenByMember(row: LicenseEntity, self: LicenseMemberEntity, { seats }: OfLicense, now: Date): BuyerLicense {
  const all = seenByAll(row, now);
  const seatsPerMember = row.seatsPerMember ?? planOf(row).seatsPerMember ?? all.maxActivations;
  return {
    ...all,
    maxActivations: Math.min(all.maxActivations, seatsPerMember),
    codeHint: self.codeHint,
    isMembers: true,
    team: null,
    devices: seats.filter(({ memberId }) => memberId === self.id).map(deviceOf),
    receiptUrl: null,
    portalUrl: null,
  };
}

const deviceOf = ({ id, label, lastSeenAt }: SeatEntity): BuyerDevice => ({ id, label, lastSeenAt, memberEmail: null });
