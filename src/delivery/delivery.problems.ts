import { defineProblem } from '../common/problems/index.js';

export const ClaimNotFound = defineProblem(
  { code: 'claim_not_found', status: 404, title: 'Nothing to claim' },
  () =>
    'No code waits under this token: none has come yet, it was claimed already, or its day is over. The code was mailed to the buyer, too.',
);
