import { defineProblem } from '../common/problems/index.js';

export const BuyerFormRefused = defineProblem(
  { code: 'buyer_form_refused', status: 403, title: 'That did not work' },
  () => 'You have been away for too long, or this form is not from this page. Nothing was changed. Begin again.',
);

export const BuyerLinkSpent = defineProblem(
  { code: 'buyer_link_spent', status: 410, title: 'This link is no longer good' },
  () => 'A link works once, for 15 minutes. Ask for another one.',
);

export const BuyerLicenseChanged = defineProblem(
  { code: 'buyer_license_changed', status: 409, title: 'Nothing was changed' },
  () => 'The license is not as it was when the page was shown: its code may have been replaced already. Look again.',
);
