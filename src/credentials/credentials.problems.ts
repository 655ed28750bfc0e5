import { defineProblem, secondsUntil } from '../common/problems/index.js';

/** How long to wait before asking again, when the store did not say. */
const DEFAULT_RETRY_MS = 30_000;

export const CredentialNotFound = defineProblem(
  {
    code: 'credential_not_found',
    status: 404,
    title: 'Credential not found',
    cause: 'The id is not one of this tenant’s credentials.',
    remedy: 'List the credentials with GET /credentials.',
  },
  () => 'This tenant has no credential with that id.',
);

export const CredentialInUse = defineProblem(
  {
    code: 'credential_in_use',
    status: 409,
    title: 'Credential in use',
    cause: 'A target still uses the credential.',
    remedy: 'Give the target another credential, then delete this one.',
  },
  () => 'A target uses this credential; give the target another one first.',
);

export const StoreRejectedCredentials = defineProblem(
  {
    code: 'store_rejected_credentials',
    status: 422,
    title: 'The store rejected the credentials',
    cause: 'The store or processor refused the credentials when Pierhead tried them. Nothing was saved.',
    remedy: 'Follow the store’s words in detail; GET /stores says where each value comes from.',
  },
  (words: string) => `The store refused these credentials, and nothing was saved. It said: ${words}`,
);

export const StoreUnavailable = defineProblem(
  {
    code: 'store_unavailable',
    status: 503,
    title: 'The store could not be asked',
    cause: 'The store or processor did not answer, so the credentials could not be tried. Nothing was saved.',
    remedy: 'Try again after Retry-After.',
  },
  (words: string, now: Date, retryAt: Date = new Date(now.getTime() + DEFAULT_RETRY_MS)) => ({
    detail: `The store could not be asked whether these credentials work, and nothing was saved. ${words}`,
    headers: { 'Retry-After': String(secondsUntil(retryAt, now)) },
  }),
);
