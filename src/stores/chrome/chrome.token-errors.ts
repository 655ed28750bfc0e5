import { asRecord, asText, truncate, redactText } from '../../common/net/index.js';
import {
  type FailureKind,
  failureOf,
  retryAfterOf,
  type StoreAnswer,
  StoreFailure,
  withFullStop,
} from '../failures/index.js';
import { apiErrorOf } from './chrome.api-error.js';
import type { ChromeKey } from './chrome.credentials.js';

const MAX_MESSAGE = 500;

/** Advice about an OAuth error (RFC 6749 5.2), for each form of the credential (src/stores/README.md#chrome-credentials). */
const HINTS: Readonly<Record<string, Readonly<Record<ChromeKey['form'], string>>>> = {
  invalid_grant: {
    service_account:
      'The key was deleted or does not belong to this client_email. Create a new JSON key in Google Cloud.',
    refresh_token:
      'The refresh token has expired or was revoked. While the OAuth consent screen is in status "Testing", tokens expire after 7 days: ' +
      'set it to "In production" and get a new token, or use a service account.',
  },
  invalid_client: {
    service_account: 'Google does not know this service account.',
    refresh_token: 'clientId and clientSecret do not belong together, or the OAuth client was deleted.',
  },
  unauthorized_client: {
    service_account: 'Check client_email and that the service account is enabled.',
    refresh_token: 'The refresh token was issued to another OAuth client.',
  },
};

/** Errors that say nothing about the credential. */
const TRANSIENT =
  /^(temporarily_unavailable|server_error|internal_failure|backend_error|rate_limit_exceeded|slow_down)$/i;
/** Google's answer to a correct key when this server's clock is wrong. */
const CLOCK = /\biat\b.*\bexp\b|reasonable timeframe|token used too early/i;

/** Classifies an error of Google's token endpoint. Pure. */
export function tokenFailure(answer: StoreAnswer, form: ChromeKey['form'], now: Date): StoreFailure {
  const { kind, message } = classify(answer, form);
  return failureOf(answer, { kind }, message, {
    retryAt: kind === 'retry' ? retryAfterOf(answer, now) : undefined,
  });
}

/** A fault of the service, or an answer that is not Google's. */
const isTransient = (status: number, error: string): boolean =>
  status >= 500 || (error === '' && status < 400) || [404, 408, 429].includes(status) || TRANSIENT.test(error);

function classify(answer: StoreAnswer, form: ChromeKey['form']): { kind: FailureKind; message: string } {
  const body = asRecord(answer.json);
  const error = asText(body?.['error']) ?? '';
  const apiError = apiErrorOf(answer);
  const description = asText(body?.['error_description']) ?? (error === '' ? apiError.message : '');
  const message = truncate(redactText([error, description].filter(Boolean).join(': ')), MAX_MESSAGE);
  if (CLOCK.test(description)) {
    return { kind: 'retry', message: `${withFullStop(message)} The clock of this server seems to be wrong.` };
  }
  if (message === '' || isTransient(apiError.status, error)) {
    const suffix = message === '' ? '' : ` ${withFullStop(message)}`;
    return { kind: 'retry', message: `Google's token endpoint issued no token (${answer.status}).${suffix}` };
  }
  const hint = Object.hasOwn(HINTS, error) ? HINTS[error]?.[form] : undefined;
  return { kind: 'credential', message: [`Google: ${withFullStop(message)}`, hint].filter(Boolean).join(' ') };
}
