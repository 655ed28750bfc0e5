import { createHmac, randomBytes } from 'node:crypto';
import { secondOf, USER_AGENT } from '../../common/system/index.js';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret in the form of Standard Webhooks. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** The headers of a call but for its signature. @param id the same at each attempt, so that receivers recognize a repetition */
export const plainHeaders = (id: string, at: Date): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  'user-agent': USER_AGENT,
  'webhook-id': id,
  'webhook-timestamp': String(secondOf(at.getTime())),
});

/**
 * The headers of a call with those of Standard Webhooks (standardwebhooks.com) for a body: id, time in seconds, one `v1` signature per secret.
 */
export function signedHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const seconds = String(secondOf(at.getTime()));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { ...plainHeaders(id, at), 'webhook-signature': signatures.join(' ') };
}
