import { getIDToken, setSecret } from '@actions/core';
import type { Inputs } from './inputs.js';
import { exchanging } from '../../cli/src/api/job-token.js';
import type { ServiceOptions } from '../../cli/src/api/service.js';
import { Failure } from '../../cli/src/failure.js';

/**
 * Exchanges the job's own token for one of the service.
 * @param trusting whose trust rules count
 * @returns a function that gives a token that is good for the next request
 * @throws Failure when the job may not have a token, or it is not known whose rules count
 */
export function jobToken(
  url: string,
  trusting: Inputs['trusting'],
  options: ServiceOptions,
  now: () => number = Date.now,
): () => Promise<string> {
  if ((process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] ?? '') === '')
    throw new Failure('There is no token for Pierhead.', {
      hint: 'Give the job "permissions: id-token: write" and Pierhead a trust rule, or set the input "token".',
    });
  if (Object.keys(trusting).length === 0)
    throw new Failure('It is not clear which tenant’s trust rules apply.', {
      hint: 'Set the input "tenant" to the id that `pierhead whoami --json` shows, or "extension" to an id.',
    });
  return exchanging(url, { idToken: () => getIDToken(url), trusting, onToken: setSecret }, options, now);
}
