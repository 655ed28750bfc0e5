import { Failure } from '../failure.js';
import { answer, Service, type ServiceOptions } from './service.js';
import { withRetries } from './retry.js';

/** A token from an exchange ends after 15 minutes, and a wait takes longer. */
const RENEW_AFTER_MS = 13 * 60_000;

/** How a job of CI proves where it comes from. */
export interface JobProof {
  /** The job's own token, made for the service. Each can be exchanged once. */
  readonly idToken: () => Promise<string>;
  /** Whose trust rules count. */
  readonly trusting: { readonly tenantId?: string; readonly extension?: string };
  /** Called with each token of the service, so that no log shows it. */
  readonly onToken: (token: string) => void;
}

/**
 * Exchanges the job's own token for one of the service, and again before it ends.
 * @returns a function that gives a token that is good for the next request
 */
export function exchanging(
  url: string,
  { idToken, trusting, onToken }: JobProof,
  options: ServiceOptions,
  now: () => number = Date.now,
): () => Promise<string> {
  const service = new Service({ url }, options);
  let exchanged: { readonly token: string; readonly since: number } | undefined;
  return async () => {
    if (exchanged !== undefined && now() - exchanged.since < RENEW_AFTER_MS) return exchanged.token;
    const since = now();
    const body = { token: await idToken(), ...trusting };
    const { token } = await answer(service.client.POST('/api/v1/auth/ci', { body }));
    onToken(token);
    exchanged = { token, since };
    return token;
  };
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * How the environment of a job lets it get its own token: at GitHub by asking for it, elsewhere from `PIERHEAD_ID_TOKEN`.
 * https://docs.github.com/en/actions/reference/security/oidc
 * @throws Failure when the job may not have one
 */
export function idTokenIn(env: Env, url: string, options: ServiceOptions): () => Promise<string> {
  const { PIERHEAD_ID_TOKEN: given = '', ACTIONS_ID_TOKEN_REQUEST_URL: address = '' } = env;
  if (given !== '') return () => Promise.resolve(given);
  if (address === '')
    throw new Failure('There is no token for Pierhead.', {
      hint: 'At GitHub, give the job "permissions: id-token: write". At GitLab, name an id_token PIERHEAD_ID_TOKEN. Or set PIERHEAD_TOKEN.',
    });
  const asked = new URL(address);
  asked.searchParams.set('audience', url);
  const headers = {
    authorization: `Bearer ${env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] ?? ''}`,
    accept: 'application/json',
  };
  return async () => {
    const response = await withRetries(
      () => fetch(asked, { headers }),
      ({ status, headers: answered }) => ({ status, retryAfter: answered.get('retry-after') }),
      true,
      { ...options, url: asked.origin },
    );
    const { value } = response.ok ? ((await response.json()) as { readonly value?: string }) : {};
    if (value === undefined)
      throw new Failure(`GitHub gives the job no token: it answers ${response.status}.`, {
        hint: 'Give the job "permissions: id-token: write".',
      });
    return value;
  };
}
