import { Injectable } from '@nestjs/common';
import { actorName } from '../../common/access/index.js';
import { newRow, Transactions } from '../../common/database/index.js';
import { orThrow } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { EventsService, ExtensionsService } from '../../registry/index.js';
import { compareVersions, Stores, type StoreFinding } from '../../stores/index.js';
import { channelOrNull, DestinationsService, type TargetWithStatus } from '../../targets/index.js';
import { findingView, sentenceOf } from '../archive/index.js';
import type { ArtifactEntity } from '../artifact.entity.js';
import { ArtifactNotFound } from '../artifacts.problems.js';
import { ArtifactsRepository } from '../artifacts.repository.js';
import { FindingOverrideEntity } from './finding-override.entity.js';
import type { FindingDecision, FindingList, PushedFinding } from './findings.dto.js';
import { FindingHoldsNothing, FindingNotFound } from './findings.problems.js';
import { FindingsRepository } from './findings.repository.js';
import { holds } from './holding.js';

/** A version with what was found in its package. */
type JudgedVersion = Pick<ArtifactEntity, 'extensionId' | 'storeVersion' | 'findings'>;

/** Findings in the packages that were pushed, and decisions of people about them. */
@Injectable()
export class FindingsService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly artifacts: ArtifactsRepository,
    private readonly findings: FindingsRepository,
    private readonly extensions: ExtensionsService,
    private readonly events: EventsService,
    private readonly stores: Stores,
    private readonly destinations: DestinationsService,
    private readonly audit: AuditLog,
  ) {}

  /** The findings of an artifact, for all stores; those that only matter in a channel or to an item, where a target is there. */
  async list(tenantId: string, artifactId: string): Promise<FindingList> {
    const artifact = orThrow(await this.artifacts.findOwn(tenantId, artifactId), ArtifactNotFound);
    const targets = await this.destinations.placesOf(artifact.extensionId);
    const found = artifact.findings ?? [];
    const concerning = new Set(targets.flatMap((target) => this.stores.for(target.store).concerning(found, target)));
    const findings = found.filter(
      (finding) => concerning.has(finding) || (finding.channels === undefined && finding.itemId === undefined),
    );
    return { items: await this.shown({ ...artifact, findings }) };
  }

  /** Findings with what became of them. */
  async shown({ extensionId, storeVersion, findings }: JudgedVersion): Promise<readonly PushedFinding[]> {
    const found = findings ?? [];
    const overrides = await this.overridesOf(extensionId, found);
    return found.map((finding) => {
      const decision = decisionOn(finding.id, storeVersion, overrides);
      return {
        ...findingView(finding),
        holds: holds(finding, storeVersion, overrides),
        overriddenAt: decision?.overriddenAt ?? null,
        overriddenBy: decision?.overriddenBy ?? null,
        acceptedAt: decision?.acceptedAt ?? null,
      };
    });
  }

  /** The decisions because of which findings do not hold a version, whichever its package has. */
  async decisions(extensionId: string, storeVersion: string): Promise<readonly FindingDecision[]> {
    const overrides = await this.findings.findAll(extensionId);
    const ids = new Set(overrides.map(({ findingId }) => findingId));
    return [...ids].flatMap((id) => decisionOn(id, storeVersion, overrides) ?? []);
  }

  /** The findings that keep a version from a target. Asks the database only where there are any. */
  async holding(version: JudgedVersion, target: TargetWithStatus): Promise<readonly StoreFinding[]> {
    if (target.preflight === 'off') return [];
    const refused = this.refusedAt(version, target);
    const overrides = await this.overridesOf(version.extensionId, refused);
    return refused.filter((finding) => holds(finding, version.storeVersion, overrides));
  }

  /**
   * Lets a version be sent despite one finding. Repeating it changes nothing.
   * @throws ArtifactNotFound, FindingNotFound; FindingHoldsNothing for a warning or a note
   */
  async override(tenantId: string, artifactId: string, findingId: string): Promise<PushedFinding> {
    return this.tx.run(async () => {
      const { extensionId } = orThrow(await this.artifacts.findOwn(tenantId, artifactId), ArtifactNotFound);
      await this.extensions.lock(extensionId);
      const artifact = orThrow(await this.artifacts.findOwnForUpdate(tenantId, artifactId), ArtifactNotFound);
      const finding = orThrow(
        artifact.findings?.find(({ id }) => id === findingId),
        FindingNotFound,
      );
      if (finding.severity !== 'refused') throw new FindingHoldsNothing();
      const known = await this.findings.find(extensionId, [findingId]);
      if (holds(finding, artifact.storeVersion, known)) await this.add(tenantId, artifact, finding);
      const [shown] = await this.shown({ ...artifact, findings: [finding] });
      return orThrow(shown, FindingNotFound);
    });
  }

  /** Records that a store took what Pierhead sent from a target. Part of the transaction that records the submission. */
  async noteAccepted(artifactId: string, target: TargetWithStatus): Promise<void> {
    const artifact = await this.artifacts.findJudged(artifactId);
    if (artifact === null) return;
    const sent = this.refusedAt(artifact, target);
    const overrides = await this.overridesOf(artifact.extensionId, sent);
    const own = overrides.filter(({ version }) => compareVersions(version, artifact.storeVersion) === 0);
    if (own.length > 0)
      await this.findings.accept(
        own.map(({ id }) => id),
        this.clock.now(),
      );
  }

  /** The findings for which the store of a target would refuse a version there. */
  private refusedAt(
    { findings }: JudgedVersion,
    { store, channel, storeItemId }: Pick<TargetWithStatus, 'store' | 'channel' | 'storeItemId'>,
  ): readonly StoreFinding[] {
    const target = { channel: channelOrNull(channel), storeItemId };
    return this.stores
      .for(store)
      .concerning(findings ?? [], target)
      .filter(({ severity }) => severity === 'refused');
  }

  private async add(tenantId: string, artifact: ArtifactEntity, finding: StoreFinding): Promise<void> {
    const { extensionId, version, storeVersion } = artifact;
    const { id: findingId, store } = finding;
    const fresh = newRow(this.clock.now());
    const given = { extensionId, store, findingId, version: storeVersion, overriddenBy: actorName() };
    const row = Object.assign(new FindingOverrideEntity(), fresh, given);
    await this.findings.insert(row);
    await this.destinations.makeDue(extensionId, { store, targetId: null }, storeVersion);
    await this.events.append({
      extensionId,
      version,
      kind: 'finding_overridden',
      message: `${this.stores.for(store).title}: version ${version} is sent despite a finding: ${sentenceOf(finding)}`,
      data: { findingId },
    });
    await this.audit.record(tenantId, 'finding.overridden', row, { after: row });
  }

  private overridesOf(extensionId: string, findings: readonly StoreFinding[]): Promise<FindingOverrideEntity[]> {
    const refused = findings.filter(({ severity }) => severity === 'refused');
    return this.findings.find(
      extensionId,
      refused.map(({ id }) => id),
    );
  }
}

/** The override of a finding for a version, or else the one that its store took; null for neither. */
function decisionOn(
  findingId: string,
  storeVersion: string,
  overrides: readonly FindingOverrideEntity[],
): FindingDecision | null {
  const own = overrides.filter((one) => one.findingId === findingId);
  const accepted = own.find(({ acceptedAt }) => acceptedAt !== null);
  const decided = own.find(({ version }) => compareVersions(version, storeVersion) === 0) ?? accepted;
  if (decided === undefined) return null;
  const { createdAt: overriddenAt, overriddenBy } = decided;
  return { findingId, overriddenAt, overriddenBy, acceptedAt: accepted?.acceptedAt ?? null };
}
