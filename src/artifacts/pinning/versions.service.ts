import { Injectable } from '@nestjs/common';
import {
  compareVersions,
  longNotes,
  type ReleaseNotes,
  Stores,
  type StoreId,
  versionFault,
} from '../../stores/index.js';
import { AuditLog } from '../../platform/audit/index.js';
import { EventsService, ExtensionsService } from '../../registry/index.js';
import { TargetsService, type Destination } from '../../targets/index.js';
import { orThrow } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { newRow } from '../../common/database/index.js';
import type { PackageManifest } from '../archive/index.js';
import { ArtifactEntity, type ArtifactScope } from '../artifact.entity.js';
import type { PushQuery } from '../artifacts.dto.js';
import {
  ArtifactNotFound,
  NotesTooLong,
  VersionConflict,
  VersionNotAccepted,
  VersionNotNewer,
} from '../artifacts.problems.js';
import { ArtifactsRepository, type PushedVersion } from '../artifacts.repository.js';

/** Digests that identify a package: of its bytes, and of the files in it. */
export interface Content {
  readonly sha256: string;
  /** Null where it is not known. */
  readonly contentSha256: string | null;
}

/** Whether an artifact has a content, perhaps packed at another time. Null is that of a pin without a package. Pure. */
export const isSameContent = (
  row: Pick<ArtifactEntity, 'sha256' | 'contentSha256'>,
  content: Content | null,
): boolean =>
  row.sha256 === (content?.sha256 ?? null) ||
  (row.contentSha256 !== null && row.contentSha256 === content?.contentSha256);

/** A pin to make: an artifact and its targets. */
interface PinRequest {
  readonly extensionId: string;
  /** As requested. */
  readonly version: string;
  readonly storeVersion: string;
  /** Null for every store. */
  readonly store: StoreId | null;
  /** The build that a signed package contains; null for anything else. */
  readonly build: Build | null;
}

/** A build of a version: the platform and the number of a signed package. */
export type Build = Pick<ArtifactEntity, 'platform' | 'buildNumber'>;

/** Of anything that is no signed package. */
const NO_BUILD: Build = { platform: '', buildNumber: '' };

/** A version that is about to be pinned: its name, the artifact pushed for all stores, and its targets. */
interface ResolvedVersion {
  readonly version: string;
  readonly forAll: PushedVersion | null;
  /** The artifact with the requested scope: for all stores, or for the one store. */
  readonly pushed: PushedVersion | null;
  /** The signed packages of the version for the platform of the requested one. */
  readonly builds: readonly PushedVersion[];
  readonly destinations: readonly Destination[];
  readonly pinnedAt: Date;
}

/** Decides which versions are the same, and which content stores have of them. */
@Injectable()
export class VersionsService {
  constructor(
    private readonly clock: Clock,
    private readonly artifacts: ArtifactsRepository,
    private readonly extensions: ExtensionsService,
    private readonly targets: TargetsService,
    private readonly stores: Stores,
    private readonly audit: AuditLog,
    private readonly events: EventsService,
  ) {}

  /**
   * Begins a pin, inside its transaction: until that ends, no other request pins a version of the extension, and no step begins at the stores.
   * Numbers that stores consider the same, such as 1.0 and 1.0.0, keep the name under which the version was first pinned.
   */
  async begin({ extensionId, version, storeVersion, store, build }: PinRequest): Promise<ResolvedVersion> {
    await this.extensions.lock(extensionId);
    const { platform, buildNumber } = build ?? NO_BUILD;
    const destinations = await this.targets.destinations(extensionId, store, platform || null);
    const known: readonly PushedVersion[] = await this.artifacts.findVersions(extensionId);
    const same =
      known.find((one) => compareVersions(one.storeVersion, storeVersion) === 0) ??
      known.find((one) => compareVersions(one.version, version) === 0);
    const name = same?.version ?? version;
    const ofPlatform = known.filter((one) => one.platform === platform && one.version === name);
    const pushedFor = (scope: ArtifactScope): PushedVersion | null =>
      ofPlatform.find((one) => one.scope === scope && one.buildNumber === buildNumber) ?? null;
    const builds = build === null ? [] : ofPlatform;
    // The newest pin is the desired version, also when the process that pinned the one before has a clock that is ahead.
    const others = known.filter((one) => one.version !== name || builds.includes(one));
    const pinnedAt = new Date(Math.max(this.clock.now().getTime(), ...others.map((one) => one.pinnedAt.getTime() + 1)));
    return {
      version: name,
      forAll: pushedFor('any'),
      pushed: pushedFor(store ?? 'any'),
      builds,
      destinations,
      pinnedAt,
    };
  }

