import { describe, expect, it } from 'vitest';
import { problemAsSaid, problemFailure } from './problem.js';
import { sentenceInOptions } from './in-options.js';

describe('what the service says', () => {
  it.each([
    ["Check the target's storeItemId: it is the product id.", 'Check --item: it is the product id.'],
    ['The storeItemId is not an item id of the Chrome Web Store.', '--item is not an item id of the Chrome Web Store.'],
    ['The target still needs storeItemId and credentialId.', 'The target still needs --item and the key.'],
    ["Set the target's rolloutPercent to at most 10.", 'Set the percentage to at most 10.'],
    [
      'Push a mended package, or override the finding.',
      'Push a mended package, or override the finding with: pierhead override',
    ],
    [
      'Name it with the parameter target, others with the parameter store.',
      'Name it with --target, others with --store.',
    ],
    ['Extensions and scopes of a store.', 'Extensions and scopes of a store.'],
  ])('is in options, and not in fields of the API: %s', (said, shown) => expect(sentenceInOptions(said)).toBe(shown));

  const problem = {
    code: 'invalid_request',
    detail: 'buyerEmail: must be an e-mail address. scopes.1: is unknown. name: must not be empty.',
    errors: [
      { field: 'buyerEmail', message: 'must be an e-mail address.' },
      { field: 'scopes.1', message: 'is unknown.' },
      { field: 'name', message: 'must not be empty.' },
    ],
    requestId: '01a1',
  };

  it('of a body names the option of each fault, and keeps code and request', () => {
    const failure = problemFailure(400, problem);
    expect(failure).toMatchObject({ exitCode: 1, code: 'invalid_request', requestId: '01a1' });
    expect(failure.message).toBe(
      'the e-mail address: must be an e-mail address. --scope: is unknown. name: must not be empty.',
    );
    expect(failure.errors.map(({ field }) => field)).toEqual(['the e-mail address', '--scope', 'name']);
  });

  it('is as it was said for who calls the API', () => expect(problemAsSaid(400, problem).message).toBe(problem.detail));
});
