import { Injectable } from '@nestjs/common';
import { TemporaryFiles } from '../../common/storage/index.js';
import { Clock, HOUR_MS } from '../../common/system/index.js';
import { Transactions } from '../../common/database/index.js';
import { ExtensionsService } from '../../registry/index.js';
import { preflight, type ReleaseNotes, Stores } from '../../stores/index.js';
import type { Destination, Place } from '../../targets/index.js';
import { accessOf, inOneText } from '../archive/index.js';
import type { ArtifactEntity } from '../artifact.entity.js';
import type {
  CheckPackage,
  CheckQuery,
  DeduplicatedPush,
  PackageCheck,
  PinAgain,
  PushQuery,
  UploadedPush,
} from '../artifacts.dto.js';
import { ApprovalsService } from '../approvals/index.js';
import { ArtifactRequired, SignedPackageElsewhere } from '../artifacts.problems.js';
import { toArtifact } from '../artifacts.service.js';
import { type PushedVersion, PushJudgementService } from './push-judgement.service.js';
import { PackagesService, receivePackage, type Upload, UploadLimitsService } from '../packages/index.js';
import { pusher } from './pusher.js';
import { NOTHING, readManifest, storeVersionOf, type Pushed } from './read-push.js';
import { orNull, releaseNotesOf, textsIn, textsOf, type Order } from './push-texts.js';
import { placeOf } from '../scope.js';
import { isSameContent, VersionsService } from './versions.service.js';

/** Time that stores wait for announced sources: longer than the largest archive takes over a slow connection. */
const SOURCE_DUE_MS = HOUR_MS;

/** The sources of a version that is pinned again, and the time until which stores waited for them. */
type Sources = Pick<ArtifactEntity, 'sourceBlobId' | 'sourceSha256' | 'sourceSize' | 'sourceDueAt'>;

/** Columns that a pin changes besides its content. */
interface PinChange {
  readonly isNew: boolean;
  readonly isSame: boolean;
  readonly sources: Sources | null;
  readonly pinnedAt: Date;
}

/** Receives, inspects, deduplicates and pins what tenants push. */
@Injectable()
export class PushesService {
  constructor(
    private readonly clock: Clock,
    private readonly tx: Transactions,
    private readonly temporary: TemporaryFiles,
    private readonly extensions: ExtensionsService,
    private readonly stores: Stores,
    private readonly packages: PackagesService,
    private readonly versions: VersionsService,
    private readonly limits: UploadLimitsService,
    private readonly judgement: PushJudgementService,
    private readonly approvals: ApprovalsService,
  ) {}

  /** Pins a version, with the package that is uploaded where one is needed. */
  async push(tenantId: string, query: PushQuery, upload: Upload | null): Promise<UploadedPush | DeduplicatedPush> {
    await this.extensions.getOrThrow(tenantId, query.extension);
    const order = { ...query, place: await this.versions.placeOf(query.extension, query) };
    return upload === null
      ? this.pinWithoutPackage(tenantId, order)
      : this.limits.receive(tenantId, () => this.pushPackage(tenantId, order, upload));
  }

  /** Checks a package as a push would, and changes nothing. */
  async check(tenantId: string, query: CheckQuery, input: CheckPackage): Promise<PackageCheck> {
    const { sha256, contentSha256 = null, size, hasNotes = null } = input;
    const releaseNotes = { notes: input.notes ?? null, localizedNotes: input.localizedNotes ?? {} };
    const content = { sha256, contentSha256 };
    const { extension } = query;
    await this.extensions.getOrThrow(tenantId, extension);
    const place = await this.versions.placeOf(extension, query);
    const manifest = readManifest(input.manifest);
    const { version } = manifest;
    const asked = { extensionId: extension, version, storeVersion: version, place, build: null };
    const found = preflight({ manifest: input.manifest, repeatedKeys: [], size, contents: null });
    return this.tx.run(async () => {
      const resolved = await this.versions.begin(asked);
      const { destinations, pushed } = resolved;
      this.versions.assertAccepted(version, destinations, place.store);
      this.versions.assertNewer(version, destinations);
      this.versions.assertContent(resolved, asked, content);
      const deduplicated = pushed !== null && isSameContent(pushed, content);
      if (pushed !== null && !deduplicated) this.versions.assertReplaceable(pushed, destinations);
      this.versions.assertNotesFit(releaseNotes, destinations, place.store);
      const judged = {
        extensionId: extension,
        storeVersion: version,
        manifest,
        findings: found,
        hasNotes,
        releaseNotes,
      };
      const { warnings, findings } = await this.judgement.judge(judged, destinations);
      const decisions = await this.judgement.decisions(extension, version);
      return { version: resolved.version, deduplicated, warnings, findings, decisions, access: accessOf(manifest) };
    });
  }

