import type { Profile } from '../profile.js';

/** Pierhead's own columns, and the export of another Pierhead, which has no codes. */
export const PIERHEAD: Profile = {
  recognizedBy: [
    ['email', 'tier', 'code'],
    ['email', 'tier', 'order'],
    ['buyeremail', 'tier', 'codehint'],
  ],
  columns: {
    email: [['email', 'buyeremail']],
    tier: [['tier']],
    code: [['code']],
    order: [['order', 'id']],
    status: [['status']],
    expiresAt: [['expiresat']],
    maxActivations: [['maxactivations', 'seatsmax']],
    entitlements: [['entitlements']],
    metadata: [['metadata']],
  },
  statuses: { active: 'active', suspended: 'suspended', revoked: 'revoked', expired: 'expired' },
};
