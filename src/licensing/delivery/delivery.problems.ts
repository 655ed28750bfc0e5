import { defineProblem } from '../../common/problems/index.js';

export const ClaimNotFound = defineProblem(
  {
    code: 'claim_not_found',
    status: 404,
    title: 'Nothing to claim',
    cause:
      'No code waits for this claim token: the payment has not arrived, the code was claimed, or a day has passed.',
    remedy: 'Ask again for a few minutes after the payment. The buyer also gets the code by mail.',
  },
  () =>
    'No code waits under this token: none has come yet, it was claimed already, or its day is over. The code was mailed to the buyer, too.',
);
