import type { Profile } from '../profile.js';

/**
 * The licenses of Keygen, which has no documented CSV: files that people make of its API (keygen.sh/docs/api/licenses) have its attributes as columns, with
 * the policy and the user's address beside them.
 */
export const KEYGEN: Profile = {
  recognizedBy: [
    ['key', 'expiry'],
    ['key', 'maxmachines'],
    ['licensekey', 'policy'],
    ['key', 'policy'],
  ],
  columns: {
    email: [['useremail', 'owneremail', 'customeremail', 'metadataemail', 'email']],
    tier: [['policyname', 'policy', 'policyid']],
    code: [['key', 'licensekey']],
    order: [['metadataorderid', 'orderid', 'order']],
    status: [['status']],
    expiresAt: [['expiry', 'expiresat']],
    maxActivations: [['maxmachines']],
    entitlements: [['entitlements']],
  },
  statuses: {
    active: 'active',
    inactive: 'active',
    expiring: 'active',
    expired: 'expired',
    suspended: 'suspended',
    banned: 'suspended',
  },
  flags: [{ column: 'suspended', is: true, means: 'suspended' }],
};
