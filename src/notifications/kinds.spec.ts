import { describe, expect, it } from 'vitest';
import { isWorthNotifying, kindOf } from './kinds.js';

describe('a timeline event', () => {
  it.each([
    ['phase_live', null, 'live'],
    ['phase_rejected', { from: 'in_review' }, 'rejected'],
    ['phase_action_required', null, 'action_required'],
    ['phase_action_required', { cause: 'config' }, 'action_required'],
    ['phase_action_required', 'credential', 'action_required'],
    ['phase_action_required', { cause: 'credential' }, 'credential_failing'],
    ['phase_live', { cause: 'credential' }, 'live'],
    ['phase_action_required', { cause: 'config', isRepeated: true }, null],
    ['phase_action_required', { cause: 'config', isRepeated: false }, 'action_required'],
    ['phase_action_required', { cause: 'approval' }, null],
    ['approval_requested', {}, 'approval_requested'],
    ['approval_approved', {}, 'approval_given'],
    ['approval_rejected', {}, 'approval_rejected'],
    ['approval_turned_on', {}, null],
    ['approval_turned_off', {}, 'approval_turned_off'],
    ['phase_taken_down', {}, 'taken_down'],
    ['stuck_in_review', {}, 'stuck_in_review'],
    ['unexpected_version', {}, 'unexpected_version'],
    ['stalled', {}, 'stalled'],
    ['low_rating', { stars: [1] }, 'low_rating'],
    ['credential_expiring', {}, 'credential_expiring'],
    ['payment_on_ended_license', {}, 'payment_on_ended_license'],
    ['license_moving', {}, 'license_moving'],
    ['phase_in_review', {}, null],
    ['phase_backing_off', {}, null],
    ['observed', {}, null],
    ['step_done', {}, null],
    ['constructor', {}, null],
  ])('%s with %j becomes %s', (kind, data, expected) => {
    expect(kindOf({ kind, data })).toBe(expected);
  });
});

describe('the notification that a version is live', () => {
  const live = (version: string) => ({ kind: 'live', version });

  it.each([
    ['nothing', null, true],
    ['the same', live('1.0'), false],
    ['another version', live('0.9'), true],
    ['that it was taken down', { kind: 'taken_down', version: '1.0' }, true],
    ['that it was rejected', { kind: 'rejected', version: '1.0' }, true],
  ])('after %s (%j) is worth notifying: %s', (_, last, expected) => {
    expect(isWorthNotifying(live('1.0'), last)).toBe(expected);
  });

  it('is the only kind that is not repeated: a person may be needed twice for the same version', () => {
    for (const kind of ['rejected', 'action_required', 'credential_failing', 'taken_down', 'stuck_in_review'])
      expect(isWorthNotifying({ kind, version: '1.0' }, { kind, version: '1.0' })).toBe(true);
  });
});
