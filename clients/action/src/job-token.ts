import { getIDToken, setSecret } from '@actions/core';
import { answer, Service, type ServiceOptions } from '../../cli/src/api/service.js';
import { Failure } from '../../cli/src/failure.js';

/** A traded token ends after 15 minutes, and a wait takes longer. */
const RENEW_AFTER_MS = 13 * 60_000;

/**
 * Trades the job's own token for one of the service, and again before it ends: each token of GitHub can be traded once.
 * @returns a function that gives a token that is good for the next request
 */
export function jobToken(
  url: string,
  tenantId: string,
  options: ServiceOptions,
  now: () => number = Date.now,
): () => Promise<string> {
  const service = new Service({ url }, options);
  let traded: { readonly token: string; readonly since: number } | undefined;
  return async () => {
    if (traded !== undefined && now() - traded.since < RENEW_AFTER_MS) return traded.token;
    const since = now();
    const body = { token: await idToken(url), ...(tenantId === '' ? {} : { tenantId }) };
    const { token } = await answer(service.client.POST('/api/v1/auth/ci', { body }));
    setSecret(token);
    traded = { token, since };
    return token;
  };
}

async function idToken(audience: string): Promise<string> {
  if ((process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] ?? '') === '')
    throw new Failure('There is no token for Pierhead.', {
      hint: 'Give the job "permissions: id-token: write" and Pierhead a trust rule, or set the input "token".',
    });
  return getIDToken(audience);
}
