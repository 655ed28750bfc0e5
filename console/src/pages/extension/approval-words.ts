import type { components } from '../../../../clients/cli/src/api/schema.js';
import type { State } from '../../ui';

type Approval = components['schemas']['Approval'];

/** What was asked for. */
export const ACTS: Readonly<Record<Approval['act'], string>> = {
  push: 'Pushed',
  pin: 'Pinned again',
  rollback: 'Rolled back',
  resubmit: 'Resubmitted',
  enable: 'Target enabled',
};

/** The state of an approval, and what follows from it. Pure. */
export function standingOf({
  state,
  decidedBy,
  reason,
  isYours,
}: Pick<Approval, 'state' | 'decidedBy' | 'reason' | 'isYours'>): {
  readonly state: State;
  readonly word: string;
  readonly next: string;
} {
  switch (state) {
    case 'waiting':
      return isYours
        ? { state: 'needs_you', word: 'waits for you', next: 'Nothing is sent to a store before you approve it.' }
        : {
            state: 'underway',
            word: 'waits for another person',
            next: 'Nothing is sent to a store before another person who may publish approves it.',
          };
    case 'approved':
      return { state: 'live', word: 'approved', next: `${decidedBy} approved it.` };
    case 'rejected':
      return { state: 'rejected', word: 'rejected', next: `${decidedBy} rejected it: ${reason}` };
    case 'withdrawn':
      return {
        state: 'off',
        word: 'withdrawn',
        next: 'Other content or another version was pinned since, or approvals are no longer required.',
      };
  }
}
