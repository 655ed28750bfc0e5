import { describe, expect, it } from 'vitest';
import { readSmtpFailure } from './smtp-failure.js';

describe('an attempt that failed', () => {
  it.each([
    [{ code: 'EENVELOPE', responseCode: 550, response: '550 5.1.1 <bob@x.example>: unknown' }, 550, 'EENVELOPE', true],
    [{ code: 'EENVELOPE', responseCode: 556, response: '556 5.1.10 null MX' }, 556, 'EENVELOPE', true],
    [{ code: 'EENVELOPE', responseCode: 550, response: '550-5.1.2 no such host\n550 bye' }, 550, 'EENVELOPE', true],
    [{ code: 'EENVELOPE', responseCode: 554, response: '554 5.7.1 relaying denied' }, 554, 'EENVELOPE', false],
    [{ code: 'EENVELOPE', responseCode: 550, response: '550 5.1.14 whatever' }, 550, 'EENVELOPE', false],
    [{ code: 'EENVELOPE', responseCode: 450, response: '450 4.1.1 try later' }, 450, 'EENVELOPE', false],
    [{ code: 'EAUTH', responseCode: 535, response: '535 5.7.8 no' }, 535, 'EAUTH', false],
    [{ code: 'ECONNECTION' }, null, 'ECONNECTION', false],
    [{ code: 'bob@x.example refused', responseCode: '550', response: 1 }, null, 'failed', false],
    [new Error('bob@x.example'), null, 'failed', false],
    ['bob@x.example', null, 'failed', false],
    [null, null, 'failed', false],
  ])('by %j is kept as status %s and %s; trying again is useless: %s', (error, status, kept, isFinal) => {
    expect(readSmtpFailure(error)).toMatchObject({ status, error: kept, isFinal });
  });

  it.each([
    [{ code: 'ECONNECTION' }, true],
    [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 452, response: '452 4.5.3 too many' }, true],
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450, response: '450 4.2.0 greylisted' }, false],
    [{ code: 'EENVELOPE', responseCode: 550, response: '550 5.1.1 <bob@x.example>: unknown' }, false],
    // The mail server may have taken the mail.
    [{ code: 'ETIMEDOUT' }, false],
  ])('by %j is about the connection: %s', (error, isOfConnection) => {
    expect(readSmtpFailure(error)).toMatchObject({ isOfConnection });
  });
});
