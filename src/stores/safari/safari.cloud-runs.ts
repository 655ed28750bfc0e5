import { asNumber, asText } from '../../common/net/index.js';
import type { StoreItem } from '../store.js';
import type { Page } from './safari.documents.js';

/** A run of an Xcode Cloud workflow (src/stores/README.md#safari-xcode-cloud). */
export interface CloudRun {
  readonly id: string;
  /** Counts up within the app; 0 when Apple does not tell it. */
  readonly number: number;
  /** `executionProgress` and `completionStatus`, documented or not. */
  readonly progress: string | undefined;
  readonly status: string | undefined;
  /** The tag or branch that it builds. */
  readonly referenceId: string | null;
}

/** What is remembered of the runs of a version, in the handles of a release. */
export interface CloudRecord {
  /** The newest run that is known; null for none. */
  readonly run: { readonly id: string; readonly number: number } | null;
  /** When that run was first seen to have failed; null while it has not. */
  readonly failedAt: Date | null;
  /** When an unclear answer was last noticed, after which no run is started for some minutes; null for never. */
  readonly soughtSince: Date | null;
}

export const NO_RECORD: CloudRecord = { run: null, failedAt: null, soughtSince: null };

/** Less than the number of any run. */
const BELOW_ALL = -1;

/** `completionStatus` of a run that made no build. */
const FAILED: ReadonlySet<unknown> = new Set(['FAILED', 'ERRORED', 'CANCELED', 'SKIPPED']);

export const hasFailed = ({ progress, status }: CloudRun): boolean => progress === 'COMPLETE' && FAILED.has(status);

/** Reads the runs of a page, in the page's order. */
export const runsOf = ({ data }: Page): CloudRun[] =>
  data
    .filter(({ type }) => type === 'ciBuildRuns')
    .map(({ id, attributes, related }) => ({
      id,
      number: asNumber(attributes['number']) ?? 0,
      progress: asText(attributes['executionProgress']),
      status: asText(attributes['completionStatus']),
      referenceId: related('sourceBranchOrTag') ?? null,
    }));

/** The id of a tag among the references of a repository; undefined when it is not there. */
export const tagIn = ({ data }: Page, tag: string): string | undefined =>
  data.find(
    ({ type, attributes: { kind, isDeleted, name, canonicalName } }) =>
      type === 'scmGitReferences' &&
      kind === 'TAG' &&
      isDeleted !== true &&
      (canonicalName === `refs/tags/${tag}` || name === tag),
  )?.id;

/** The run with the highest number. */
export const newest = <One extends { readonly number: number }>(runs: readonly One[]): One | undefined =>
  runs.toSorted((one, other) => other.number - one.number)[0];

const timeIn = (text: string | undefined): Date | null => (text === undefined || text === '' ? null : new Date(text));

/** Reads what is remembered of a workflow and tag; nothing when the handles are of others. Pure. */
export function recordIn(handles: StoreItem['handles'], of: string): CloudRecord {
  const { cloudRun = '', cloudRunNumber, cloudRunFailedAt, cloudRunSoughtSince } = handles;
  if (handles['cloudRunOf'] !== of) return NO_RECORD;
  return {
    run: cloudRun === '' ? null : { id: cloudRun, number: Number(cloudRunNumber) },
    failedAt: timeIn(cloudRunFailedAt),
    soughtSince: timeIn(cloudRunSoughtSince),
  };
}

/** The handles that remember it, in place of all earlier ones. Pure. */
export const handlesOf = ({ run, failedAt, soughtSince }: CloudRecord, of: string): StoreItem['handles'] => ({
  cloudRunOf: of,
  cloudRun: run?.id ?? '',
  cloudRunNumber: run === null ? '' : String(run.number),
  cloudRunFailedAt: failedAt?.toISOString() ?? '',
  cloudRunSoughtSince: soughtSince?.toISOString() ?? '',
});

/**
 * The number up to which runs no longer count: the highest of those that failed before a person asked again; below all for none. Pure.
 * @param askedAt when a person last asked for the version
 */
export const passedOf = (records: readonly CloudRecord[], askedAt: Date | null): number =>
  Math.max(
    BELOW_ALL,
    ...records.map(({ run, failedAt }) =>
      run !== null && failedAt !== null && askedAt !== null && failedAt < askedAt ? run.number : BELOW_ALL,
    ),
  );
