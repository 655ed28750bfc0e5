import {
  type Check,
  type Checks,
  count,
  fields,
  flag,
  integer,
  listOf,
  nullable,
  oneOf,
  optional,
  presentFields,
  required,
  text,
} from '../input.js';
import { changesInput } from '../served-file.js';
import { readFigures } from './figures.js';
import type { Item, ItemBehavior, StoredPackage, Submission } from './item.js';
import { goLive } from './review.js';
import { userReview } from './user-reviews.js';
import { versionText } from '../versions.js';

const percentage = integer(0, 100);

const warning: Check<ItemBehavior['warnings'][number]> = (value, what) => {
  const from = fields(value, what, ['reason', 'description']);
  return { reason: required(from, 'reason', text), description: required(from, 'description', text) };
};

const BEHAVIOR: Checks<ItemBehavior> = {
  servedChanges: changesInput,
  servedBytes: nullable(count),
  visibility: oneOf(['public', 'unlisted', 'private']),
  weeklyUsers: count,
  dashboardDeployPercentage: percentage,
  skipReviewQualifies: flag,
  rollbackMethod: oneOf(['available', 'absent', 'unimplemented']),
  warnings: listOf(warning),
  publishCondition: nullable(text),
  closedFor: nullable(text),
  verifiedCrx: flag,
  verifiedKey: nullable(text),
  asyncUploadPolls: nullable(count),
  asyncUploadOutcome: oneOf(['SUCCEEDED', 'FAILED', 'ABSENT']),
  uploadInProgressSpelling: oneOf(['IN_PROGRESS', 'UPLOAD_IN_PROGRESS']),
  approveAfterSeconds: nullable(count),
  approveAfterPolls: nullable(count),
  listPreviousChannel: flag,
  publicKey: nullable(text),
};

const STATES = ['PENDING_REVIEW', 'STAGED', 'REJECTED', 'CANCELLED'] as const;
const STATE_FIELDS = [
  'name',
  'history',
  'published',
  'deployPercentage',
  'draft',
  'submitted',
  'takenDown',
  'warned',
  'days',
  'stars',
  'reviews',
];

/** The fields that creating and patching an item accept. */
export const ITEM_FIELDS: readonly string[] = [...Object.keys(BEHAVIOR), ...STATE_FIELDS];

/** Changes an item's behavior and state, as a person does in the dashboard. Absent fields stay unchanged. */
export function applyItemInput(item: Item, body: unknown, now: Date): Item {
  const from = fields(body, 'an item', ITEM_FIELDS);
  let next: Item = { ...item, ...presentFields(from, BEHAVIOR) };

  const history = optional(from, 'history', listOf(versionText));
  if (history) next = { ...next, history: history.map(syntheticPackage) };
  const published = optional(from, 'published', nullable(versionText));
  if (published === null) next = { ...next, published: null };
  if (published) next = goLive(next, syntheticPackage(published), 100, now);
  const deployPercentage = optional(from, 'deployPercentage', percentage);
  if (deployPercentage !== undefined && next.published) {
    next = { ...next, published: { ...next.published, deployPercentage } };
  }
  const draft = optional(from, 'draft', nullable(versionText));
  const submitted = optional(from, 'submitted', nullable(submission(now)));
  return {
    ...next,
    ...readFigures(from),
    name: optional(from, 'name', text) ?? next.name,
    reviews: optional(from, 'reviews', listOf(userReview)) ?? next.reviews,
    draft: draft === undefined ? next.draft : draft === null ? null : syntheticPackage(draft),
    submitted: submitted === undefined ? next.submitted : submitted,
    takenDown: optional(from, 'takenDown', flag) ?? next.takenDown,
    warned: optional(from, 'warned', flag) ?? next.warned,
  };
}

/** A submission made in the dashboard. */
function submission(now: Date): Check<Submission> {
  return (value, what) => {
    const from = fields(value, what, ['version', 'state', 'publishType', 'deployPercentage']);
    return {
      package: syntheticPackage(required(from, 'version', versionText)),
      state: optional(from, 'state', oneOf(STATES)) ?? 'PENDING_REVIEW',
      publishType: optional(from, 'publishType', oneOf(['DEFAULT_PUBLISH', 'STAGED_PUBLISH'])) ?? 'DEFAULT_PUBLISH',
      deployPercentage: optional(from, 'deployPercentage', percentage) ?? 100,
      submittedAt: now,
      polls: 0,
    };
  };
}

function syntheticPackage(number: string): StoredPackage {
  return { version: number, sha256: null, size: null };
}
