import { defineProblem } from '../../common/problems/index.js';

export const ClaimNotFound = defineProblem(
  {
    code: 'claim_not_found',
    status: 404,
    title: 'Nothing to claim',
    cause:
      'No code waits for this claim token: the payment has not arrived yet, the code was claimed, a day has passed, or the token is of another device.',
    remedy: 'Retry for a few minutes after the payment.',
  },
  (isMailed: boolean) =>
    `No code waits for this token: the payment has not arrived yet, the code was claimed, or a day has passed.${
      isMailed ? ' The code is also mailed to the buyer.' : ''
    }`,
);
