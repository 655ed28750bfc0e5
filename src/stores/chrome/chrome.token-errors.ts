import { asRecord, asText, cutText, parseRetryAfter, redact, redactText } from '../../common/net/index.js';
import { ended, type StoreAnswer } from '../refusals.js';
import { StoreFailure, type FailureKind } from '../store-failure.js';
import { complaintOf } from './chrome.complaint.js';
import type { ChromeKey } from './chrome.credentials.js';

const MAX_WORDS = 500;

/**
 * What to do about a refusal, by its OAuth error and the form of the credential (docs/stores.md#chrome-credentials; RFC
 * 6749 5.2).
 */
const HINTS: Readonly<Record<string, Readonly<Record<ChromeKey['form'], string>>>> = {
  invalid_grant: {
    service_account:
      'The key was deleted, or it does not belong to this client_email: make a new JSON key in Google Cloud.',
    refresh_token:
      'The refresh token has lapsed or was revoked. Tokens of an OAuth consent screen in status "Testing" die after 7 days: ' +
      'set it to "In production" and get a new token, or use a service account.',
  },
  invalid_client: {
    service_account: 'Google knows no such service account.',
    refresh_token: 'clientId and clientSecret do not belong together, or the OAuth client was deleted.',
  },
  unauthorized_client: {
    service_account: 'Check client_email, and that the service account is not disabled.',
    refresh_token: 'The refresh token was issued to another OAuth client.',
  },
};

/** Errors with which the token endpoint does not judge the credential. */
const PASSING =
  /^(temporarily_unavailable|server_error|internal_failure|backend_error|rate_limit_exceeded|slow_down)$/i;
/** What Google says to a correct key when our clock is wrong. */
const CLOCK = /\biat\b.*\bexp\b|reasonable timeframe|token used too early/i;

/** What a refusal of Google's token endpoint means; pure. */
export function tokenFailure(answer: StoreAnswer, form: ChromeKey['form'], now: Date): StoreFailure {
  const { kind, message } = judge(answer, form);
  return new StoreFailure(kind, message, {
    status: answer.status,
    retryAt: kind === 'retry' ? parseRetryAfter(answer.headers.get('retry-after'), now) : undefined,
    raw: redact(answer.json ?? answer.text),
  });
}

/** Nothing that speaks of the key: a fault of the service, or an answer that is not Google's. */
const isPassing = (status: number, error: string): boolean =>
  status >= 500 || (error === '' && status < 400) || [404, 408, 429].includes(status) || PASSING.test(error);

function judge(answer: StoreAnswer, form: ChromeKey['form']): { kind: FailureKind; message: string } {
  const body = asRecord(answer.json);
  const error = asText(body?.['error']) ?? '';
  const complaint = complaintOf(answer);
  const description = asText(body?.['error_description']) ?? (error === '' ? complaint.words : '');
  const words = cutText(redactText([error, description].filter(Boolean).join(': ')), MAX_WORDS);
  const { status } = complaint;
  if (CLOCK.test(description)) {
    return { kind: 'retry', message: `${ended(words)} The clock of this server seems to be wrong.` };
  }
  if (words === '' || isPassing(status, error)) {
    const said = words === '' ? '' : ` ${ended(words)}`;
    return { kind: 'retry', message: `Google's token endpoint gave no token (${answer.status}).${said}` };
  }
  const hint = Object.hasOwn(HINTS, error) ? HINTS[error]?.[form] : undefined;
  return { kind: 'credential', message: [`Google: ${ended(words)}`, hint].filter(Boolean).join(' ') };
}
