import { defineProblem } from '../../common/problems/index.js';

export const BuyerFormRefused = defineProblem(
  {
    code: 'buyer_form_refused',
    status: 403,
    title: 'That did not work',
    cause: 'The form is too old, or comes from another page.',
    remedy: 'Open the buyer’s page again.',
  },
  () => 'You have been away for too long, or this form is not from this page. Nothing was changed. Begin again.',
);

export const BuyerLinkSpent = defineProblem(
  {
    code: 'buyer_link_spent',
    status: 410,
    title: 'This link is no longer good',
    cause: 'The link was used, or is older than 15 minutes.',
    remedy: 'Ask for a new link.',
  },
  () => 'A link works once, for 15 minutes. Ask for another one.',
);

export const BuyerLicenseChanged = defineProblem(
  {
    code: 'buyer_license_changed',
    status: 409,
    title: 'Nothing was changed',
    cause: 'The license changed after the page was shown.',
    remedy: 'Load the page again.',
  },
  () => 'The license is not as it was when the page was shown: its code may have been replaced already. Look again.',
);