  /** Pins what was pushed before, with its notes and sources, for another store or target, or for every target. */
  async pinAgain(tenantId: string, id: string, named: PinAgain): Promise<UploadedPush | DeduplicatedPush> {
    return this.tx.run(async () => {
      const { from, place: asked } = await this.versions.findPushedForUpdate(tenantId, id, named);
      const { extensionId, version, manifest, format, sha256, contentSha256, size, findings } = from;
      const { app, place } = pinnedAgain(from, asked);
      const query = { extension: extensionId, version, place, ...textsOf(from) };
      if (format === null || sha256 === null || size === null) return this.pinWithoutPackage(tenantId, query, 'pin');
      return this.pin(
        tenantId,
        query,
        {
          act: 'pin',
          app,
          received: { format, sha256, contentSha256, size },
          manifest,
          judge: findings === null ? null : () => findings,
        },
        () => Promise.resolve(from.blobId),
        from,
      );
    });
  }

  private async pinWithoutPackage(
    tenantId: string,
    query: Order,
    act: Pushed['act'] = 'push',
  ): Promise<UploadedPush | DeduplicatedPush> {
    if (query.place.store === null || this.stores.for(query.place.store).capabilities.requiresArtifact)
      throw new ArtifactRequired();
    return this.pin(tenantId, query, { ...NOTHING, act }, null);
  }

  private async pushPackage(tenantId: string, asked: Order, upload: Upload): Promise<UploadedPush | DeduplicatedPush> {
    const path = await this.temporary.path();
    try {
      const { file: received, fields } = await receivePackage(upload, path, this.limits.packageBytes);
      const query = { ...asked, ...textsIn(fields) };
      if (received === null) return await this.pinWithoutPackage(tenantId, query);
      const { pushed, read } = await this.judgement.read(query, path, received);
      return await this.packages.store(path, { ...received, read }, (blobId) =>
        this.limits.withinStorageLimit(
          tenantId,
          ({ deduplicated }) => !deduplicated,
          () => this.pin(tenantId, query, pushed, blobId),
        ),
      );
    } finally {
      await this.temporary.discard(path);
    }
  }

  private async pin(
    tenantId: string,
    asked: Order,
    pushed: Pushed,
    blobId: (() => Promise<string | null>) | null,
    sources: Sources | null = null,
  ): Promise<UploadedPush | DeduplicatedPush> {
    const { extension: extensionId, place } = asked;
    this.assertTaken(pushed, place);
    return this.tx.run(async () => {
      const { app: build, received } = pushed;
      const storeVersion = storeVersionOf(pushed, asked.version);
      const request = { extensionId, version: asked.version, storeVersion, place, build };
      const resolved = await this.versions.begin(request);
      const { version, destinations } = resolved;
      this.versions.assertAccepted(storeVersion, destinations, place.store);
      this.versions.assertNewer(storeVersion, destinations);
      const { row, isNew } = await this.versions.findOrNew({ ...request, version });
      const releaseNotes = releaseNotesOf(asked, row);
      this.versions.assertNotesFit(releaseNotes, destinations, place.store);
      const before = isNew ? null : { ...row };
      const isSame = !isNew && isSameContent(row, received);
      this.versions.assertContent(resolved, request, received);
      if (isSame) this.takeRepacked(row, pushed, destinations);
      else {
        if (!isNew) this.replace(row, destinations);
        Object.assign(row, contentOf(pushed, storeVersion), { findings: null, ...pusher(asked.commit) });
      }
      // The rules may be others than at the first push, and the zip that stays may be another.
      row.findings = pushed.judge?.(row.size ?? 0) ?? row.findings;
      await takeFile(row, pushed, blobId);
      await this.pinRow(row, asked, { isNew, isSame, sources, pinnedAt: resolved.pinnedAt });
      const isUnchanged = isSame && destinations.every(({ desiredVersion }) => desiredVersion === row.storeVersion);
      const commit = asked.commit ?? row.commit;
      await this.approvals.askForPin(row, { act: pushed.act, commit, isUnchanged, destinations });
      await this.versions.recordPush(tenantId, before, row, destinations);
      const { warnings, findings } = await this.judgement.judge(judgedOf(row, releaseNotes), destinations);
      const warning = inOneText(warnings);
      return {
        artifact: toArtifact(row),
        deduplicated: isSame,
        findings,
        ...(warning === undefined ? {} : { warning }),
      };
    });
  }