  /**
   * Refuses a version when an enabled destination has a higher one.
   * @param isSameRefused also when it has the same one
   */
  assertNewer(version: string, destinations: readonly Destination[], isSameRefused = false): void {
    for (const { enabled, store, liveVersion, submittedVersion } of destinations)
      for (const theirs of [liveVersion, submittedVersion])
        if (enabled && theirs !== null && compareVersions(version, theirs) < (isSameRefused ? 1 : 0))
          throw new VersionNotNewer(version, this.stores.for(store).title, theirs);
  }

  /** @throws VersionNotAccepted when a store that the version goes to, or that is named, does not accept such a number */
  assertAccepted(version: string, destinations: readonly Destination[], named: StoreId | null): void {
    for (const store of storesOf(destinations, named)) {
      const { title, capabilities } = this.stores.for(store);
      const fault = versionFault(version, capabilities);
      if (fault !== null) throw new VersionNotAccepted(version, title, fault);
    }
  }

  /**
   * A single text for all languages goes to stores that cut it, as before texts by locale could be pushed.
   * @throws NotesTooLong when a store that the version goes to, or that is named, takes shorter texts than these
   */
  assertNotesFit(notes: ReleaseNotes, destinations: readonly Destination[], named: StoreId | null): void {
    if (Object.keys(notes.localizedNotes).length === 0) return;
    for (const store of storesOf(destinations, named)) {
      const { title, capabilities } = this.stores.for(store);
      const long = longNotes(capabilities, notes);
      if (long.length === 0) continue;
      const texts = long.map(({ locale, length }) => `${locale === null ? 'the text for all' : locale} has ${length}`);
      throw new NotesTooLong(title, capabilities.releaseNotesMaxLength ?? 0, texts);
    }
  }

  /** Refuses content that the store of a push, or of a signed package, cannot take under this version any more. */
  assertContent(
    resolved: ResolvedVersion,
    { build, store }: Pick<PinRequest, 'build' | 'store'>,
    content: Content | null,
  ): void {
    if (content === null) return;
    if (build !== null) this.assertNewBuild(resolved, build, content);
    else if (store !== null) this.assertSameContent(resolved, store, content);
  }

  /** Refuses other content for one store once the store has what was pushed for all stores. */
  assertSameContent({ version, forAll, destinations }: ResolvedVersion, store: StoreId, content: Content | null): void {
    if (forAll === null || isSameContent(forAll, content)) return;
    if (forAll.uploadedTo.includes(store) || destinationsWith(forAll, destinations).length > 0)
      throw new VersionConflict(version, [this.stores.for(store).title]);
  }

  /**
   * A store takes several builds of a version, each with a higher number than the one before, until the version is submitted.
   * @throws VersionConflict when the store has a build with this number or a higher one, or has the version itself
   */
  private assertNewBuild(
    { version, builds, destinations }: ResolvedVersion,
    { buildNumber }: Build,
    content: Content,
  ): void {
    const others = builds.filter((one) => !isSameContent(one, content));
    const holding = others.filter(({ uploadedTo }) => uploadedTo.length > 0);
    const isRising = holding.every((one) => compareVersions(one.buildNumber, buildNumber) < 0);
    const isKnown = others.length < builds.length;
    if (isRising && (isKnown || destinationsWith({ storeVersion: version }, destinations).length === 0)) return;
    throw new VersionConflict(
      version,
      destinations.map(({ store }) => this.stores.for(store).title),
      isRising ? null : buildNumber,
    );
  }

  /** Whether no store holds a version, or may hold it. */
  isReplaceable(
    row: Pick<ArtifactEntity, 'storeVersion' | 'uploadedTo' | 'platform'>,
    destinations: readonly Destination[],
  ): boolean {
    return this.storesWith(row, destinations).length === 0;
  }

  /** A version that a store holds, or may hold, keeps its content. */
  assertReplaceable(
    row: Pick<ArtifactEntity, 'version' | 'storeVersion' | 'uploadedTo' | 'platform'>,
    destinations: readonly Destination[],
  ): void {
    const holding = this.storesWith(row, destinations);
    if (holding.length > 0)
      throw new VersionConflict(
        row.version,
        holding.map((store) => this.stores.for(store).title),
      );
  }

  /** The stores that hold a version, or may hold it. One that gets its builds from elsewhere holds no zip of it. */
  private storesWith(
    row: Pick<ArtifactEntity, 'storeVersion' | 'uploadedTo' | 'platform'>,
    destinations: readonly Destination[],
  ): readonly StoreId[] {
    const shown = destinationsWith(row, destinations).map(({ store }) => store);
    return [...new Set([...row.uploadedTo, ...shown])].filter(
      (store) => row.platform !== '' || this.stores.for(store).capabilities.requiresArtifact,
    );
  }

