import { asNumber, asText, redact } from '../../common/net/pure.js';
import { compareVersions } from '../version.js';
import { known, type Known, type Observed, type Submission, type SubmissionState } from '../store.js';
import type { Page, Resource } from './safari.documents.js';

/** The state of a version: `draft` was never submitted, `replaced` was followed by a newer version. */
export type VersionState = 'draft' | 'live' | 'replaced' | SubmissionState;

/** `appVersionState` (src/stores/README.md#safari-states). A withdrawn submission differs from a draft. */
const APP_VERSION_STATES: ReadonlyMap<unknown, VersionState> = new Map([
  ['PREPARE_FOR_SUBMISSION', 'draft'],
  ['READY_FOR_REVIEW', 'draft'],
  ['WAITING_FOR_REVIEW', 'in_review'],
  ['IN_REVIEW', 'in_review'],
  ['ACCEPTED', 'in_review'],
  ['WAITING_FOR_EXPORT_COMPLIANCE', 'in_review'],
  ['PENDING_DEVELOPER_RELEASE', 'approved'],
  ['PENDING_APPLE_RELEASE', 'releasing'],
  ['PROCESSING_FOR_DISTRIBUTION', 'releasing'],
  ['READY_FOR_DISTRIBUTION', 'live'],
  ['REPLACED_WITH_NEW_VERSION', 'replaced'],
  ['REJECTED', 'rejected'],
  ['METADATA_REJECTED', 'rejected'],
  ['INVALID_BINARY', 'rejected'],
  ['DEVELOPER_REJECTED', 'cancelled'],
]);

/** The share of users on each day of a phased release (src/stores/README.md#safari-states). */
const PHASED_RELEASE_PERCENTAGES = [1, 2, 5, 10, 20, 50, 100] as const;

/** A version's phased release. */
export interface PhasedRelease {
  readonly id: string;
  /** `PhasedReleaseState`, documented or not. */
  readonly state: string | undefined;
  /** Percentage of users who are offered the version today; null for all users or when it is unknown. */
  readonly percent: number | null;
}

/** A version of one platform. */
export interface SafariVersion {
  readonly id: string;
  readonly version: string;
  readonly state: VersionState;
  /** Apple holds the review until the export-compliance question is answered. */
  readonly isParked: boolean;
  readonly releaseType: string | undefined;
  readonly earliestReleaseDate: string | undefined;
  /** The attached build; null for none or an unknown one. */
  readonly buildId: string | null;
  readonly phased: PhasedRelease | null;
}

/** Maps any state, documented or not. */
export const versionStateOf = (state: unknown): VersionState => APP_VERSION_STATES.get(state) ?? 'unknown';

/** Reads the versions of a page. Entries without a number are skipped. */
export function versionsOf({ data, included }: Page): SafariVersion[] {
  return data.flatMap((resource) => {
    const version = asText(resource.attributes['versionString']);
    if (resource.type !== 'appStoreVersions' || version === undefined) return [];
    const { id, attributes } = resource;
    return [
      {
        id,
        version,
        state: versionStateOf(attributes['appVersionState']),
        isParked: attributes['appVersionState'] === 'WAITING_FOR_EXPORT_COMPLIANCE',
        releaseType: asText(attributes['releaseType']),
        earliestReleaseDate: asText(attributes['earliestReleaseDate']),
        buildId: resource.related('build') ?? null,
        phased: phasedOf(resource, included),
      },
    ];
  });
}

function phasedOf(version: Resource, included: readonly Resource[]): PhasedRelease | null {
  const id = version.related('appStoreVersionPhasedRelease');
  if (id === null || id === undefined) return null;
  const attributes = included.find((one) => one.type === 'appStoreVersionPhasedReleases' && one.id === id)?.attributes;
  const state = asText(attributes?.['phasedReleaseState']);
  const day = asNumber(attributes?.['currentDayNumber']);
  const isUnderWay = state === 'ACTIVE' || state === 'PAUSED';
  const percent =
    isUnderWay && day !== undefined
      ? (PHASED_RELEASE_PERCENTAGES[Math.min(Math.max(day, 1), PHASED_RELEASE_PERCENTAGES.length) - 1] ?? null)
      : null;
  return { id, state, percent: percent === 100 ? null : percent };
}

/** The version that users get: the highest of those that are live. */
export function liveOf(versions: readonly SafariVersion[]): SafariVersion | undefined {
  return highest(versions.filter(({ state }) => state === 'live'));
}

/** Whether a version is or was on the store. A new version must be higher than all of these. */
export const wasReleased = ({ state }: SafariVersion): boolean => state === 'live' || state === 'replaced';

/** The highest of the versions. */
export function highest(versions: readonly SafariVersion[]): SafariVersion | undefined {
  return [...versions].sort((a, b) => compareVersions(b.version, a.version))[0];
}

/** Order of versions as candidates for the submission: open ones before those that have ended. */
const SUBMISSION_PRIORITY: readonly SubmissionState[] = [
  'in_review',
  'approved',
  'releasing',
  'unknown',
  'rejected',
  'cancelled',
];

/** The submitted version above the live one; undocumented states count as submitted. */
function submissionOf(versions: readonly SafariVersion[]): Submission | null {
  const released = highest(versions.filter(wasReleased));
  for (const state of SUBMISSION_PRIORITY) {
    // An old version in an undocumented state must not look like a submission.
    const found = highest(
      versions.filter(
        (one) => one.state === state && (released === undefined || compareVersions(one.version, released.version) > 0),
      ),
    );
    if (found !== undefined) return { version: found.version, state };
  }
  return null;
}

const questionAbout = ({ version }: SafariVersion): string =>
  `Apple holds version ${version} until its export-compliance question is answered. Answer it in App Store Connect, or add the documents that Apple requests there.`;

/**
 * Reads the state of one platform (src/stores/README.md#safari-states). The list is complete, so what is not in it does not exist. That an app was
 * taken off sale is not in it.
 */
export function observedFrom(versions: readonly SafariVersion[], raw: unknown): Observed {
  const live = liveOf(versions);
  const version: Known<string | null> = known(live?.version ?? null);
  const parked = versions.find(({ isParked }) => isParked);
  return {
    live: version,
    submission: known(submissionOf(versions)),
    upload: known('none'),
    takenDown: false,
    warned: false,
    rolloutPercent: live?.phased?.percent ?? null,
    ...(parked && { question: questionAbout(parked) }),
    raw: redact(raw),
  };
}
