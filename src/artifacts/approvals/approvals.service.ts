import { Injectable, type OnModuleInit } from '@nestjs/common';
import { actingPerson, actorName, currentActor } from '../../common/access/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { Clock } from '../../common/system/index.js';
import { EventsService, ExtensionsService, type ChangedApproval } from '../../registry/index.js';
import { Stores } from '../../stores/index.js';
import {
  DestinationsService,
  TargetsService,
  type Destination,
  type SentTarget,
  type TargetWithStatus,
} from '../../targets/index.js';
import type { ArtifactEntity } from '../artifact.entity.js';
import { ArtifactsRepository, type PinnedArtifact } from '../artifacts.repository.js';
import { placeOf } from '../scope.js';
import type { ApprovalAct, ApprovalRow } from './approval.entity.js';
import { ApprovalsRepository } from './approvals.repository.js';
import { clearanceOf, isOf, sentenceOfAct, type Asked, type Clearance } from './clearance.js';

const EVERYWHERE = { store: null, targetId: null } as const;

/** Who asks, and from where. */
type Requester = Pick<ApprovalRow, 'requestedBy' | 'requestedById' | 'requestedFrom' | 'commit'>;

/** The content that a request is about. */
type Content = Pick<
  ArtifactEntity,
  'id' | 'extensionId' | 'version' | 'storeVersion' | 'scope' | 'sha256' | 'rollbackOf' | 'pushedById'
>;

/** A pin that may have to be asked for. */
interface Pin {
  readonly act: Extract<ApprovalAct, 'push' | 'pin' | 'rollback'>;
  /** The commit that the pin names. */
  readonly commit: string | null;
  /** The same content was pinned for all of its targets before. */
  readonly isUnchanged: boolean;
  readonly destinations: readonly Destination[];
}

