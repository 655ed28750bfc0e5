import { describe, expect, it } from 'vitest';
import { leastTimeOf } from '../../../test/support/processor-time.js';
import type { StoreAnswer } from '../failures/error-rules.js';
import { StoreFailure } from '../failures/store-failure.js';
import { apiErrorOf, isErrorAnswer } from './firefox.api-error.js';
import { firefoxFailure, isNotFound, isNumberUsed, isTakenDown, serverTimeAfterClockError } from './firefox.errors.js';

const NOW = new Date('2026-11-21T12:00:00Z');

function answer(status: number, json: unknown, headers: Record<string, string> = {}): StoreAnswer {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return { status, headers: new Headers(headers), text, json: typeof json === 'string' ? undefined : json };
}

const detail = (status: number, said: string, more: object = {}): StoreAnswer =>
  answer(status, { detail: said, ...more });

const HTML = '<!DOCTYPE html><title>Error</title>';
const IAT =
  'JWT iat (issued at time) is invalid. Make sure your system clock is synchronized with something like TLSdate.';

describe("an error of AMO's API", () => {
  it.each(['verif', 'e-mail', 'iat exp ', '\n'])('that repeats %j is read at once', async (word) => {
    const refusal = detail(403, word.repeat(20_000));
    expect(await leastTimeOf(() => firefoxFailure(refusal, NOW))).toBeLessThan(50);
  });

  it.each<[string, string, StoreAnswer]>([
    ['artifact', 'a file of another kind', answer(400, { upload: ['Unsupported file type, please upload a …'] })],
    ['artifact', 'an invalid upload', answer(400, { upload: ['Upload is not valid.'] })],
    ['artifact', 'an upload that was used', answer(400, { upload: ['This upload has already been submitted.'] })],
    ['retry', 'an upload that has lapsed', answer(400, { upload: ['Object with uuid=1 does not exist.'] })],
    [
      'artifact',
      'a version that is too low',
      answer(400, { version: ['Version 1.0 must be greater than the previous approved version 1.1.'] }),
    ],
    ['artifact', 'a version that exists', answer(409, { version: ['Version 1.0 already exists.'] })],
    ['artifact', 'a burnt number', answer(409, { version: ['Version 1.0 was uploaded before and deleted.'] })],
    ['artifact', 'another id', answer(400, ['The add-on ID in your manifest.json (a) does not match the ID …'])],
    ['artifact', 'a body that is too large', answer(413, HTML.replace('<!', ''), { 'content-type': 'text/plain' })],
    [
      'config',
      'an add-on that is hidden',
      answer(400, { non_field_errors: ['Listed versions cannot be submitted while add-on is disabled.'] }),
    ],
    [
      'config',
      'a listing to complete',
      answer(400, { non_field_errors: ["Addon metadata is required to be set to create a listed version: ['name']."] }),
    ],
    ['config', 'a missing license', answer(400, { license: ['This field is required for listed versions.'] })],
    ['config', 'a broken archive of sources', answer(400, { source: ['Invalid or broken archive.'] })],
    ['config', 'sources too late', answer(400, { source: ['Source cannot be changed because …'] })],
    ['config', 'a fault of ours', answer(400, ['Missing "upload" key in multipart file data.'])],
    ['config', 'another fault of ours', detail(415, 'Unsupported media type "text/plain" in request.')],
    ['config', 'a complaint that no document names', answer(400, { summary: { 'en-US': ['Too long.'] } })],
    ['config', 'a complaint of odd shape', answer(400, { a: { b: { c: { d: { e: { f: 'deep' } } } } } })],
    ['credential', 'no key', detail(401, 'Authentication credentials were not provided.')],
    ['credential', 'an unknown key', detail(401, 'Unknown JWT iss (issuer).')],
    ['credential', 'another secret', detail(401, 'Error decoding signature.')],
    ['credential', 'an account that is closed', detail(401, 'User account is disabled.')],
    ['credential', 'a 401 that says nothing', answer(401, {})],
    ['credential', 'an account that is no author', detail(403, 'You do not have permission to perform this action.')],
    ['config', 'an e-mail address to verify', detail(403, 'Please verify your email address.')],
    [
      'config',
      'an e-mail address that Mozilla bars',
      detail(403, 'The email address used is not allowed for submissions.'),
    ],
    ['config', 'an address that Mozilla blocks', detail(403, 'The IP address has been blocked.')],
    ['config', 'an agreement to accept', detail(401, 'User has not read developer agreement.')],
    ['config', 'a hidden add-on', detail(403, 'No.', { is_disabled_by_developer: true })],
    ['config', 'a disabled add-on', detail(401, 'No.', { is_disabled_by_mozilla: true })],
    ['config', 'an add-on that is not there', detail(404, 'Not found.')],
    ['config', 'a country', detail(451, 'Unavailable for legal reasons.')],
    ['retry', 'a token that was too late', detail(401, 'Signature has expired.')],
    ['retry', 'a token that was too early', detail(401, IAT)],
    ['retry', 'a token that lives too long', detail(401, 'JWT exp (expiration) is too long.')],
    ['retry', 'a throttle', detail(429, 'Request was throttled. Expected available in 7 seconds.')],
    ['retry', 'an internal error', detail(500, 'Internal Server Error')],
    ['retry', 'an outage', answer(503, {})],
    ['wait', 'maintenance', answer(503, { error: 'Some features are … while we perform website maintenance.' })],
    ...[200, 400, 401, 403, 404, 503].map((status): [string, string, StoreAnswer] => [
      'retry',
      `a page with ${status}`,
      answer(status, HTML),
    ]),
    ['retry', 'a redirect', answer(301, '')],
    ['retry', 'a body that is no JSON', answer(200, 'OK')],
    ['retry', 'a body that is a list', answer(200, [])],
    ['retry', 'an error in a 200', answer(200, { error: 'odd' })],
    ['retry', 'a complaint in a 201', detail(201, 'Not found.')],
  ])('is %s: %s', (kind, _, refusal) => {
    expect(isErrorAnswer(refusal)).toBe(true);
    expect(firefoxFailure(refusal, NOW)).toMatchObject({ kind, details: { status: refusal.status } });
  });

  it('quotes all messages with their fields, then says what to do', () => {
    const { message } = firefoxFailure(
      answer(400, { license: ['Bad.', 'Bad.'], name: { 'en-US': ['Too long'] }, version: ['Low.'] }),
      NOW,
    );
    expect(message).toBe('license: Bad. en-US: Too long Low.');
    expect(firefoxFailure(detail(404, 'Not found.'), NOW).message).toMatch(/^Not found\. Check .*storeItemId/);
    expect(firefoxFailure(answer(502, ''), NOW).message).toBe('addons.mozilla.org answered 502.');
  });

  it.each<[StoreAnswer, string | undefined]>([
    [answer(429, {}, { 'retry-after': '120' }), '2026-11-21T12:02:00.000Z'],
    [detail(429, 'Request was throttled. Expected available in 60 seconds.'), '2026-11-21T12:01:00.000Z'],
    [detail(429, 'Expected available in 1 second.', {}), '2026-11-21T12:00:01.000Z'],
    [answer(429, {}), undefined],
    [answer(409, {}, { 'retry-after': '120' }), undefined],
  ])('has a time for the next attempt: %#', (refusal, at) => {
    expect(firefoxFailure(refusal, NOW).details.retryAt?.toISOString()).toBe(at);
  });

  it('throttles calls of the same kind, or all calls after a refused read', () => {
    const throttled = detail(429, 'Request was throttled. Expected available in 7 seconds.');
    for (const calls of ['uploads', 'writes', undefined] as const)
      expect(firefoxFailure(throttled, NOW, calls).details.throttles).toBe(calls);
    expect(firefoxFailure(answer(503, {}, { 'retry-after': '7' }), NOW, 'writes').details.throttles).toBeUndefined();
  });

  it('contains no token', () => {
    const failure = firefoxFailure(detail(403, 'JWT eyJhbGciOiJIUzI1NiJ9.marked.marked is refused.'), NOW);
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('marked');
  });

  it('is not made of a successful answer', () => {
    const good = [answer(200, {}), answer(201, { error: null }), answer(200, { detail: '' })];
    expect(good.some(isErrorAnswer)).toBe(false);
  });
});

