import { randomUUID } from 'node:crypto';
import { conflict } from './errors.js';
import {
  type App,
  type Build,
  EDITABLE,
  type Localization,
  type Platform,
  RELEASED,
  type ReleaseType,
  type Version,
} from './model.js';
import { compareVersions } from '../versions.js';
import { distribute } from './review.js';
import type { SafariWorld } from './world.js';

/** Changes of a version; absent fields stay unchanged. */
export interface VersionChange {
  readonly versionString?: string | undefined;
  readonly releaseType?: ReleaseType | undefined;
  readonly earliestReleaseDate?: string | null | undefined;
}

/** Creates a version, if the platform has no editable one (src/stores/README.md#safari-rules). */
export function createVersion(world: SafariWorld, app: App, platform: Platform, change: VersionChange): Version {
  const { versionString = '' } = change;
  const others = world.versionsOf(app.appId, platform);
  if (others.some(({ state }) => !RELEASED.includes(state)))
    throw conflict(
      'ENTITY_ERROR.RELATIONSHIP.INVALID',
      'You cannot create a new version of the App in the current state.',
    );
  assertNumber(world, app, platform, versionString);
  app.counters.versionsCreated += 1;
  const version = world.addVersion(app, platform, versionString);
  applyRelease(version, change);
  return version;
}

/** Renames a version or changes its release type, unless it was submitted. */
export function updateVersion(world: SafariWorld, app: App, version: Version, change: VersionChange): void {
  assertEditable(version);
  const { versionString } = change;
  if (versionString !== undefined && versionString !== version.versionString) {
    assertNumber(world, app, version.platform, versionString);
    version.versionString = versionString;
    app.counters.renames += 1;
    becomeDraft(version);
  }
  applyRelease(version, change);
}

function applyRelease(version: Version, { releaseType, earliestReleaseDate }: VersionChange): void {
  const [type, date] = [
    releaseType ?? version.releaseType,
    earliestReleaseDate === undefined ? version.earliestReleaseDate : earliestReleaseDate,
  ];
  if ((type === 'SCHEDULED') !== (date !== null))
    throw conflict(
      'ENTITY_ERROR.ATTRIBUTE.INVALID',
      "The attribute 'earliestReleaseDate' belongs to the release type SCHEDULED, and to no other.",
    );
  version.releaseType = type;
  version.earliestReleaseDate = date;
}

function assertNumber(world: SafariWorld, app: App, platform: Platform, versionString: string): void {
  if (!/^\d+(\.\d+){0,2}$/.test(versionString))
    throw conflict('ENTITY_ERROR.ATTRIBUTE.INVALID', `The version string '${versionString}' is not a valid version.`);
  const others = world.versionsOf(app.appId, platform).filter(({ state }) => RELEASED.includes(state));
  for (const other of others) {
    const order = compareVersions(versionString, other.versionString);
    if (order === 0)
      throw conflict('ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE', 'The version number has been previously used.');
    if (order < 0)
      throw conflict(
        'ENTITY_ERROR.ATTRIBUTE.INVALID',
        `The version number must be higher than that of the previously approved version, ${other.versionString}.`,
      );
  }
}

/** Attaches a build that is ready and has the version's number and platform. */
export function attachBuild(world: SafariWorld, app: App, version: Version, build: Build | undefined): void {
  assertEditable(version);
  if (build?.appId !== app.appId || build.platform !== version.platform)
    throw conflict('ENTITY_ERROR.RELATIONSHIP.INVALID', 'The specified build is not one of this app and platform.');
  const now = world.clock.now();
  if (processingState(build, now) !== 'VALID' || build.expired || build.audience === 'INTERNAL_ONLY')
    throw conflict(
      'ENTITY_ERROR.RELATIONSHIP.INVALID',
      processingState(build, now) === 'PROCESSING'
        ? 'The specified pre-release build is still processing and could not be added.'
        : 'The specified pre-release build could not be added.',
    );
  if (build.version !== version.versionString)
    throw conflict(
      'ENTITY_ERROR.RELATIONSHIP.INVALID',
      `The build's version ${build.version} is not that of the version, ${version.versionString}.`,
    );
  if (version.buildId !== build.id) becomeDraft(version);
  version.buildId = build.id;
  version.buildAttachedAt = now;
  app.counters.buildsAttached += 1;
}

/** A rejected or withdrawn version becomes a draft again when it changes. */
function becomeDraft(version: Version): void {
  if (version.state !== 'READY_FOR_REVIEW') version.state = 'PREPARE_FOR_SUBMISSION';
}

/** Sets `whatsNew`, which a platform's first version does not have. */
export function updateWhatsNew(
  world: SafariWorld,
  version: Version,
  localization: Localization,
  whatsNew: string | null,
): void {
  assertEditable(version);
  const isUpdate = world.versionsOf(version.appId, version.platform).some(({ state }) => RELEASED.includes(state));
  if (!isUpdate)
    throw conflict(
      'ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_STATE',
      "Attribute 'whatsNew' cannot be edited at this time",
    );
  if ([...(whatsNew ?? '')].length > 4000)
    throw conflict(
      'ENTITY_ERROR.ATTRIBUTE.INVALID.TOO_LONG',
      "The attribute 'whatsNew' must be no longer than 4000 characters.",
    );
  localization.whatsNew = whatsNew;
}

/** Creates a phased release, which only an update can have. */
export function phaseRelease(world: SafariWorld, version: Version): void {
  const isUpdate = world.versionsOf(version.appId, version.platform).some(({ state }) => RELEASED.includes(state));
  const isTooLate = !EDITABLE.includes(version.state) && version.state !== 'PENDING_DEVELOPER_RELEASE';
  if (version.phased !== null || !isUpdate || isTooLate)
    throw conflict('ENTITY_ERROR.RELATIONSHIP.INVALID', 'A phased release cannot be created in the current state.');
  version.phased = { id: randomUUID(), state: 'INACTIVE', startedAt: null };
}

/** Releases an approved version. */
export function requestRelease(world: SafariWorld, app: App, version: Version): void {
  if (version.state !== 'PENDING_DEVELOPER_RELEASE')
    throw conflict('STATE_ERROR', 'A release request cannot be made for the version in the current state.');
  app.counters.releases += 1;
  distribute(world, app, version, world.clock.now());
}

/** `processingState` of a build. */
export function processingState(build: Build, now: Date): string {
  return now.getTime() < build.processedAt.getTime() ? 'PROCESSING' : build.outcome;
}

function assertEditable({ state }: Version): void {
  if (!EDITABLE.includes(state))
    throw conflict(
      'ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_STATE',
      'An attribute value is not acceptable for the current resource state. It can not be modified in the current state.',
    );
}
