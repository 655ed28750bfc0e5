import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { actorName, lacks, may, mayAsSecondPerson, rolesWith, type Caller } from '../../../common/access/index.js';
import { newRow, timeOfChange, Transactions } from '../../../common/database/index.js';
import {
  InsufficientScope,
  InvalidRequest,
  NothingToUpdate,
  orThrow,
  RoleNotAllowed,
} from '../../../common/problems/index.js';
import { Clock, DAY_MS, HOUR_MS } from '../../../common/system/index.js';
import { Processors, type ProcessorId } from '../../../payments/index.js';
import { MembershipsRepository, type MembershipEntity } from '../../../platform/accounts/index.js';
import { AuditLog } from '../../../platform/audit/index.js';
import { STORE_IDS, Stores, type StoreId } from '../../../stores/index.js';
import { pagesAt } from '../../../targets/index.js';
import type { Overview, OverviewNeed, UpdateNeed } from '../overview.dto.js';
import { OverviewRepository, type TargetRow } from '../overview.repository.js';
import { permissionFor } from './acts.js';
import { AssignmentMailsService } from './assignment-mails.service.js';
import type { NeedMarkEntity } from './need-mark.entity.js';
import { NeedMarksRepository, type NeedMarkRow } from './need-marks.repository.js';
import type { Need } from './need.js';
import { AssigneeCannotAct, NeedNotFound } from './needs.problems.js';
import { needsOf, type NeedFacts } from './needs.js';
import { isSnoozed } from './snooze.js';

/** Needs that are shown, and as many that are snoozed. */
const MAX_NEEDS = 100;
/** Needs of a kind that are looked at: more than are shown, since which of them are snoozed is known only then. */
const MAX_LOOKED_AT = 1000;
/** As early as the first notification about an expiring credential. */
const EXPIRING_WITHIN_MS = 14 * DAY_MS;
/** The longest snooze, and for how long a mark is kept that nobody changes, and that assigns no need which stands. */
const MARK_MS = 90 * DAY_MS;

/** Whose view of what needs attention is asked for. */
type Viewer = Pick<Caller, 'tenantId' | 'extensionIds' | 'role' | 'scopes' | 'actor'>;

/** Sees all of a tenant. */
const SERVICE = { extensionIds: null, role: null, scopes: null, actor: { kind: 'service' } } as const;

