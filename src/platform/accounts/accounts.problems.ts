import { defineProblem } from '../../common/problems/index.js';

export const InvalidCredentials = defineProblem(
  {
    code: 'invalid_credentials',
    status: 401,
    title: 'Wrong e-mail or password',
    cause: 'No user has this e-mail address, or the password is wrong.',
    remedy: 'Check both. The answer does not reveal which one is wrong.',
  },
  () => 'The e-mail address or the password is wrong.',
);

export const SignupClosed = defineProblem(
  {
    code: 'signup_closed',
    status: 403,
    title: 'Sign-up is closed',
    cause: 'SIGNUP is closed, or a tenant exists and SIGNUP is not set.',
    remedy: 'Ask the operator for an account, or to set SIGNUP=open.',
  },
  () => 'Sign-up is closed. The operator can open it with SIGNUP=open.',
);

export const AddressNotConfirmed = defineProblem(
  {
    code: 'address_not_confirmed',
    status: 403,
    title: 'E-mail address not confirmed',
    cause: 'The user has not shown yet to receive mail at the address of the account.',
    remedy: 'Request a link for a new password with POST /auth/password/reset-request, and open it.',
  },
  () =>
    'Your e-mail address is not confirmed. Choose “Forgot your password?” at log-in, and open the link in the mail; then try again.',
);

export const NoTenant = defineProblem(
  {
    code: 'no_tenant',
    status: 403,
    title: 'No tenant',
    cause: 'The user has left, or was removed from, every tenant.',
    remedy: 'Ask an owner or admin of a tenant for an invitation.',
  },
  () => 'You are no longer a member of any tenant. Ask an owner or admin for an invitation.',
);

export const TenantNotFound = defineProblem(
  {
    code: 'tenant_not_found',
    status: 404,
    title: 'Tenant not found',
    cause: 'The user is not a member of a tenant with this id.',
    remedy: 'List your tenants with GET /auth/me.',
  },
  () => 'You are not a member of a tenant with this id.',
);

export const EmailTaken = defineProblem(
  {
    code: 'email_taken',
    status: 409,
    title: 'E-mail taken',
    cause: 'A user with this e-mail address already exists.',
    remedy: 'Log in instead.',
  },
  () => 'A user with this e-mail address already exists. Log in instead.',
);