/** Asks for approvals, where an extension requires them, and says what may be sent. */
@Injectable()
export class ApprovalsService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly approvals: ApprovalsRepository,
    private readonly artifacts: ArtifactsRepository,
    private readonly extensions: ExtensionsService,
    private readonly targets: TargetsService,
    private readonly destinations: DestinationsService,
    private readonly events: EventsService,
    private readonly stores: Stores,
  ) {}

  onModuleInit(): void {
    this.targets.sent.add((sent) => this.onSent(sent));
    this.extensions.approvalChanged.add((extension) => this.onChanged(extension));
  }

  /** Whether a content may be sent to a target, or what it waits for. */
  async clearance(content: PinnedArtifact, target: TargetWithStatus): Promise<Clearance> {
    const { isRequired, asked } = await this.approvals.findAbout(content.extensionId, content.version, target.id);
    return clearanceOf(isRequired, asked, content, target);
  }

  /**
   * Asks for what was just pinned, inside the pin's transaction, which has locked the extension and its targets. A push of the same content that
   * waits, or is approved, asks for nothing.
   */
  async askForPin(row: ArtifactEntity, { act, commit, isUnchanged, destinations }: Pin): Promise<void> {
    const { extensionId, version } = row;
    const { isRequired, asked } = await this.approvals.findAbout(extensionId, version);
    if (!isRequired) return this.forgetRejections(row, asked);
    if (!destinations.some(({ enabled }) => enabled)) return;
    if (isUnchanged && this.isPending(asked, row)) return;
    await this.approvals.withdrawReplaced(extensionId, row, this.clock.now());
    await this.insert(row, act, null, requesterWith(commit));
  }

  /** Asks for a content that nobody was asked about: it was pinned before approvals were required. Part of the transaction that notes that it waits. */
  async askFor({ id }: PinnedArtifact): Promise<void> {
    const row = await this.artifacts.find(id);
    if (row === null) return;
    const { pushedBy: requestedBy, pushedById: requestedById, pushedFrom: requestedFrom, commit } = row;
    await this.insert(row, row.rollbackOf === null ? 'push' : 'rollback', null, {
      requestedBy,
      requestedById,
      requestedFrom,
      commit,
    });
  }

  /** Who pins a version again that was rejected, once no approval is required, wants it to be sent. */
  private async forgetRejections(
    { extensionId, version }: Pick<Content, 'extensionId' | 'version'>,
    asked: readonly Asked[],
  ): Promise<void> {
    if (asked.some(({ state }) => state === 'rejected'))
      await this.approvals.withdrawRejected(extensionId, version, this.clock.now());
  }

  /** Whether the newest request about a version is about this content, and was not turned down. */
  private isPending(asked: readonly Asked[], row: ArtifactEntity): boolean {
    const newest = asked.find(
      ({ scope, platform, targetId }) => targetId === null && scope === row.scope && platform === row.platform,
    );
    return newest !== undefined && isOf(newest, row) && (newest.state === 'waiting' || newest.state === 'approved');
  }

  /** A target is to get its version again, or for the first time. */
  private async onSent({ target, act }: SentTarget): Promise<void> {
    const { id, extensionId, status } = target;
    if (status.desiredVersion === null || status.desiredVersion === status.liveVersion) return;
    const pinned = await this.artifacts.findPinned(target, null);
    if (pinned === null) return;
    const { isRequired, asked } = await this.approvals.findAbout(extensionId, pinned.version, id);
    if (!isRequired) return this.forgetRejections(pinned, asked);
    const row = await this.artifacts.find(pinned.id);
    // Who approves what was pushed knows that the target is enabled, and a rejection holds for it too: enabling a target asks for no version again.
    const isRejected = clearanceOf(isRequired, asked, pinned, target).held === 'rejected';
    const isAsked =
      act === 'enable' && (isRejected || asked.some((one) => one.state === 'waiting' && isOf(one, pinned)));
    if (row === null || isAsked) return;
    await this.approvals.withdrawOf(row.id, id, this.clock.now());
    await this.insert(row, act, target, requesterWith(row.commit));
  }

  /** The targets find out at once what they wait for, or that they no longer do. */
  private async onChanged({ id: extensionId, approvalRequired }: ChangedApproval): Promise<void> {
    const who = actorName() ?? 'The operator';
    await this.events.append({
      extensionId,
      kind: approvalRequired ? 'approval_turned_on' : 'approval_turned_off',
      message: approvalRequired
        ? `${who} requires that another person approves each version before it is sent.`
        : `${who} no longer requires that another person approves each version. What waited for approval is sent now.`,
    });
    if (!approvalRequired) await this.approvals.withdrawAll(extensionId, this.clock.now());
    const destinations = await this.destinations.at(extensionId, EVERYWHERE);
    for (const version of new Set(destinations.map(({ desiredVersion }) => desiredVersion)))
      if (version !== null) await this.destinations.makeDue(extensionId, EVERYWHERE, version);
  }

  private async insert(
    { id: artifactId, extensionId, version, storeVersion, scope, sha256, rollbackOf, pushedById }: Content,
    act: ApprovalAct,
    target: TargetWithStatus | null,
    requester: Requester,
  ): Promise<void> {
    const last = await this.approvals.lastAskedAt(extensionId, version);
    const fresh = newRow(new Date(Math.max(this.clock.now().getTime(), (last?.getTime() ?? 0) + 1)));
    const row: ApprovalRow = {
      ...fresh,
      extensionId,
      artifactId,
      targetId: target?.id ?? null,
      act,
      version,
      storeVersion,
      scope,
      sha256,
      rollbackOf,
      ...requester,
      requestedById: requester.requestedById ?? pushedById,
      state: 'waiting',
      decidedBy: null,
      decidedById: null,
      decidedAt: null,
      reason: null,
    };
    if (!(await this.approvals.insert(row))) return;
    const place = placeOf(scope);
    const store = target?.store ?? place.store;
    const where = store === null ? '' : `${this.stores.for(store).title}: `;
    await this.events.append({
      extensionId,
      targetId: row.targetId ?? place.targetId,
      version,
      kind: 'approval_requested',
      message: `${where}Version ${version} waits for approval: ${sentenceOfAct(row)}.`,
      data: { approvalId: row.id, act, requestedById: row.requestedById },
    });
  }
}

/** Who asks now. A token is named with the person who made it. */
function requesterWith(commit: string | null): Requester {
  const actor = currentActor();
  const name = actorName();
  return {
    requestedBy: actor.kind === 'token' && actor.owner !== null ? `${name} (${actor.owner.email})` : name,
    requestedById: actingPerson(),
    requestedFrom: actor.kind === 'ci' ? actor.origin : null,
    commit,
  };
}
