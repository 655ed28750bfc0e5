import {
  type Fields,
  fields,
  flag,
  InvalidInput,
  integer,
  listOf,
  object,
  oneOf,
  optional,
  required,
  text,
} from '../input.js';
import { badRequest, googleRefusal } from './errors.js';
import type { PublishType } from './item.js';

/**
 * `PublishItemRequest` with its defaults filled in, but for the percentage, whose default is the dashboard's
 * (src/stores/README.md#chrome-publish).
 */
export interface PublishRequest {
  readonly publishType: PublishType;
  readonly deployPercentage?: number | undefined;
  readonly skipReview: boolean;
  readonly blockOnWarnings: boolean;
}

/** The body of `rollback` (src/stores/README.md#chrome-rollback). */
export interface RollbackRequest {
  readonly targetCrxVersion?: string | undefined;
  readonly newVersion: string;
  readonly rollbackReason: string;
  readonly validateOnly: boolean;
}

const PUBLISH_TYPES = ['DEFAULT_PUBLISH', 'STAGED_PUBLISH', 'PUBLISH_TYPE_UNSPECIFIED'] as const;
const percentage = integer(0, 100);

/** Reads `publish`; `{}` and an empty body are valid (src/stores/README.md#chrome-publish). */
export function readPublish(body: Buffer): PublishRequest {
  return withGoogleErrors(() => {
    const from = readJson(body);
    const publishType = optional(from, 'publishType', oneOf(PUBLISH_TYPES));
    const deployInfos = optional(from, 'deployInfos', listOf(object)) ?? [];
    const [first] = deployInfos.map((info) => required(info, 'deployPercentage', percentage));
    return {
      publishType: publishType === 'STAGED_PUBLISH' ? publishType : 'DEFAULT_PUBLISH',
      deployPercentage: first,
      skipReview: optional(from, 'skipReview', flag) ?? false,
      blockOnWarnings: optional(from, 'blockOnWarnings', flag) ?? false,
    };
  });
}

/** Reads the percentage of `setPublishedDeployPercentage`. */
export function readDeployPercentage(body: Buffer): number {
  return withGoogleErrors(() => required(readJson(body), 'deployPercentage', percentage));
}

/** Reads `rollback`. */
export function readRollback(body: Buffer): RollbackRequest {
  return withGoogleErrors(() => {
    const from = readJson(body);
    const target = optional(from, 'targetCrxVersion', text);
    return {
      targetCrxVersion: target === '' ? undefined : target,
      newVersion: required(from, 'newVersion', text),
      rollbackReason: required(from, 'rollbackReason', text),
      validateOnly: optional(from, 'validateOnly', flag) ?? false,
    };
  });
}

/** Reads `cancelSubmission`, whose body is empty. */
export function readEmpty(body: Buffer): void {
  withGoogleErrors(() => readJson(body));
}

/** Proto JSON: `null` is "not set", unknown names are ignored (src/stores/README.md#chrome-calls). */
function readJson(body: Buffer): Fields {
  const source = body.toString('utf8').trim();
  if (source === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    throw new InvalidInput('Parse error: the body is not valid JSON.');
  }
  return Object.fromEntries(Object.entries(fields(value, 'the body')).filter(([, entry]) => entry !== null));
}

function withGoogleErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw googleRefusal('INVALID_ARGUMENT', `Invalid JSON payload received. ${error.message}`, [
      badRequest([{ description: `Invalid JSON payload received. ${error.message}` }]),
    ]);
  }
}