  /** The version's row, locked, or a new one that is still to be saved; the extension is locked, so no other request makes it. */
  async findOrNew(
    { extension: extensionId, version, store }: Pick<PushQuery, 'extension' | 'version' | 'store'>,
    storeVersion: string,
    build: Build | null,
  ): Promise<{ row: ArtifactEntity; isNew: boolean }> {
    const { platform, buildNumber } = build ?? NO_BUILD;
    const place = { scope: store ?? 'any', platform, buildNumber } as const;
    const known = await this.artifacts.findVersionForUpdate(extensionId, version, place);
    if (known !== null) return { row: known, isNew: false };
    const fresh = newRow(this.clock.now());
    const pin = { extensionId, version, storeVersion, ...place };
    return { row: Object.assign(new ArtifactEntity(), fresh, pin), isNew: true };
  }

  /** Finds an artifact to pin for a store, or for every target (null). Locks in the order of a push: the extension, its targets, the artifact. */
  async findPushedForUpdate(tenantId: string, id: string, store: StoreId | null): Promise<ArtifactEntity> {
    const { extensionId } = orThrow(await this.artifacts.findOwn(tenantId, id), ArtifactNotFound);
    await this.extensions.lock(extensionId);
    await this.targets.destinations(extensionId, store);
    return orThrow(await this.artifacts.findOwnForUpdate(tenantId, id), ArtifactNotFound);
  }

  /** Writes a new or a changed artifact. */
  save(row: ArtifactEntity, isNew: boolean): Promise<void> {
    return isNew ? this.artifacts.insert(row) : this.artifacts.update(row);
  }

  /** Makes the targets of a pin due, and tells the timeline. */
  async announce(query: PushQuery, { storeVersion, platform }: ArtifactEntity, isSame: boolean): Promise<void> {
    await this.targets.pinned(
      query.extension,
      { store: query.store ?? null, platform: platform || null },
      storeVersion,
    );
    const store = query.store === undefined ? null : this.stores.for(query.store).title;
    const where = store === null ? 'every target' : platform === '' ? store : `${store} (${platform})`;
    await this.events.append({
      extensionId: query.extension,
      version: query.version,
      kind: 'pinned',
      message: `Version ${query.version} was pinned for ${where}${isSame ? '; the same content was pushed before' : ''}.`,
    });
  }

  /**
   * Records a push, unless its targets are driven to the same content already.
   * @param before the version's row before it; null for a new version
   */
  async recordPush(
    tenantId: string,
    before: ArtifactEntity | null,
    row: ArtifactEntity,
    destinations: readonly Destination[],
  ): Promise<void> {
    const isPinned = destinations.every(({ desiredVersion }) => desiredVersion === row.storeVersion);
    // What is found in the same package changes with the rules, and not by the push.
    const leftOut = { pinnedAt: undefined, findings: undefined };
    const state = (content: ArtifactEntity, pinned: boolean): object => ({ ...content, pinned, ...leftOut });
    const former = before === null ? {} : { before: state(before, isPinned) };
    await this.audit.record(tenantId, 'artifact.pushed', row, { ...former, after: state(row, true) });
  }

  /** The manifest of the version that is live at a store that takes packages, where it was pushed to Pierhead. */
  async liveManifest(extensionId: string, destinations: readonly Destination[]): Promise<PackageManifest | null> {
    const live = destinations.find(
      ({ store, enabled, liveVersion }) =>
        enabled && liveVersion !== null && this.stores.for(store).capabilities.requiresArtifact,
    )?.liveVersion;
    return live == null ? null : this.artifacts.findManifest(extensionId, live);
  }
}

/** The stores that a version goes to, and the one that is named. */
function storesOf(destinations: readonly Destination[], named: StoreId | null): ReadonlySet<StoreId> {
  const stores = new Set(destinations.filter(({ enabled }) => enabled).map(({ store }) => store));
  return named === null ? stores : stores.add(named);
}

/** The destinations that show the version itself, live or submitted. */
export const destinationsWith = (
  { storeVersion }: Pick<ArtifactEntity, 'storeVersion'>,
  destinations: readonly Destination[],
): readonly Destination[] =>
  destinations.filter(({ liveVersion, submittedVersion }) =>
    [liveVersion, submittedVersion].some((theirs) => theirs !== null && compareVersions(theirs, storeVersion) === 0),
  );