  /** @throws SignedPackageElsewhere */
  private assertTaken({ received }: Pushed, { store }: Place): void {
    if (received?.format !== 'crx') return;
    if (store === null || !this.stores.for(store).capabilities.signedPackages) throw new SignedPackageElsewhere();
  }

  /** Drops the content that a version had so far. */
  private replace(row: ArtifactEntity, destinations: readonly Destination[]): void {
    this.versions.assertReplaceable(row, destinations);
    row.replacedAt = this.clock.now();
    this.dropFile(row);
  }

  /** Takes the same content in a smaller zip, which may fit into a store's limit, or signed in another way. */
  private takeRepacked(
    row: ArtifactEntity,
    { received, manifest }: Pushed,
    destinations: readonly Destination[],
  ): void {
    if (received === null || row.size === null || row.sha256 === received.sha256) return;
    const isSigned = row.format === 'crx' || received.format === 'crx';
    if ((!isSigned && received.size >= row.size) || !this.versions.isReplaceable(row, destinations)) return;
    this.dropFile(row);
    // A store that refused the other package is sent this one.
    Object.assign(row, contentOf({ received, manifest }, row.storeVersion), { replacedAt: this.clock.now() });
  }

  private dropFile({ blobId }: ArtifactEntity): void {
    if (blobId !== null) this.tx.afterCommit(() => this.packages.dropSoon([blobId]));
  }

  /** Copies the sources of the artifact that is pinned again. */
  private takeSources(row: ArtifactEntity, { sourceBlobId, sourceSha256, sourceSize }: Sources): void {
    const former = row.sourceBlobId;
    if (sourceBlobId === null || sourceBlobId === former) return;
    Object.assign(row, { sourceBlobId, sourceSha256, sourceSize });
    if (former !== null) this.tx.afterCommit(() => this.packages.dropSoon([former]));
  }

  private async pinRow(
    row: ArtifactEntity,
    query: Order,
    { isNew, isSame, sources, pinnedAt }: PinChange,
  ): Promise<void> {
    const now = this.clock.now();
    const { reviewerNotes = row.reviewerNotes, justifications = row.justifications } = query;
    const { notes, localizedNotes } = releaseNotesOf(query, row);
    if (sources !== null) this.takeSources(row, sources);
    const awaited = query.source === undefined ? null : new Date(now.getTime() + SOURCE_DUE_MS);
    const sourceDueAt = sources === null ? awaited : sources.sourceDueAt;
    const texts = { notes, localizedNotes: orNull(localizedNotes), reviewerNotes, justifications };
    Object.assign(row, { ...texts, sourceDueAt, pinnedAt, updatedAt: now });
    await this.versions.save(row, isNew);
    await this.versions.announce(row, isSame);
  }
}

/** The build of an artifact, and where it is pinned: an app is for its own store alone. @throws ArtifactRequired elsewhere */
function pinnedAgain(
  { scope, platform, buildNumber, storeVersion }: ArtifactEntity,
  asked: Place,
): { readonly app: Pushed['app']; readonly place: Place } {
  const own = placeOf(scope);
  if (platform === '' || own.store === null) return { app: null, place: asked };
  if (asked.store !== null && asked.store !== own.store) throw new ArtifactRequired();
  return { app: { platform, buildNumber, version: storeVersion }, place: asked.store === null ? own : asked };
}

const contentOf = (
  { received, manifest }: Pick<Pushed, 'received' | 'manifest'>,
  storeVersion: string,
): Pick<ArtifactEntity, 'format' | 'sha256' | 'contentSha256' | 'size' | 'manifest' | 'storeVersion'> => ({
  format: received?.format ?? null,
  sha256: received?.sha256 ?? null,
  contentSha256: received?.contentSha256 ?? null,
  size: received?.size ?? null,
  manifest,
  storeVersion,
});

/** Also of the same zip, whose file may have been lost; of the same content packed again, the zip of the row stays. */
async function takeFile(
  row: ArtifactEntity,
  { received }: Pushed,
  blobId: (() => Promise<string | null>) | null,
): Promise<void> {
  if (row.sha256 === (received?.sha256 ?? null)) row.blobId = (await blobId?.()) ?? null;
}

function judgedOf(row: ArtifactEntity, releaseNotes: ReleaseNotes): PushedVersion {
  const { extensionId, storeVersion, manifest, notes, localizedNotes } = row;
  const hasNotes = notes !== null || localizedNotes !== null;
  return { extensionId, storeVersion, manifest, findings: row.findings ?? [], hasNotes, releaseNotes };
}
