import { describe, expect, it } from 'vitest';
import { actOn, type Rights } from './acts.js';
import { NEED_KINDS, type NeedKind } from './need.js';

const ABOUT = {
  turn: 'you',
  extensionId: 'extension',
  targetId: 'target',
  credentialId: 'key',
  approvalId: 'approval',
  version: '1.4.0 (7)',
  url: 'https://store.example/dashboard',
} as const;
const DASHBOARD = ['Open the dashboard', 'https://store.example/dashboard'];
const ROTATE = ['Rotate', '/settings/credentials?rotate=key'];
const EVERYTHING: Rights = { publish: true, rotate: true };

const acts: Readonly<Record<NeedKind, readonly string[]>> = {
  taken_down: DASHBOARD,
  rejected: ['See why', '/extensions/extension/versions/1.4.0%20(7)#rejected'],
  credential_rejected: ROTATE,
  credential_expired: ROTATE,
  approval_waiting: ['Decide', '/approvals/approval'],
  approval_rejected: ['See why', '/extensions/extension/versions/1.4.0%20(7)#findings'],
  held: ['See why', '/extensions/extension/versions/1.4.0%20(7)#findings'],
  action_required: DASHBOARD,
  release_waiting: ['Release', '/extensions/extension/targets/target?do=release'],
  incomplete: ['Complete', '/extensions/extension/targets/target'],
  stalled: DASHBOARD,
  credential_expiring: ROTATE,
  sales_unmapped: ['Look', '/plans?status=unmapped'],
  codes_undelivered: ['Look', '/licenses'],
  notifications_undelivered: ['Look', '/notifications'],
  trials_filling: ['Look', '/extensions/extension'],
  test_mode_open: ROTATE,
};

describe('what answers a need', () => {
  it.each(NEED_KINDS)('opens the place where it is done: %s', (kind) => {
    const act = actOn({ ...ABOUT, kind }, EVERYTHING);
    expect([act?.action, act?.href]).toEqual(acts[kind]);
  });

  it.each<[NeedKind, Rights, object | null]>([
    ['credential_expired', { publish: true, rotate: false }, null],
    [
      'release_waiting',
      { publish: false, rotate: false },
      { action: 'Look', href: '/extensions/extension/targets/target' },
    ],
    ['incomplete', { publish: false, rotate: false }, { action: 'Look', href: '/extensions/extension/targets/target' }],
  ])('opens nothing that the caller may not do: %s', (kind, rights, act) => {
    expect(actOn({ ...ABOUT, kind }, rights)).toEqual(act);
  });

  it('shows an approval to those who may not decide, and the dashboard where no version is known', () => {
    expect(actOn({ ...ABOUT, kind: 'approval_waiting', turn: 'team' }, EVERYTHING)?.action).toBe('Look');
    expect(actOn({ ...ABOUT, kind: 'rejected', version: null }, EVERYTHING)?.href).toBe(ABOUT.url);
    expect(actOn({ ...ABOUT, kind: 'taken_down', url: null }, EVERYTHING)).toBeNull();
  });
});
