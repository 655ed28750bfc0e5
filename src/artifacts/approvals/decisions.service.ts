import { Injectable } from '@nestjs/common';
import { mayAsSecondPerson, type Caller, type SessionCaller } from '../../common/access/index.js';
import { timeOfChange, Transactions } from '../../common/database/index.js';
import { pageFrom, type Page } from '../../common/fields/index.js';
import { orThrow } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { EventsService, ExtensionsService } from '../../registry/index.js';
import { DestinationsService } from '../../targets/index.js';
import { placeOf } from '../scope.js';
import { APPROVAL_STATES, type ApprovalRow, type ApprovalState } from './approval.entity.js';
import type { Approval, ListApprovals } from './approvals.dto.js';
import { ApprovalDecided, ApprovalNotFound, OwnRelease } from './approvals.problems.js';
import { ApprovalsRepository } from './approvals.repository.js';

type Decision = Extract<ApprovalState, 'approved' | 'rejected'>;

/** Requests to send versions as people see them, and their decisions. */
@Injectable()
export class DecisionsService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly approvals: ApprovalsRepository,
    private readonly extensions: ExtensionsService,
    private readonly destinations: DestinationsService,
    private readonly events: EventsService,
    private readonly audit: AuditLog,
  ) {}

  /** Lists requests, newest first. */
  async list(caller: Caller, { extension, state = 'waiting', ...query }: ListApprovals): Promise<Page<Approval>> {
    const { tenantId, extensionIds } = caller;
    if (extension !== undefined) await this.extensions.getOrThrow(tenantId, extension);
    const filter = { tenantId, extensionIds, extensionId: extension ?? null, states: statesOf(state) };
    return pageFrom(
      query,
      (start) => this.approvals.list(filter, start),
      (row) => toApproval(row, caller),
    );
  }

  async get(caller: Caller, id: string): Promise<Approval> {
    return toApproval(orThrow(await this.approvals.findOwn(caller.tenantId, id), ApprovalNotFound), caller);
  }

  /** Lets the version be sent. Repeating it, or approving what somebody else has approved, changes nothing. */
  approve(caller: SessionCaller, id: string): Promise<Approval> {
    return this.decide(caller, id, 'approved', null);
  }

  /** Keeps the version from being sent. Repeating it changes nothing. */
  reject(caller: SessionCaller, id: string, reason: string): Promise<Approval> {
    return this.decide(caller, id, 'rejected', reason);
  }

  /**
   * The extension and its targets are locked first, as by a push: other content is pinned either before, and then the request is withdrawn, or after,
   * and then it waits for another decision.
   */
  private async decide(caller: SessionCaller, id: string, state: Decision, reason: string | null): Promise<Approval> {
    const { tenantId } = caller;
    return this.tx.run(async () => {
      const found = orThrow(await this.approvals.findOwn(tenantId, id), ApprovalNotFound);
      if (!mayDecide(caller, found)) throw new OwnRelease();
      await this.extensions.lock(found.extensionId);
      const place = placeOf(found.scope);
      await this.destinations.at(found.extensionId, place);
      const row = orThrow(await this.approvals.findOwnForUpdate(tenantId, id), ApprovalNotFound);
      if (row.state === state) return toApproval(row, caller);
      if (row.state !== 'waiting') throw new ApprovalDecided(row.state, row.decidedBy);
      const before = { ...row };
      const now = timeOfChange(row, this.clock.now());
      const { name: decidedBy, id: decidedById } = personOf(caller);
      const decided = { ...row, state, decidedBy, decidedById, decidedAt: now, reason, updatedAt: now };
      await this.approvals.decide(id, { state, decidedBy, decidedById, decidedAt: now, reason, updatedAt: now });
      await this.destinations.makeDue(row.extensionId, place, row.storeVersion);
      await this.announce(decided);
      await this.audit.record(tenantId, `approval.${state}`, row, { before, after: decided });
      return toApproval(decided, caller);
    });
  }

  private announce({
    id,
    extensionId,
    targetId,
    scope,
    version,
    state,
    requestedById,
    decidedBy,
    reason,
  }: ApprovalRow): Promise<void> {
    const why = reason === null ? '.' : `: ${reason}`;
    return this.events.append({
      extensionId,
      targetId: targetOf({ targetId, scope }),
      version,
      kind: `approval_${state}`,
      message: `${decidedBy} ${state} version ${version}${why}`,
      data: { approvalId: id, requestedById },
    });
  }
}

function personOf({ actor }: SessionCaller): { readonly id: string; readonly name: string } {
  if (actor.kind !== 'user') throw new Error('Only people have sessions');
  return actor;
}

/** Whether a caller may decide about a request: a person who may publish, and not the one who asked. Pure. */
const mayDecide = (caller: Caller, { requestedById }: Pick<ApprovalRow, 'requestedById'>): boolean =>
  mayAsSecondPerson(caller, 'artifacts:write', requestedById);

const DECIDED: readonly ApprovalState[] = ['approved', 'rejected'];

const statesOf = (state: NonNullable<ListApprovals['state']>): readonly ApprovalState[] =>
  state === 'all' ? APPROVAL_STATES : state === 'decided' ? DECIDED : [state];

/** The one target that a request is about, since it was asked for again or is pinned there alone. Pure. */
const targetOf = ({ targetId, scope }: Pick<ApprovalRow, 'targetId' | 'scope'>): string | null =>
  targetId ?? placeOf(scope).targetId;

const toApproval = (row: ApprovalRow, caller: Caller): Approval => ({
  id: row.id,
  extensionId: row.extensionId,
  artifactId: row.artifactId,
  targetId: targetOf(row),
  act: row.act,
  version: row.version,
  store: placeOf(row.scope).store,
  sha256: row.sha256,
  rollbackOf: row.rollbackOf,
  requestedBy: row.requestedBy,
  requestedFrom: row.requestedFrom,
  commit: row.commit,
  state: row.state,
  decidedBy: row.decidedBy,
  decidedAt: row.decidedAt,
  reason: row.reason,
  isYours: row.state === 'waiting' && mayDecide(caller, row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
