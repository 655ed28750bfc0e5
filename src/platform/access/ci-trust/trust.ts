import { isTrustedEvent, type CiRun } from '../ci-tokens/index.js';
import { fitsPattern } from './ref-pattern.js';

/** Terms that a trust rule sets for a run. */
export interface TrustTerms {
  readonly issuer: string;
  readonly repository: string;
  /** Set by the rule's first use. */
  readonly repositoryId: string | null;
  readonly ownerId: string | null;
  /** Pattern of the full ref. */
  readonly ref: string | null;
  /** Pattern of the environment's name. */
  readonly environment: string | null;
}

/** The first of a rule's terms that a run does not meet. */
export type Mismatch = 'issuer' | 'repository' | 'event' | 'replaced' | 'ref' | 'environment';

/**
 * Compares a run with the terms of a trust rule; null when it meets them all. `replaced` means that the repository has the trusted name, but
 * is not the one that used the rule first: the name was given up and taken by somebody else. Pure.
 */
export function mismatchOf(terms: TrustTerms, run: CiRun): Mismatch | null {
  if (terms.issuer !== run.issuer) return 'issuer';
  if (terms.repository !== run.repository) return 'repository';
  if (!isTrustedEvent(run)) return 'event';
  if (isOther(terms.repositoryId, run.repositoryId) || isOther(terms.ownerId, run.ownerId)) return 'replaced';
  if (!IS_BRANCH_OR_TAG.test(run.ref ?? '') || !fits(terms.ref, run.ref)) return 'ref';
  if (terms.ref === null && terms.environment === null) return 'ref';
  return fits(terms.environment, run.environment) ? null : 'environment';
}

const IS_BRANCH_OR_TAG = /^refs\/(heads|tags)\/./;
const isOther = (pinned: string | null, given: string | null): boolean => pinned !== null && pinned !== given;
const fits = (pattern: string | null, name: string | null): boolean =>
  pattern === null || (name !== null && fitsPattern(pattern, name));
