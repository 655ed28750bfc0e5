import { defineProblem } from '../../../common/problems/index.js';

export const OidcNotConfigured = defineProblem(
  {
    code: 'oidc_not_configured',
    status: 404,
    title: 'No identity provider',
    cause: 'OIDC_ISSUER is not set.',
    remedy: 'Log in with a password, or ask the operator to set OIDC_ISSUER.',
  },
  () => 'This service has no identity provider. Log in with a password.',
);

export const ProviderUnreachable = defineProblem(
  {
    code: 'identity_provider_unreachable',
    status: 503,
    title: 'Identity provider unreachable',
    cause: 'The identity provider does not answer, or answers that it is busy.',
    remedy: 'Sign in again after the time in Retry-After. The log has the cause.',
  },
  (cause: Error) => ({
    detail: 'The identity provider does not answer. Sign in again in a moment.',
    headers: { 'Retry-After': '10' },
    cause,
  }),
);

export const ProviderAnswerInvalid = defineProblem(
  {
    code: 'identity_provider_answer_invalid',
    status: 502,
    title: "Identity provider's answer refused",
    cause:
      "The identity provider's answer fails a check: its issuer, or the signature, audience, expiry or nonce of its ID token.",
    remedy: 'Sign in again. If it fails again, compare the OIDC settings with the provider; the log has the cause.',
  },
  (why: string) => ({
    detail: "The identity provider's answer cannot be trusted, so nobody was signed in. Sign in again.",
    cause: new Error(`The identity provider's answer was refused: ${why}`),
  }),
);

export const SignInRefused = defineProblem(
  {
    code: 'sign_in_refused',
    status: 403,
    title: 'Sign-in refused',
    cause: 'The identity provider refused the sign-in, or the person canceled it.',
    remedy: 'Sign in again, or ask the administrator of the provider for access.',
  },
  (error: string) => {
    const named = /^[a-z_]{1,64}$/.test(error) ? error : 'unknown_error';
    return { detail: `The identity provider refused the sign-in: ${named}.`, members: { providerError: named } };
  },
);

export const SignInExpired = defineProblem(
  {
    code: 'sign_in_expired',
    status: 400,
    title: 'Sign-in expired',
    cause: 'The sign-in started more than 10 minutes ago or in another browser, or was already completed.',
    remedy: 'Begin again with GET /auth/oidc, in a browser that accepts cookies.',
  },
  () => 'This sign-in has expired, was started in another browser, or was already completed. Start again.',
);

export const EmailNotVerified = defineProblem(
  {
    code: 'email_not_verified',
    status: 403,
    title: 'E-mail address not verified',
    cause: 'The identity provider names no e-mail address, or does not say that it verified it.',
    remedy: 'Verify your address at the provider, or let the provider send the claims email and email_verified.',
  },
  () => 'The identity provider does not say that it verified your e-mail address.',
);

export const DomainNotAllowed = defineProblem(
  {
    code: 'email_domain_not_allowed',
    status: 403,
    title: 'E-mail domain not allowed',
    cause: 'The domain of the e-mail address is not one of OIDC_ALLOWED_DOMAINS.',
    remedy: 'Sign in with an address of an allowed domain.',
  },
  () => 'People with an e-mail address of this domain cannot sign in here.',
);

export const NotInvited = defineProblem(
  {
    code: 'not_invited',
    status: 403,
    title: 'No account and no invitation',
    cause: 'The person has neither an account nor an open invitation, and OIDC_SIGNUP is invited.',
    remedy: 'Ask a tenant for an invitation to the address that the provider verified.',
  },
  () => 'You have no account here and no open invitation. Ask for an invitation to your e-mail address.',
);

export const AccountNotLinked = defineProblem(
  {
    code: 'account_not_linked',
    status: 409,
    title: 'Account not linked',
    cause:
      'An account has this e-mail address, and linking it by the address alone is not safe: the address was never proven, the account has a second factor, or another person of the provider is linked to it.',
    remedy: 'Log in as before, then link the account with POST /auth/oidc/link.',
  },
  () => 'An account has your e-mail address, but is not linked to this sign-in. Log in as before and link it there.',
);

export const IdentityTaken = defineProblem(
  {
    code: 'identity_taken',
    status: 409,
    title: 'Sign-in belongs to another account',
    cause: 'The person who signed in at the provider is linked to another user.',
    remedy: 'Log in as that user, or sign in at the provider as another person.',
  },
  () => 'This sign-in at the identity provider is linked to another account.',
);
