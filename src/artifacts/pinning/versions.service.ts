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
import { DestinationsService, type Destination, type Place } from '../../targets/index.js';
import { orThrow } from '../../common/problems/index.js';
import { Clock } from '../../common/system/index.js';
import { newRow } from '../../common/database/index.js';
import type { PackageManifest } from '../archive/index.js';
import { ArtifactEntity } from '../artifact.entity.js';
import type { PinAgain } from '../artifacts.dto.js';
import {
  ArtifactNotFound,
  NotesTooLong,
  VersionConflict,
  VersionNotAccepted,
  VersionNotNewer,
} from '../artifacts.problems.js';
import { ArtifactsRepository, type PushedVersion } from '../artifacts.repository.js';
import { overlap, placeOf, scopeOf } from '../scope.js';

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
export interface PinRequest {
  readonly extensionId: string;
  /** As requested. */
  readonly version: string;
  readonly storeVersion: string;
  readonly place: Place;
  /** The build that a signed package contains; null for anything else. */
  readonly build: Build | null;
}

/** A build of a version: the platform and the number of a signed package. */
export type Build = Pick<ArtifactEntity, 'platform' | 'buildNumber'>;

/** Of anything that is no signed package. */
const NO_BUILD: Build = { platform: '', buildNumber: '' };

/** A version that is about to be pinned: its name, what was pushed of it, and its targets. */
interface ResolvedVersion {
  readonly version: string;
  /** The artifact with the requested scope. */
  readonly pushed: PushedVersion | null;
  /** The artifacts with wider and narrower scopes, which some of the targets may have. */
  readonly others: readonly PushedVersion[];
  /** The signed packages of the version for the platform of the requested one, and for the same targets. */
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
    private readonly destinations: DestinationsService,
    private readonly stores: Stores,
    private readonly audit: AuditLog,
    private readonly events: EventsService,
  ) {}

  /** The place that a push or a pin names. @throws TargetNotFound, TargetElsewhere */
  placeOf(extensionId: string, named: PinAgain): Promise<Place> {
    return this.destinations.placeOf(extensionId, named);
  }

  /**
   * Begins a pin, inside its transaction: until that ends, no other request pins a version of the extension, and no step begins at the stores.
   * Numbers that stores consider the same, such as 1.0 and 1.0.0, keep the name under which the version was first pinned.
   * @throws SeveralTargets, TargetNotFound
   */
  async begin({ extensionId, version, storeVersion, place, build }: PinRequest): Promise<ResolvedVersion> {
    await this.extensions.lock(extensionId);
    const { platform, buildNumber } = build ?? NO_BUILD;
    const destinations = await this.destinations.at(extensionId, place, platform || null);
    this.destinations.assertClear(destinations, place);
    const known: readonly PushedVersion[] = await this.artifacts.findVersions(extensionId);
    const same =
      known.find((one) => compareVersions(one.storeVersion, storeVersion) === 0) ??
      known.find((one) => compareVersions(one.version, version) === 0);
    const name = same?.version ?? version;
    const scope = scopeOf(place);
    const ofPlatform = known.filter(
      (one) => one.platform === platform && one.version === name && overlap(one.scope, scope),
    );
    const ofBuild = ofPlatform.filter((one) => one.buildNumber === buildNumber);
    const builds = build === null ? [] : ofPlatform;
    // The newest pin is the desired version, also when the process that pinned the one before has a clock that is ahead.
    const others = known.filter((one) => one.version !== name || builds.includes(one));
    const pinnedAt = new Date(Math.max(this.clock.now().getTime(), ...others.map((one) => one.pinnedAt.getTime() + 1)));
    return {
      version: name,
      pushed: ofBuild.find((one) => one.scope === scope) ?? null,
      others: ofBuild.filter((one) => one.scope !== scope),
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
    { build, place }: Pick<PinRequest, 'build' | 'place'>,
    content: Content | null,
  ): void {
    if (content === null) return;
    if (build !== null) this.assertNewBuild(resolved, build, content);
    else if (place.store !== null) this.assertSameContent(resolved, place.store, content);
  }

  /** Refuses other content for one store, or one target there, once it has what was pushed with a wider or a narrower scope. */
  assertSameContent({ version, others, destinations }: ResolvedVersion, store: StoreId, content: Content | null): void {
    for (const other of others) {
      const isWider = placeOf(other.scope).targetId === null;
      const there = destinations.filter(
        // What a disabled target has for itself is no concern of the others.
        ({ targetId, enabled }) => (isWider || enabled) && overlap(other.scope, scopeOf({ store, targetId })),
      );
      const isHeld =
        there.length > 0 && (other.uploadedTo.includes(store) || destinationsWith(other, there).length > 0);
      if (isHeld && !isSameContent(other, content)) throw new VersionConflict(version, [this.stores.for(store).title]);
    }
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
  async findOrNew({
    extensionId,
    version,
    storeVersion,
    place,
    build,
  }: PinRequest): Promise<{ row: ArtifactEntity; isNew: boolean }> {
    const { platform, buildNumber } = build ?? NO_BUILD;
    const key = { scope: scopeOf(place), platform, buildNumber };
    const known = await this.artifacts.findVersionForUpdate(extensionId, version, key);
    if (known !== null) return { row: known, isNew: false };
    const fresh = newRow(this.clock.now());
    const pin = { extensionId, version, storeVersion, ...key };
    return { row: Object.assign(new ArtifactEntity(), fresh, pin), isNew: true };
  }

  /**
   * Finds an artifact to pin again, and the place to pin it for. Locks in the order of a push: the extension, its targets, the artifact.
   * @throws ArtifactNotFound, TargetNotFound, TargetElsewhere
   */
  async findPushedForUpdate(
    tenantId: string,
    id: string,
    named: PinAgain,
  ): Promise<{ readonly from: ArtifactEntity; readonly place: Place }> {
    const { extensionId } = orThrow(await this.artifacts.findOwn(tenantId, id), ArtifactNotFound);
    await this.extensions.lock(extensionId);
    const place = await this.placeOf(extensionId, named);
    await this.destinations.at(extensionId, place);
    return { from: orThrow(await this.artifacts.findOwnForUpdate(tenantId, id), ArtifactNotFound), place };
  }

  /** Writes a new or a changed artifact. */
  save(row: ArtifactEntity, isNew: boolean): Promise<void> {
    return isNew ? this.artifacts.insert(row) : this.artifacts.update(row);
  }

  /** Makes the targets of a pin due, and tells the timeline. */
  async announce(row: ArtifactEntity, isSame: boolean): Promise<void> {
    const { extensionId, version, storeVersion, platform } = row;
    const place = placeOf(row.scope);
    await this.destinations.pinned(extensionId, place, platform || null, storeVersion);
    const store = place.store === null ? null : this.stores.for(place.store).title;
    const where = store === null ? 'every target' : platform === '' ? store : `${store} (${platform})`;
    await this.events.append({
      extensionId,
      targetId: place.targetId,
      version,
      kind: 'pinned',
      message: `Version ${version} was pinned for ${where}${isSame ? '; the same content was pushed before' : ''}.`,
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