describe('an error', () => {
  const of = (refusal: StoreAnswer): StoreFailure => firefoxFailure(refusal, NOW);

  it('tells whether the resource does not exist', () => {
    expect(isNotFound(of(detail(404, 'Not found.')))).toBe(true);
    for (const other of [of(answer(404, HTML)), of(detail(403, 'No.')), new Error('404'), undefined])
      expect(isNotFound(other)).toBe(false);
  });

  it('tells whether the number or the upload was used', () => {
    const used = answer(400, { upload: ['This upload has already been submitted.'] });
    for (const refusal of [used, answer(409, { version: ['Version 1 already exists.'] })])
      expect(isNumberUsed(of(refusal))).toBe(true);
    for (const refusal of [answer(400, { upload: ['Upload is not valid.'] }), answer(409, HTML), detail(500, 'x')])
      expect(isNumberUsed(of(refusal))).toBe(false);
  });

  it('tells whether Mozilla disabled the add-on', () => {
    expect(isTakenDown(of(detail(404, 'Not found.', { is_disabled_by_mozilla: true })))).toBe(true);
    expect(isTakenDown(of(detail(403, 'No.', { is_disabled_by_developer: true })))).toBe(false);
    expect(apiErrorOf(detail(403, 'No.', { is_disabled_by_mozilla: 'yes' })).disabledBy).toBeNull();
  });

  it("contains the store's time when a clock is wrong", () => {
    const date = { date: 'Sat, 21 Nov 2026 12:34:56 GMT' };
    expect(serverTimeAfterClockError(answer(401, { detail: IAT }, date))).toEqual(new Date('2026-11-21T12:34:56Z'));
    const others = [
      answer(401, { detail: IAT }),
      answer(401, { detail: IAT }, { date: 'soon' }),
      answer(401, { detail: 'Unknown JWT iss (issuer).' }, date),
      answer(403, { detail: 'Signature has expired.' }, date),
    ];
    for (const other of others) expect(serverTimeAfterClockError(other)).toBeUndefined();
  });
});
