import { MINUTE_MS } from '../../common/system/index.js';
import type { Observed, Submission } from '../../stores/index.js';
import type { PlanningFacts, NextStep, ReleaseFacts } from './plan.js';
import type { ReleaseState } from '../releases/pure.js';

/** The facts that a rule may use. */
export interface Situation extends PlanningFacts {
  readonly desired: string;
  readonly live: string | null;
  readonly isLiveKnown: boolean;
  readonly submission: Submission | null;
  readonly isSubmissionKnown: boolean;
  readonly observed: Observed;
  readonly state: ReleaseState;
  readonly release: ReleaseFacts | null;
}

/** Returns the next step, or null to leave it to the rules after it. Pure. */
export type Rule = (situation: Situation) => NextStep | null;

/** Whether a submission can still go live. */
export const isPending = ({ state }: Submission): boolean => state !== 'rejected' && state !== 'cancelled';

/** Time that a store may take to show a step that it has just accepted. */
const STORE_LAG_MS = 15 * MINUTE_MS;

/** Time for which a release has been in its state, in milliseconds. */
export const ageOf = ({ since }: Pick<ReleaseFacts, 'since'>, now: Date): number => now.getTime() - since.getTime();

/** The store may not show yet what it accepted a moment ago. */
export const isStoreLagging = (release: Pick<ReleaseFacts, 'since'>, now: Date): boolean =>
  ageOf(release, now) < STORE_LAG_MS;
