import { defineProblem } from '../common/problems/index.js';

export const InvalidCredentials = defineProblem(
  { code: 'invalid_credentials', status: 401, title: 'E-mail or password is wrong' },
  () => 'No user has this e-mail and this password.',
);

export const SignupClosed = defineProblem(
  { code: 'signup_closed', status: 403, title: 'Sign-up is closed' },
  () => 'This service takes no new tenants. Its operator opens sign-up by SIGNUP=open.',
);

export const EmailTaken = defineProblem(
  { code: 'email_taken', status: 409, title: 'The e-mail is taken' },
  () => 'A user with this e-mail exists already; log in instead.',
);

export const AccessTokenNotFound = defineProblem(
  { code: 'access_token_not_found', status: 404, title: 'Access token not found' },
  () => 'This tenant has no access token with that id.',
);
