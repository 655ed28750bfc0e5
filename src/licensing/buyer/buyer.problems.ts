import { defineProblem } from '../../common/problems/index.js';

export const BuyerFormRefused = defineProblem(
  {
    code: 'buyer_form_refused',
    status: 403,
    title: 'This form has expired',
    cause: 'The session has expired, or the form was not sent from one of its pages.',
    remedy: 'Open the page again.',
  },
  () => 'Your session has expired, or the form was sent from another page. Nothing was changed. Please start again.',
);

export const BuyerLinkSpent = defineProblem(
  {
    code: 'buyer_link_spent',
    status: 410,
    title: 'This link no longer works',
    cause: 'The link was used already, or is older than 15 minutes.',
    remedy: 'Request a new link.',
  },
  () => 'A link works once and expires after 15 minutes. Request a new one.',
);

export const BuyerLicenseChanged = defineProblem(
  {
    code: 'buyer_license_changed',
    status: 409,
    title: 'Nothing was changed',
    cause: 'The license changed after the page was shown.',
    remedy: 'Reload the page.',
  },
  () => 'The license has changed since the page was loaded: its code may have been replaced already. Reload the page.',
);

export const TeamLinkSpent = defineProblem(
  {
    code: 'team_link_spent',
    status: 410,
    title: 'This link no longer works',
    cause: 'The link was replaced by another one, or is older than seven days.',
    remedy: 'Ask who sent it for a new link.',
  },
  () => 'The link is older than seven days, or was replaced. Ask who sent it to you for a new one.',
);
