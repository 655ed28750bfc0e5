import type { StoreFailure, Observed, StepOutcome, ThrottledCalls } from '../../../stores/index.js';
import type { NewEvent } from '../../../registry/index.js';
import type { TargetStatus } from '../../../targets/index.js';
import type { CarriedStep } from '../../reconcile.dto.js';
import type { ReleaseEntity } from '../../releases/pure.js';
import type { Assessment, CallingStep, TargetContext } from '../context.js';

/** The store reported its state. */
export interface ObservedEvent {
  readonly type: 'observed';
  readonly observed: Observed;
  /** The id of the release, if one begins with this. */
  readonly releaseId: string;
  /** The version that the store serves since the last check although nobody pushed it; null for none. */
  readonly unpushed: string | null;
}

/** The planned step is about to be made. */
export interface Intended {
  readonly type: 'intended';
  /** Identifies the attempt. */
  readonly key: string;
}

/** The store took the step. */
export interface Answered {
  readonly type: 'answered';
  readonly answer: StepOutcome;
}

/** A step or a status check failed at the store or on the way to it. */
export interface Failed {
  readonly type: 'failed';
  readonly failure: StoreFailure;
  /** The credential's name, for people. */
  readonly credential: string;
}

/** The store is not to be asked before a time. */
export interface Postponed {
  readonly type: 'postponed';
  readonly until: Date;
  /** The store itself named the time. */
  readonly isFromStore: boolean;
}

/** A fault in Pierhead ended the work. */
export interface Faulted {
  readonly type: 'faulted';
  /** Advice to a person, where one can do something. */
  readonly remedy: string | null;
}

/** A step that was intended, and whose outcome is not known yet. */
export interface Attempt extends Assessment {
  readonly step: CallingStep;
  /** The release that the step is about. */
  readonly subject: ReleaseEntity;
  /** Pierhead had sent it to review before this attempt. */
  readonly wasSubmittedByPierhead: boolean;
  /** The attempt before this one was of the same step, and was not clearly answered. */
  readonly wasIntended: boolean;
}

/** Result of an event for a target, for services to persist. */
export interface Transition<State extends TargetContext = TargetContext> {
  readonly state: State;
  /** The target's status to write; null when nothing changes. */
  readonly status: Partial<TargetStatus> | null;
  readonly timeline: readonly NewEvent[];
  /** The store accepts no such calls with the credential until then. */
  readonly throttle: { readonly calls: ThrottledCalls | 'all'; readonly until: Date } | null;
  /** The step to report to the caller; null while that is open. */
  readonly report: CarriedStep | null;
}
