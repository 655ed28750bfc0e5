import { describe, expect, it } from 'vitest';
import type { StoreAnswer } from '../failures/error-rules.js';
import { isErrorAnswer } from './chrome.api-error.js';
import { chromeFailure } from './chrome.errors.js';
import { tokenFailure } from './chrome.token-errors.js';

const NOW = new Date('2026-11-21T12:00:00Z');

function answer(status: number, json: unknown, headers: Record<string, string> = {}): StoreAnswer {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return { status, headers: new Headers(headers), text, json: typeof json === 'string' ? undefined : json };
}

const google = (code: number, status: string, message: string, details?: object[]): StoreAnswer =>
  answer(code, { error: { code, message, status, ...(details && { details }) } });

const info = (reason: string): object => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'x' });

const badPackage = (reason: string, description = 'Described.'): StoreAnswer =>
  google(400, 'INVALID_ARGUMENT', 'The uploaded package was invalid.', [
    info('INVALID_PACKAGE'),
    {
      '@type': 'type.googleapis.com/google.rpc.LocalizedMessage',
      locale: 'en-US',
      message: 'The uploaded package was invalid.',
    },
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field: 'media', description, reason }],
    },
  ]);

const HTML = '<!DOCTYPE html><title>Error</title>';

describe('an error of the API', () => {
  it.each<[string, string, StoreAnswer]>([
    ['artifact', 'a broken manifest', badPackage('PKG_MANIFEST_PARSE_ERROR')],
    ['artifact', 'a version that is too low', badPackage('PKG_INVALID_VERSION_NUMBER')],
    ['artifact', 'a bad zip', badPackage('PKG_INVALID_ZIP')],
    ['artifact', 'no manifest', badPackage('PKG_MISSING_MANIFEST')],
    ['artifact', 'a package fault that no document names', badPackage('PKG_SOMETHING_NEW')],
    ['artifact', 'a package without a reason', google(400, 'INVALID_ARGUMENT', 'Invalid.', [info('INVALID_PACKAGE')])],
    ['artifact', 'a version, said in words', google(400, 'INVALID_ARGUMENT', 'The version must be larger than 1.0.')],
    ['artifact', 'a body that is too large', answer(413, {})],
    ['retry', "the store's own trouble with a package", badPackage('PKG_INTERNAL_ERROR')],
    ['retry', 'the same while packaging', badPackage('PKG_INTERNAL_ERROR_PACKAGING')],
    ['config', 'a package that must be signed', badPackage('PKG_MUST_UPDATE_AS_CRX')],
    ['wait', 'an item that cannot be updated now', badPackage('ITEM_NOT_UPDATABLE')],
    [
      'wait',
      'an item in review',
      google(400, 'FAILED_PRECONDITION', 'You may not edit or publish an item that is in review.'),
    ],
    [
      'wait',
      'a package being processed',
      google(400, 'FAILED_PRECONDITION', 'Not while its package is being processed.'),
    ],
    [
      'config',
      'a dashboard to fill in',
      google(400, 'FAILED_PRECONDITION', 'Publish condition not met: privacy. Not ready to publish.'),
    ],
    [
      'wait',
      'an item in review, as a condition of publishing',
      google(
        400,
        'FAILED_PRECONDITION',
        'Publish condition not met: You may not edit or publish an item that is in review.',
      ),
    ],
    [
      'wait',
      'an item that cannot be updated, in words that nobody has seen yet',
      google(400, 'FAILED_PRECONDITION', 'Publish condition not met: try later.', [info('NOT_UPDATEABLE')]),
    ],
    ['wait', 'the same, spelled as it should be', google(400, 'INVALID_ARGUMENT', 'No.', [info('NOT_UPDATABLE')])],
    ['artifact', 'a bad package, whatever it says of reviews', badPackage('PKG_INVALID_ZIP', 'Not while in review.')],
    ['credential', 'an account without the item in review', google(403, 'PERMISSION_DENIED', 'It is in review.')],
    ['config', 'a precondition that no document names', google(400, 'FAILED_PRECONDITION', 'Not so.')],
    ['config', 'an argument that no document names', google(400, 'INVALID_ARGUMENT', 'Not so.')],
    ['credential', 'a token twice refused', google(401, 'UNAUTHENTICATED', 'Request had invalid credentials.')],
    [
      'credential',
      'an account without the item',
      google(403, 'PERMISSION_DENIED', 'The caller does not have permission'),
    ],
    [
      'credential',
      'a token without the scope',
      google(403, 'PERMISSION_DENIED', 'No.', [info('ACCESS_TOKEN_SCOPE_INSUFFICIENT')]),
    ],
    ['config', 'an API not enabled', google(403, 'PERMISSION_DENIED', 'Not used before.', [info('SERVICE_DISABLED')])],
    ['config', 'a suspended publisher', google(403, 'PERMISSION_DENIED', 'The publisher is suspended.')],
    ['retry', 'a quota under 403', google(403, 'PERMISSION_DENIED', 'Slow.', [info('RATE_LIMIT_EXCEEDED')])],
    ['config', 'an item not under that publisher', google(404, 'NOT_FOUND', 'Requested entity was not found.')],
    ['config', 'a call that is gone', answer(410, { error: { code: 410, message: 'Gone.' } })],
    ['retry', 'two writers at once', google(409, 'ABORTED', 'Concurrent.')],
    ['retry', 'a quota', google(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.')],
    ['retry', 'an internal error', google(500, 'INTERNAL', 'Internal error encountered.')],
    ['retry', 'an outage', google(503, 'UNAVAILABLE', 'Unavailable.')],
    ['retry', 'an outage without a body', answer(502, '')],
    ...[200, 400, 401, 403, 404, 500].map((status): [string, string, StoreAnswer] => [
      'retry',
      `a page with ${status}`,
      answer(status, HTML),
    ]),
    ['retry', 'a redirect', answer(302, '')],
    ['retry', 'a body that is no JSON', answer(200, 'OK')],
    ['retry', 'a body that is a list', answer(200, [])],
    ['config', '404 wrapped in 200', answer(200, { error: { code: 404, message: 'No.' } })],
    ['credential', '401 wrapped in 200 by name', answer(200, { error: { status: 'UNAUTHENTICATED' } })],
    ['retry', '429 wrapped in 200 by name', answer(200, { error: { status: 'RESOURCE_EXHAUSTED' } })],
    ['wait', 'in review wrapped in 200', answer(200, { error: { code: '400', message: 'Item is in review.' } })],
    ['retry', 'an error in 200 that says nothing', answer(200, { error: {} })],
    ['retry', 'an error in 200 that is a word', answer(200, { error: 'odd' })],
    ['config', 'an error of odd shape', answer(400, { error: { code: {}, message: [], status: 3, details: 'x' } })],
  ])('is %s: %s', (kind, _, refusal) => {
    expect(isErrorAnswer(refusal)).toBe(true);
    expect(chromeFailure(refusal, NOW)).toMatchObject({ kind, details: { status: refusal.status } });
  });

  it('quotes each violation', () => {
    const { message } = chromeFailure(badPackage('PKG_MANIFEST_PARSE_ERROR', "'name' is missing."), NOW);
    expect(message).toBe("The uploaded package was invalid. PKG_MANIFEST_PARSE_ERROR: 'name' is missing.");
  });

  it('quotes the store, then says what to do', () => {
    const { message } = chromeFailure(google(404, 'NOT_FOUND', 'Requested entity was not found.'), NOW);
    expect(message).toMatch(/^Requested entity was not found\. The publisher has no such item\. .*storeItemId/);
    expect(chromeFailure(answer(502, ''), NOW).message).toBe('The Chrome Web Store answered 502.');
  });

  it('has the time of the next attempt', () => {
    const { details } = chromeFailure(answer(429, {}, { 'retry-after': '120' }), NOW);
    expect(details.retryAt).toEqual(new Date('2026-11-21T12:02:00Z'));
    expect(chromeFailure(answer(429, {}), NOW).details.retryAt).toBeUndefined();
  });

  it('contains no secret', () => {
    const failure = chromeFailure(google(403, 'PERMISSION_DENIED', 'Token ya29.marked is refused.'), NOW);
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('marked');
  });

  it('is not made of a successful answer', () => {
    expect([answer(200, {}), answer(200, { error: null }), answer(204, { a: 1 })].some(isErrorAnswer)).toBe(false);
  });
});

describe('an error of the token endpoint', () => {
  const oauth = (status: number, error: string, description = 'Described'): StoreAnswer =>
    answer(status, { error, error_description: description });

  it.each<[string, string, StoreAnswer]>([
    ['credential', 'a lapsed grant', oauth(400, 'invalid_grant', 'Token has been expired or revoked.')],
    ['credential', 'a bad signature', oauth(400, 'invalid_grant', 'Invalid JWT Signature.')],
    ['credential', 'an unknown client', oauth(401, 'invalid_client')],
    ['credential', 'a client without the right', oauth(401, 'unauthorized_client')],
    ['credential', 'a deleted client', oauth(401, 'deleted_client')],
    ['credential', 'an error that no document names', oauth(400, 'constructor')],
    ['credential', 'a refusal in a 200', oauth(200, 'invalid_grant')],
    ['credential', "a refusal in Google's own form", google(400, 'INVALID_ARGUMENT', 'Not so.')],
    [
      'retry',
      'our clock',
      oauth(
        400,
        'invalid_grant',
        'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values',
      ),
    ],
    ['retry', 'a passing fault', oauth(400, 'temporarily_unavailable')],
    ['retry', 'a fault of Google', oauth(500, 'internal_failure')],
    ['retry', 'a quota', oauth(429, 'rate_limit_exceeded')],
    ['retry', 'an address that is none', answer(404, { error: 'not_found' })],
    ['retry', 'a page', answer(403, HTML)],
    ['retry', 'no token in a 200', answer(200, { token_type: 'Bearer' })],
    ['retry', 'nothing', answer(400, '')],
  ])('is %s: %s', (kind, _, refusal) => {
    expect(tokenFailure(refusal, 'refresh_token', NOW).kind).toBe(kind);
    expect(tokenFailure(refusal, 'service_account', NOW).kind).toBe(kind);
  });

  it('explains why refresh tokens expire', () => {
    const lapsed = oauth(400, 'invalid_grant', 'Token has been expired or revoked.');
    expect(tokenFailure(lapsed, 'refresh_token', NOW).message).toMatch(
      /^Google: invalid_grant: Token has been .*"Testing".*7 days/,
    );
    expect(tokenFailure(lapsed, 'service_account', NOW).message).toMatch(/The key was deleted/);
  });

  it('contains no token, even in an undocumented error', () => {
    const failure = tokenFailure(answer(200, { access_token: 'marked\nmarked', expires_in: 1 }), 'refresh_token', NOW);
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('marked');
  });
});
