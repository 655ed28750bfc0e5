import { defineProblem } from '../../../common/problems/index.js';

export const SecondFactorInvalid = defineProblem(
  {
    code: 'second_factor_invalid',
    status: 403,
    title: 'Wrong code',
    cause: 'The code is wrong, too old, or was used before.',
    remedy: 'Send the code that the authenticator app shows now, or a recovery code that was not used.',
  },
  () => 'The code is wrong, too old, or was used before. Wait for the next one, or use a recovery code.',
);

export const SecondFactorMissing = defineProblem(
  {
    code: 'second_factor_missing',
    status: 409,
    title: 'No second factor',
    cause: 'The user has no second factor, or has not begun to set one up.',
    remedy: 'Begin with POST /auth/second-factor.',
  },
  () => 'You have no second factor. Begin with POST /auth/second-factor.',
);

export const SecondFactorActive = defineProblem(
  {
    code: 'second_factor_active',
    status: 409,
    title: 'Second factor exists',
    cause: 'The user has a second factor already.',
    remedy: 'Disable it first, to set up another app.',
  },
  () => 'You have a second factor. Disable it before you set up another one.',
);
