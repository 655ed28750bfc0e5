import { parseVersion } from '../chrome/versions.js';
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
import { type PlannedFailure, type Product, type ProductKnobs, type StoredPackage } from './product.js';

const count = integer(0, 1_000_000_000);

const version: Check<string> = (value, what) => {
  const given = text(value, what);
  if (!parseVersion(given)) throw new InvalidInput(`"${what}" must be a version such as 1.2.3`);
  return given;
};

/** What is not named is `null`: a failure that gives no reason. */
const plannedFailure: Check<PlannedFailure> = (value, what) => {
  const from = fields(value, what, ['of', 'errorCode', 'message', 'errors']);
  return {
    of: required(from, 'of', oneOf(['upload', 'publish'])),
    errorCode: optional(from, 'errorCode', nullable(text)) ?? null,
    message: optional(from, 'message', nullable(text)) ?? null,
    errors: optional(from, 'errors', nullable(listOf(text))) ?? null,
  };
};

/** How each knob is read. */
const KNOBS: { readonly [Name in keyof ProductKnobs]: Check<ProductKnobs[Name]> } = {
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

/** The names `PATCH` and the making of a product know. */
export const PRODUCT_FIELDS: readonly string[] = [...Object.keys(KNOBS), 'live', 'draft', 'review'];

/** Turns knobs, and sets by hand what someone did in Partner Center. What is not named stays. */
export function applyProductInput(product: Product, body: unknown, now: Date): Product {
  const from = fields(body, 'a product', PRODUCT_FIELDS);
  const knobs = Object.entries(KNOBS).map(([name, check]) => [name, optional<unknown>(from, name, check)] as const);
  const live = optional(from, 'live', nullable(version));
  const draft = optional(from, 'draft', nullable(version));
  const review = optional(from, 'review', nullable(version));
  return {
    ...product,
    ...Object.fromEntries(knobs.filter(([, value]) => value !== undefined)),
    ...(live !== undefined && { live: madeUp(live) }),
    ...(draft !== undefined && { draft: madeUp(draft) }),
    ...(review !== undefined && { review: reviewOf(madeUp(review), now) }),
  };
}

const madeUp = (number: string | null): StoredPackage | null =>
  number === null ? null : { version: number, sha256: null, size: null };

/** A submission that someone else made, by hand. */
const reviewOf = (submitted: StoredPackage | null, submittedAt: Date): Product['review'] =>
  submitted === null ? null : { package: submitted, notes: null, submittedAt };
