import { defineProblem, secondsUntil } from '../common/problems/index.js';

/** The `Retry-After` when the store does not give one. */
const DEFAULT_RETRY_MS = 30_000;

export const CredentialNotFound = defineProblem({
  code: 'credential_not_found',
  status: 404,
  title: 'Credential not found',
  cause: 'The tenant has no credential with this id.',
  remedy: 'List the credentials with GET /credentials.',
});

export const CredentialInUse = defineProblem(
  {
    code: 'credential_in_use',
    status: 409,
    title: 'Credential in use',
    cause: 'A target uses the credential.',
    remedy: 'Assign another credential to the target, then delete this one.',
  },
  () => 'A target uses this credential. Assign another one to the target first.',
);

export const StoreRejectedCredentials = defineProblem(
  {
    code: 'store_rejected_credentials',
    status: 422,
    title: 'Credentials rejected by the store',
    cause: 'The store or payment processor rejected the credentials. Nothing was saved.',
    remedy: 'Read the store’s message in detail. GET /stores shows where to find each value.',
  },
  (words: string, isAsked: boolean = true) =>
    isAsked
      ? `The store rejected the credentials, and nothing was saved. Its message: ${words}`
      : `${words} The store was not asked, and nothing was saved.`,
);

export const StoreUnavailable = defineProblem(
  {
    code: 'store_unavailable',
    status: 503,
    title: 'Store unavailable',
    cause:
      'The store or payment processor did not answer, so the credentials could not be verified. Nothing was saved.',
    remedy: 'Retry after the time in Retry-After.',
  },
  (words: string, now: Date, retryAt: Date = new Date(now.getTime() + DEFAULT_RETRY_MS)) => ({
    detail: `The credentials could not be verified, and nothing was saved. ${words}`,
    headers: { 'Retry-After': String(secondsUntil(retryAt, now)) },
  }),
);
