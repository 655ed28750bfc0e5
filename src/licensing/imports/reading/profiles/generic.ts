import type { Profile } from '../profile.js';

/** Names and words that most tools use, for a file of none that is known. */
export const GENERIC: Profile = {
  recognizedBy: [[]],
  columns: {
    email: [['email', 'useremail', 'customeremail', 'buyeremail', 'emailaddress', 'mail']],
    tier: [
      ['tier', 'plan', 'planname', 'product', 'productname', 'item', 'itemname'],
      ['variant', 'variantname'],
    ],
    code: [['code', 'licensekey', 'licensecode', 'license', 'key', 'serial', 'serialnumber']],
    order: [['order', 'orderid', 'ordernumber', 'purchaseid', 'saleid', 'transactionid', 'invoicenumber', 'invoice']],
    status: [['status', 'state', 'licensestatus']],
    expiresAt: [
      ['expiresat', 'expires', 'expiry', 'expirydate', 'expirationdate', 'expiration', 'validuntil', 'enddate'],
    ],
    maxActivations: [['maxactivations', 'activationlimit', 'limitactivations', 'maxmachines', 'seats', 'devices']],
    entitlements: [['entitlements', 'features']],
  },
  statuses: {
    active: 'active',
    inactive: 'active',
    enabled: 'active',
    valid: 'active',
    paid: 'active',
    completed: 'active',
    disabled: 'suspended',
    suspended: 'suspended',
    paused: 'suspended',
    blocked: 'suspended',
    banned: 'suspended',
    revoked: 'revoked',
    refunded: 'revoked',
    chargeback: 'revoked',
    fraudulent: 'revoked',
    expired: 'expired',
    pending: 'skip',
    failed: 'skip',
    draft: 'skip',
  },
};