/** What needs attention, until when nobody has to see it, and who sees to it. */
@Injectable()
export class NeedsService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly overviews: OverviewRepository,
    private readonly marks: NeedMarksRepository,
    private readonly memberships: MembershipsRepository,
    private readonly stores: Stores,
    private readonly processors: Processors,
    private readonly audit: AuditLog,
    private readonly mails: AssignmentMailsService,
  ) {}

  /** Lists what needs attention, as far as the caller may read it. */
  async list(caller: Caller): Promise<Pick<Overview, 'needs' | 'snoozed'>> {
    const now = this.clock.now();
    const found = await this.found(caller);
    const marks = await this.marks.find(
      caller.tenantId,
      found.map(({ key }) => key),
    );
    const byKey = new Map(marks.map((mark) => [mark.key, mark]));
    const shown = found.map((need) => shownNeed(need, byKey.get(need.key), caller, now));
    return {
      needs: shown.filter(({ snoozedUntil }) => snoozedUntil === null).slice(0, MAX_NEEDS),
      snoozed: shown.filter(({ snoozedUntil }) => snoozedUntil !== null).slice(0, MAX_NEEDS),
    };
  }

  /**
   * Snoozes a need for the whole tenant, or says who sees to it.
   * @throws NeedNotFound, RoleNotAllowed, InsufficientScope, InvalidRequest, AssigneeCannotAct, NothingToUpdate
   */
  async update(caller: Caller, key: string, input: UpdateNeed): Promise<OverviewNeed> {
    const { tenantId } = caller;
    const need = orThrow(
      (await this.found(caller)).find((one) => one.key === key),
      NeedNotFound,
    );
    assertMayAnswer(caller, need);
    const until = this.untilOf(input.snoozedUntil);
    if (until === undefined && input.assigneeId === undefined) throw new NothingToUpdate();
    return this.tx.run(async () => {
      const now = this.clock.now();
      const member = await this.assigneeOf(tenantId, need, input.assigneeId);
      const before = await this.marks.getForUpdate(newMark(tenantId, need, now));
      const wasWith = before.assigneeId === null ? null : await this.memberships.getWithUser(before.assigneeId);
      const change = {
        ...(until === undefined ? {} : { snoozedUntil: until, snoozedBy: until && actorName(), ...seen(need) }),
        ...(member === undefined ? {} : { assigneeId: member?.id ?? null }),
        updatedAt: timeOfChange(before, now),
      };
      await this.marks.update(before.id, change);
      const assignee = member === undefined ? wasWith : member;
      const after = { ...before, ...change, assignee };
      const subject = { ...after, what: need.what };
      await this.audit.record(tenantId, 'need.updated', subject, {
        before: { ...before, assignee: emailOf(wasWith) },
        after: { ...after, assignee: emailOf(assignee) },
      });
      if (member != null && member.id !== before.assigneeId) await this.mails.send(tenantId, need, member);
      return shownNeed(need, after, caller, now);
    });
  }

  /** Deletes marks that nobody changed for 90 days, but those that say who sees to a need which stands. */
  @Interval('need-mark-cleanup', HOUR_MS)
  async deleteOld(): Promise<void> {
    const time = new Date(this.clock.now().getTime() - MARK_MS);
    for (const tenantId of await this.marks.tenantsBefore(time)) {
      const standing = await this.found({ tenantId, ...SERVICE });
      await this.marks.deleteBefore(
        tenantId,
        time,
        standing.map(({ key }) => key),
      );
    }
  }

  /** The end of a snooze; null to end it, undefined to leave it. */
  private untilOf(given: string | null | undefined): Date | null | undefined {
    if (given == null) return given;
    const until = new Date(given);
    const now = this.clock.now();
    if (until <= now || until.getTime() > now.getTime() + MARK_MS)
      throw new InvalidRequest([{ field: 'snoozedUntil', message: 'must be within the next 90 days.' }]);
    return until;
  }

  /** The member who is to see to a need; null for nobody, undefined to leave it. */
  private async assigneeOf(
    tenantId: string,
    { kind, approvalId }: Need,
    userId: string | null | undefined,
  ): Promise<MembershipEntity | null | undefined> {
    if (userId == null) return userId;
    const member = await this.memberships.findMemberForKeyShare(tenantId, userId);
    if (member === null) throw new InvalidRequest([{ field: 'assigneeId', message: 'must be the id of a member.' }]);
    const email = emailOf(member) ?? '';
    if (!rolesWith(permissionFor(kind)).includes(member.role))
      throw new AssigneeCannotAct(email, `is a ${member.role}, whose role may not answer this`);
    if (approvalId !== null && (await this.overviews.requesterOf(approvalId)) === member.userId)
      throw new AssigneeCannotAct(email, 'asked for this approval, which another person gives');
    return member;
  }

  private async found(caller: Viewer): Promise<readonly Need[]> {
    const { tenantId, extensionIds } = caller;
    const now = this.clock.now();
    const isWhole = extensionIds === null;
    const counted = { sales: isWhole && may(caller, 'licenses:read'), notifications: isWhole };
    const until = new Date(now.getTime() + EXPIRING_WITHIN_MS);
    const [targets, approvals, credentials, waiting] = await Promise.all([
      this.overviews.targetsInNeed(tenantId, extensionIds, MAX_LOOKED_AT),
      this.overviews.approvalsInNeed(tenantId, extensionIds, MAX_LOOKED_AT),
      isWhole && may(caller, 'credentials:read')
        ? this.overviews.credentialsInNeed(tenantId, until, MAX_LOOKED_AT)
        : [],
      this.overviews.waiting(tenantId, counted, now),
    ]);
    const facts: NeedFacts = {
      rights: { publish: may(caller, 'extensions:write'), rotate: may(caller, 'credentials:write') },
      targets: targets.map((row) => ({ ...row, ...this.placeOf(row) })),
      approvals: approvals.map(({ requestedById, ...row }) => ({
        ...row,
        isYours: mayAsSecondPerson(caller, 'artifacts:write', requestedById),
      })),
      credentials: credentials.map(({ provider, expiresAt, ...row }) => ({
        ...row,
        // One that is here for its test mode may expire much later.
        expiresAt: expiresAt !== null && expiresAt <= until ? expiresAt : null,
        title: this.titleOf(provider),
      })),
      ...waiting,
    };
    return needsOf(facts, now);
  }

  private placeOf(row: TargetRow): { storeTitle: string; dashboard: string } {
    const store = this.stores.for(row.store);
    return { storeTitle: store.title, dashboard: pagesAt(store, row).dashboard };
  }

  private titleOf(provider: StoreId | ProcessorId): string {
    const store = STORE_IDS.find((id) => id === provider);
    return store === undefined ? this.processors.for(provider as ProcessorId).title : this.stores.for(store).title;
  }
}

/** Only who may answer a need may hide it from the others. */
function assertMayAnswer(caller: Caller, { kind }: Need): void {
  const permission = permissionFor(kind);
  if (may(caller, permission)) return;
  if (lacks({ role: caller.role, scopes: null }, permission) === null) throw new InsufficientScope(permission);
  throw new RoleNotAllowed(caller.role ?? '', permission);
}

const seen = ({ count, at, message }: Need): Pick<NeedMarkRow, 'seenCount' | 'seenAt' | 'seenMessage'> => ({
  seenCount: count,
  seenAt: at,
  seenMessage: message,
});

const newMark = (tenantId: string, need: Need, now: Date): NeedMarkRow => ({
  ...newRow(now),
  tenantId,
  extensionId: need.extensionId,
  key: need.key,
  snoozedUntil: null,
  snoozedBy: null,
  ...seen(need),
  assigneeId: null,
});

const emailOf = (member: MembershipEntity | null | undefined): string | null => member?.user?.email ?? null;

function shownNeed(need: Need, mark: NeedMarkEntity | undefined, caller: Caller, now: Date): OverviewNeed {
  const { snoozedUntil = null, snoozedBy = null, assignee = null } = mark ?? {};
  const isHidden =
    mark !== undefined &&
    snoozedUntil !== null &&
    isSnoozed(
      need,
      {
        until: snoozedUntil,
        since: mark.updatedAt,
        count: mark.seenCount,
        at: mark.seenAt,
        message: mark.seenMessage,
      },
      now,
    );
  return {
    ...need,
    snoozedUntil: isHidden ? snoozedUntil : null,
    snoozedBy: isHidden ? snoozedBy : null,
    changeable: may(caller, permissionFor(need.kind)),
    assignee: assignee === null ? null : { userId: assignee.userId, email: emailOf(assignee) ?? '' },
  };
}
