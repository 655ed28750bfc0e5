import type { Profile } from '../profile.js';

/**
 * The sales of Gumroad (Sales > Download CSV). Columns, forms and the last row as in its source: antiwork/gumroad,
 * app/services/exports/purchase_export_service.rb. A gift is its receiver's; a later charge of a subscription has the key of the first.
 */
export const GUMROAD: Profile = {
  recognizedBy: [['purchaseid', 'itemname', 'purchaseemail']],
  columns: {
    email: [['gifteeemail'], ['purchaseemail'], ['buyeremail']],
    tier: [['itemname'], ['variants']],
    code: [['licensekey']],
    order: [['purchaseid']],
    expiresAt: [['subscriptionenddate']],
  },
  statuses: {},
  flags: [
    { column: 'fullyrefunded', is: true, means: 'revoked' },
    { column: 'disputed', is: true, means: 'revoked', unless: 'disputewon' },
    { column: 'accessrevoked', is: true, means: 'revoked' },
    { column: 'licensekeyenabled', is: false, means: 'suspended' },
  ],
  leftOut: [
    { column: 'purchaseid', says: ['totals'] },
    { column: 'recurringcharge', says: ['1', 'true', 'yes'], unlessFilled: 'licensekey' },
    { column: 'preorderauthorization', says: ['1', 'true', 'yes'] },
  ],
};
