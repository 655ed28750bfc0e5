import { Refusal } from '../answer.js';
import { googleNotFoundPage, googleRefusal, unimplemented } from './errors.js';
import { counted, type Item, itemName, type Publication, type StoredPackage } from './item.js';
import type { RollbackRequest } from './requests.js';
import { goLive } from './review.js';
import { compareVersions, parseVersion } from '../versions.js';

const USERS_FOR_ROLLOUT = 10_000;

/**
 * Raises the published revision's percentage: only upwards and only with enough users (src/stores/README.md#chrome-rollout).
 */
export function raisePercentage(item: Item, deployPercentage: number): Item {
  const published = publishedOf(item);
  if (deployPercentage <= published.deployPercentage) {
    throw googleRefusal(
      'INVALID_ARGUMENT',
      `The new deploy percentage must be larger than the current one, ${published.deployPercentage}.`,
    );
  }
  if (item.weeklyUsers < USERS_FOR_ROLLOUT) {
    throw googleRefusal('FAILED_PRECONDITION', 'Only items with more than 10,000 seven-day active users can do this.');
  }
  return counted({ ...item, published: { ...published, deployPercentage } }, 'rollouts');
}

/**
 * Publishes an earlier package again under a higher number, to all users and without review
 * (src/stores/README.md#chrome-rollback).
 */
export function rollback(item: Item, request: RollbackRequest, now: Date): Item {
  assertAvailable(item);
  const published = publishedOf(item);
  const target = rollbackTarget(item, request.targetCrxVersion);
  if (request.rollbackReason.trim() === '') {
    throw googleRefusal('INVALID_ARGUMENT', 'A rollback reason is required.');
  }
  const { newVersion } = request;
  if (!parseVersion(newVersion) || compareVersions(newVersion, published.package.version) <= 0) {
    throw googleRefusal(
      'INVALID_ARGUMENT',
      `The new version must be larger than the published version, ${published.package.version}.`,
    );
  }
  if (request.validateOnly) return item;
  return counted(goLive(item, { ...target, version: newVersion }, 100, now), 'rollbacks');
}

function assertAvailable(item: Item): void {
  if (item.rollbackMethod === 'unimplemented') throw unimplemented();
  if (item.rollbackMethod === 'absent') {
    throw new Refusal(googleNotFoundPage(`/v2/${itemName(item)}:rollback`), 'There is no such method.');
  }
}

function publishedOf(item: Item): Publication {
  if (!item.published) throw googleRefusal('FAILED_PRECONDITION', 'The item is not published.');
  return item.published;
}

/** Without a target it is the one published before, so that rollbacks in a row alternate between two packages. */
function rollbackTarget(item: Item, version: string | undefined): StoredPackage {
  const earlier = item.history.slice(0, -1);
  const target =
    version === undefined ? earlier.at(-1) : earlier.findLast((candidate) => candidate.version === version);
  if (target) return target;
  throw googleRefusal('INVALID_ARGUMENT', 'The target version is not a previously published version of this item.');
}
