import type { Profile } from '../profile.js';

/**
 * The orders of Polar, as in its source (polarsource/polar, server/polar/order/export.py), or its license keys under the names that its API gives them
 * (LicenseKeyRead). The orders have no keys, and a subscription has one for each renewal.
 */
export const POLAR: Profile = {
  recognizedBy: [
    ['email', 'product', 'invoicenumber'],
    ['key', 'displaykey'],
    ['key', 'benefitid'],
    ['key', 'limitactivations'],
  ],
  columns: {
    email: [['customeremail', 'email']],
    tier: [['product', 'productname', 'benefitdescription', 'benefitname', 'benefitid']],
    code: [['key', 'licensekey']],
    order: [['orderid', 'invoicenumber']],
    status: [['status']],
    expiresAt: [['expiresat']],
    maxActivations: [['limitactivations']],
  },
  statuses: {
    granted: 'active',
    paid: 'active',
    partiallyrefunded: 'active',
    disabled: 'suspended',
    revoked: 'revoked',
    refunded: 'revoked',
    pending: 'skip',
    draft: 'skip',
    void: 'skip',
  },
  leftOut: [{ column: 'billingreason', says: ['subscriptioncycle', 'subscriptionupdate'] }],
  notes: [
    {
      without: 'key',
      note: 'Polar’s orders have no license keys: buyers get new codes. List the keys with its API (GET /v1/license-keys) to keep them.',
    },
    {
      without: 'billingreason',
      note: 'Without the column Billing Reason, each renewal of a subscription becomes a license. Add the column to the export, unless you sold no subscriptions.',
    },
  ],
};
