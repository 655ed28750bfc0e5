import { describe, expect, it } from 'vitest';
import type { StoreAnswer } from '../failures/error-rules.js';
import { isErrorAnswer } from './safari.api-error.js';
import { isConflict, safariFailure } from './safari.errors.js';

const NOW = new Date('2026-11-21T12:00:00Z');

function answer(status: number, json: unknown, headers: Record<string, string> = {}): StoreAnswer {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return { status, headers: new Headers(headers), text, json: typeof json === 'string' ? undefined : json };
}

const apple = (status: number, code: string, detail: string, more: object = {}): StoreAnswer =>
  answer(status, { errors: [{ id: '1', status: String(status), code, title: 'Titled', detail, ...more }] });

const lacking = (code: string, ...behind: readonly string[]): StoreAnswer =>
  apple(409, code, 'This resource cannot be reviewed, please check associated errors to see why.', {
    meta: {
      associatedErrors: {
        '/v1/appStoreVersionLocalizations/1': behind.map((one) => ({ code: one, detail: `Because of ${one}` })),
      },
    },
  });

const HTML = '<!DOCTYPE html><title>Error</title>';

describe('an error of App Store Connect', () => {
  it.each<[string, string, StoreAnswer]>([
    ['credential', 'a token it does not take', apple(401, 'NOT_AUTHORIZED', 'Provide a bearer token')],
    ['credential', 'a role that is too small', apple(403, 'FORBIDDEN_ERROR', 'Forbidden for security reasons')],
    [
      'config',
      'an agreement to accept',
      apple(403, 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED', 'An agreement is missing.'),
    ],
    ['config', 'an app that is not there', apple(404, 'NOT_FOUND', "There is no resource of type 'apps'")],
    ['config', 'a query that it does not have', apple(400, 'PARAMETER_ERROR.ILLEGAL', 'Not with this request')],
    ['config', 'a body that it does not understand', apple(422, 'ENTITY_UNPROCESSABLE', 'Not a document')],
    ['config', 'a listing to fill in', lacking('STATE_ERROR.ENTITY_STATE_INVALID', 'ENTITY_ERROR.ATTRIBUTE.REQUIRED')],
    [
      'config',
      'screenshots to upload',
      lacking('STATE_ERROR.ENTITY_STATE_INVALID', 'STATE_ERROR.SCREENSHOT_REQUIRED.APP_IPHONE_67'),
    ],
    [
      'config',
      'a privacy questionnaire to answer',
      lacking('STATE_ERROR.ENTITY_STATE_INVALID', 'STATE_ERROR.APP_DATA_USAGES_REQUIRED'),
    ],
    ['config', 'anything behind it that no document names', lacking('STATE_ERROR', 'STATE_ERROR.SOMETHING_NEW')],
    [
      'config',
      'one thing for a person among those that pass',
      lacking('STATE_ERROR', 'STATE_ERROR.ENTITY_STATE_INVALID', 'STATE_ERROR.APP_DATA_USAGES_REQUIRED'),
    ],
    [
      'config',
      'a nameless thing behind it',
      apple(409, 'STATE_ERROR', 'Not ready.', { meta: { associatedErrors: { '/v1/apps/1': [{ detail: 'Odd.' }] } } }),
    ],
    [
      'config',
      'screenshots, named by the error itself',
      apple(409, 'STATE_ERROR.SCREENSHOT_REQUIRED.APP_DESKTOP', 'Missing.'),
    ],
    ['wait', 'another submission behind it', lacking('STATE_ERROR', 'STATE_ERROR.ITEM_PART_OF_ANOTHER_SUBMISSION')],
    [
      'wait',
      'an attribute behind that only may not change now',
      lacking('STATE_ERROR.ENTITY_STATE_INVALID', 'ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_STATE'),
    ],
    ['config', 'an attribute that is missing', apple(409, 'ENTITY_ERROR.ATTRIBUTE.REQUIRED', "'whatsNew' is required")],
    [
      'config',
      'a relationship that is not allowed',
      apple(409, 'ENTITY_ERROR.RELATIONSHIP.INVALID.NOT_ALLOWED', 'No.'),
    ],
    [
      'wait',
      'a second version',
      apple(
        409,
        'ENTITY_ERROR.RELATIONSHIP.INVALID',
        'You cannot create a new version of the App in the current state.',
      ),
    ],
    ['wait', 'a version that is not ready', apple(409, 'STATE_ERROR', 'Version is not ready to be submitted yet')],
    [
      'wait',
      'another submission',
      apple(409, 'STATE_ERROR', 'There is another reviewSubmissions with id 1 still in progress'),
    ],
    ['wait', 'a build that is processed', apple(409, 'ENTITY_ERROR.RELATIONSHIP.INVALID', 'It is still processing.')],
    ['wait', 'a state of which nothing is said', apple(409, 'STATE_ERROR.SOMETHING_NEW', 'Not so.')],
    [
      'wait',
      'an attribute that may not change now',
      apple(409, 'ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_STATE', 'Not acceptable.'),
    ],
    [
      'artifact',
      'a number that was used',
      apple(409, 'ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE', 'The version number has been previously used.'),
    ],
    [
      'artifact',
      'a number that is too low',
      apple(409, 'ENTITY_ERROR.ATTRIBUTE.INVALID', 'The version number must be higher than 1.0.'),
    ],
    ['retry', 'a conflict that no document names', apple(409, 'SOMETHING_NEW', 'Not so.')],
    ['retry', 'a conflict without a word', answer(409, {})],
    ['retry', 'too many calls', apple(429, 'RATE_LIMIT_EXCEEDED', 'Too many requests')],
    ['retry', 'a fault of its own', apple(500, 'UNEXPECTED_ERROR', 'An unexpected error occurred')],
    ['retry', 'an outage without a body', answer(502, '')],
    ...[200, 400, 401, 403, 404, 500].map((status): [string, string, StoreAnswer] => [
      'retry',
      `a page with ${status}`,
      answer(status, HTML),
    ]),
    ['retry', 'a redirect', answer(302, '')],
    ['retry', 'a body that is no document', answer(200, { ok: true })],
    ['retry', 'a body that is a list', answer(200, [])],
    ['retry', 'a created thing without a body', answer(201, '')],
    ['config', '404 wrapped in 200', answer(200, { errors: [{ status: '404', code: 'NOT_FOUND' }] })],
    ['credential', '401 beside data in 200', answer(200, { data: [], errors: [{ status: '401' }] })],
    ['retry', 'an error in 200 that says nothing', answer(200, { errors: [] })],
    [
      'config',
      'an error of odd shape',
      answer(400, { errors: [7, null, { code: {}, meta: { associatedErrors: 'x' } }] }),
    ],
  ])('is %s: %s', (kind, _, refusal) => {
    expect(isErrorAnswer(refusal)).toBe(true);
    const failure = safariFailure(refusal, NOW);
    expect(failure).toMatchObject({ kind, details: { status: refusal.status } });
    expect(isConflict(failure)).toBe(refusal.status === 409);
  });

  it('quotes what is missing, then says what to do', () => {
    const { message } = safariFailure(lacking('STATE_ERROR', 'ENTITY_ERROR.ATTRIBUTE.REQUIRED'), NOW);
    expect(message).toBe(
      'This resource cannot be reviewed, please check associated errors to see why. Because of ENTITY_ERROR.ATTRIBUTE.REQUIRED. Complete it in App Store Connect.',
    );
    expect(safariFailure(answer(502, ''), NOW).message).toBe('App Store Connect answered 502.');
  });

  it('quotes every associated error, with its code where several share one text', () => {
    const codes = ['STATE_ERROR.SCREENSHOT_REQUIRED.APP_DESKTOP', 'STATE_ERROR.APP_DATA_USAGES_REQUIRED'];
    const same = codes.map((code) => ({ code, detail: 'Not possible in this state.' }));
    const languages = Array.from({ length: 30 }, (_, at) => ({
      code: 'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
      detail: `You must provide a value for the attribute 'whatsNew' in language ${at}`,
    }));
    const meta = { associatedErrors: { '/v1/appStoreVersions/1': same, '/v1/apps/1': languages } };
    const { message } = safariFailure(apple(409, 'STATE_ERROR', 'Errors were found.', { meta }), NOW);
    expect(message).toContain(`Not possible in this state. (${codes.join(', ')}).`);
    for (const { detail } of languages) expect(message).toContain(`${detail}.`);
  });

  it.each<[Record<string, string>, string | undefined]>([
    [{ 'retry-after': '120' }, '2026-11-21T12:02:00.000Z'],
    [{ 'x-rate-limit': 'user-hour-lim:3600;user-hour-rem:0;' }, '2026-11-21T12:10:00.000Z'],
    [{ 'x-rate-limit': 'user-hour-lim:3600;user-hour-rem:30;' }, undefined],
    [{}, undefined],
  ])('about too many calls has a time for the next attempt: %o', (headers, moment) => {
    expect(safariFailure(answer(429, {}, headers), NOW).details.retryAt?.toISOString()).toBe(moment);
  });

  it('contains no secret', () => {
    const token = 'eyJhbGciOiJFUzI1NiJ9.eyJtYXJrZWQiOjF9.marked';
    const failure = safariFailure(apple(401, 'NOT_AUTHORIZED', `Token ${token} is refused.`), NOW);
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('marked');
  });

  it('is not made of a successful answer', () => {
    const good = [answer(200, { data: [] }), answer(201, { data: { type: 'a', id: '1' } }), answer(204, '')];
    expect([...good, answer(200, { data: null })].some(isErrorAnswer)).toBe(false);
  });
});
