import {
  type Check,
  fields,
  flag,
  InvalidInput,
  integer,
  listOf,
  nullable,
  oneOf,
  optional,
  required,
  text,
} from '../input.js';
import type { Item, ItemKnobs, StoredPackage, Submission } from './item.js';
import { goLive } from './review.js';
import { parseVersion } from './versions.js';

const percentage = integer(0, 100);
const count = integer(0, 1_000_000_000);

const version: Check<string> = (value, what) => {
  const given = text(value, what);
  if (!parseVersion(given)) throw new InvalidInput(`"${what}" must be a version such as 1.2.3`);
  return given;
};

const warning: Check<ItemKnobs['warnings'][number]> = (value, what) => {
  const from = fields(value, what, ['reason', 'description']);
  return { reason: required(from, 'reason', text), description: required(from, 'description', text) };
};

/** How each knob is read. */
const KNOBS: { readonly [Name in keyof ItemKnobs]: Check<ItemKnobs[Name]> } = {
  visibility: oneOf(['public', 'unlisted', 'private']),
  weeklyUsers: count,
  dashboardDeployPercentage: percentage,
  skipReviewQualifies: flag,
  rollbackMethod: oneOf(['available', 'absent', 'unimplemented']),
  warnings: listOf(warning),
  publishCondition: nullable(text),
  closedFor: nullable(text),
  verifiedCrx: flag,
  asyncUploadPolls: nullable(count),
  asyncUploadOutcome: oneOf(['SUCCEEDED', 'FAILED', 'ABSENT']),
  uploadInProgressSpelling: oneOf(['IN_PROGRESS', 'UPLOAD_IN_PROGRESS']),
  approveAfterSeconds: nullable(count),
  approveAfterPolls: nullable(count),
  listPreviousChannel: flag,
  publicKey: nullable(text),
};

const STATES = ['PENDING_REVIEW', 'STAGED', 'REJECTED', 'CANCELLED'] as const;
const STATE_FIELDS = ['history', 'published', 'deployPercentage', 'draft', 'submitted', 'takenDown', 'warned'];

/** The names `PATCH` and the making of an item know. */
export const ITEM_FIELDS: readonly string[] = [...Object.keys(KNOBS), ...STATE_FIELDS];

/** Turns knobs, and sets by hand what someone did in the dashboard. What is not named stays. */
export function applyItemInput(item: Item, body: unknown, now: Date): Item {
  const from = fields(body, 'an item', ITEM_FIELDS);
  const knobs = Object.entries(KNOBS).map(([name, check]) => [name, optional<unknown>(from, name, check)] as const);
  let next: Item = { ...item, ...Object.fromEntries(knobs.filter(([, value]) => value !== undefined)) };

  const history = optional(from, 'history', listOf(version));
  if (history) next = { ...next, history: history.map(madeUp) };
  const published = optional(from, 'published', nullable(version));
  if (published === null) next = { ...next, published: null };
  if (published) next = goLive(next, madeUp(published), 100, now);
  const deployPercentage = optional(from, 'deployPercentage', percentage);
  if (deployPercentage !== undefined && next.published) {
    next = { ...next, published: { ...next.published, deployPercentage } };
  }
  const draft = optional(from, 'draft', nullable(version));
  const submitted = optional(from, 'submitted', nullable(submission(now)));
  return {
    ...next,
    draft: draft === undefined ? next.draft : draft === null ? null : madeUp(draft),
    submitted: submitted === undefined ? next.submitted : submitted,
    takenDown: optional(from, 'takenDown', flag) ?? next.takenDown,
    warned: optional(from, 'warned', flag) ?? next.warned,
  };
}

/** A submission that someone else made, as in the dashboard. */
function submission(now: Date): Check<Submission> {
  return (value, what) => {
    const from = fields(value, what, ['version', 'state', 'publishType', 'deployPercentage']);
    return {
      package: madeUp(required(from, 'version', version)),
      state: optional(from, 'state', oneOf(STATES)) ?? 'PENDING_REVIEW',
      publishType: optional(from, 'publishType', oneOf(['DEFAULT_PUBLISH', 'STAGED_PUBLISH'])) ?? 'DEFAULT_PUBLISH',
      deployPercentage: optional(from, 'deployPercentage', percentage) ?? 100,
      submittedAt: now,
      polls: 0,
    };
  };
}

function madeUp(number: string): StoredPackage {
  return { version: number, sha256: null, size: null };
}
