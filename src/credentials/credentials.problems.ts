import { defineProblem, secondsUntil } from '../common/problems/index.js';

/** How long to wait before asking again, when the store did not say. */
const DEFAULT_RETRY_MS = 30_000;

export const CredentialNotFound = defineProblem(
  { code: 'credential_not_found', status: 404, title: 'Credential not found' },
  () => 'This tenant has no credential with that id.',
);

export const CredentialInUse = defineProblem(
  { code: 'credential_in_use', status: 409, title: 'Credential in use' },
  () => 'A target uses this credential; give the target another one first.',
);

export const StoreRejectedCredentials = defineProblem(
  { code: 'store_rejected_credentials', status: 422, title: 'The store rejected the credentials' },
  (words: string) => `The store refused these credentials, and nothing was saved. It said: ${words}`,
);

export const StoreUnavailable = defineProblem(
  { code: 'store_unavailable', status: 503, title: 'The store could not be asked' },
  (words: string, now: Date, retryAt: Date = new Date(now.getTime() + DEFAULT_RETRY_MS)) => ({
    detail: `The store could not be asked whether these credentials work, and nothing was saved. ${words}`,
    headers: { 'Retry-After': String(secondsUntil(retryAt, now)) },
  }),
);
