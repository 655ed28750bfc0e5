import { versionText } from '../versions.js';
import {
  type Check,
  type Checks,
  count,
  fields,
  flag,
  listOf,
  nullable,
  oneOf,
  optional,
  presentFields,
  required,
  text,
} from '../input.js';
import { changesInput } from '../served-file.js';
import { type PlannedFailure, type Product, type ProductBehavior, type StoredPackage } from './product.js';

/** Absent fields are `null`, as in a failure without a reason. */
const plannedFailure: Check<PlannedFailure> = (value, what) => {
  const from = fields(value, what, ['of', 'errorCode', 'message', 'errors']);
  return {
    of: required(from, 'of', oneOf(['upload', 'publish'])),
    errorCode: optional(from, 'errorCode', nullable(text)) ?? null,
    message: optional(from, 'message', nullable(text)) ?? null,
    errors: optional(from, 'errors', nullable(listOf(text))) ?? null,
  };
};

const BEHAVIOR: Checks<ProductBehavior> = {
  servedChanges: changesInput,
  servedBytes: nullable(count),
  uploadPolls: count,
  publishPolls: count,
  inProgressIs202: flag,
  conflictsInReview: flag,
  createAllowed: flag,
  incompleteModules: listOf(text),
  unpublishing: flag,
  staysInDraft: flag,
  isPublic: flag,
  approveAfterSeconds: nullable(count),
  failures: listOf(plannedFailure),
};

/** The fields that creating and patching a product accept. */
export const PRODUCT_FIELDS: readonly string[] = [...Object.keys(BEHAVIOR), 'name', 'live', 'draft', 'review'];

/** Changes a product's behavior and state, as a person does in Partner Center. Absent fields stay unchanged. */
export function applyProductInput(product: Product, body: unknown, now: Date): Product {
  const from = fields(body, 'a product', PRODUCT_FIELDS);
  const live = optional(from, 'live', nullable(versionText));
  const draft = optional(from, 'draft', nullable(versionText));
  const review = optional(from, 'review', nullable(versionText));
  return {
    ...product,
    ...presentFields(from, BEHAVIOR),
    name: optional(from, 'name', text) ?? product.name,
    ...(live !== undefined && { live: syntheticPackage(live) }),
    ...(draft !== undefined && { draft: syntheticPackage(draft) }),
    ...(review !== undefined && { review: reviewOf(syntheticPackage(review), now) }),
  };
}

const syntheticPackage = (number: string | null): StoredPackage | null =>
  number === null ? null : { version: number, sha256: null, size: null };

/** A submission made in Partner Center. */
const reviewOf = (submitted: StoredPackage | null, submittedAt: Date): Product['review'] =>
  submitted === null ? null : { package: submitted, notes: null, submittedAt };
