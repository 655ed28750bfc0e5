import type { Profile } from '../profile.js';

/**
 * The license keys of Lemon Squeezy, whose CSV is not documented: by the names of its API (docs.lemonsqueezy.com/api/license-keys) and of its orders, in any
 * spelling.
 */
export const LEMONSQUEEZY: Profile = {
  recognizedBy: [
    ['key', 'keyshort'],
    ['key', 'activationlimit'],
    ['licensekey', 'activationlimit'],
    ['licensekey', 'orderid'],
    ['licensekey', 'ordernumber'],
  ],
  columns: {
    email: [['useremail', 'customeremail', 'email']],
    tier: [
      ['productname', 'product', 'productid'],
      ['variantname', 'variant', 'variantid'],
    ],
    code: [['key', 'licensekey']],
    order: [['orderid', 'ordernumber']],
    status: [['status', 'licensestatus']],
    expiresAt: [['expiresat', 'expires', 'expirydate']],
    maxActivations: [['activationlimit']],
  },
  statuses: {
    active: 'active',
    inactive: 'active',
    paid: 'active',
    partialrefund: 'active',
    disabled: 'suspended',
    refunded: 'revoked',
    fraudulent: 'revoked',
    expired: 'expired',
    pending: 'skip',
    failed: 'skip',
  },
  flags: [
    { column: 'disabled', is: true, means: 'suspended' },
    { column: 'refunded', is: true, means: 'revoked' },
  ],
};
