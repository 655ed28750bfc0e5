import { createHmac, timingSafeEqual } from 'node:crypto';
import { asList, asRecord, asText } from '../../common/net/index.js';
import type { AnnouncementAddress, SignedAnnouncement } from '../announcements.js';
import type { Resource } from './safari.documents.js';

/** The events that say something about a version (src/stores/README.md#safari-announcements). */
export const ANNOUNCED_EVENTS = ['APP_STORE_VERSION_APP_VERSION_STATE_UPDATED', 'BUILD_UPLOAD_STATE_UPDATED'] as const;

const SIGNATURE = /^hmacsha256=([\da-f]{64})$/;

/** A webhook of Pierhead's among those of an app, and whether it is as it should be. Pure. */
export function ownWebhook(
  webhooks: readonly Resource[],
  { url, webhookId }: AnnouncementAddress,
): { readonly id: string; readonly isRight: boolean } | null {
  const own =
    webhooks.find(({ id }) => id === webhookId) ?? webhooks.find(({ attributes }) => attributes['url'] === url);
  if (own === undefined) return null;
  const { attributes } = own;
  const events = new Set(asList(attributes['eventTypes']).map(asText));
  const isRight =
    // The secret of another one is not known.
    own.id === webhookId &&
    attributes['url'] === url &&
    attributes['enabled'] === true &&
    ANNOUNCED_EVENTS.every((event) => events.has(event));
  return { id: own.id, isRight };
}

/** The id of an announcement whose signature fits; null for any other. Pure. */
export function announcementIn({ headers, body }: SignedAnnouncement, secret: string): string | null {
  const [signature, ...others] = headers['x-apple-signature'] ?? [];
  const given = others.length === 0 ? SIGNATURE.exec(signature ?? '')?.[1] : undefined;
  if (given === undefined) return null;
  const right = createHmac('sha256', secret).update(body).digest();
  if (!timingSafeEqual(Buffer.from(given, 'hex'), right)) return null;
  return asText(asRecord(asRecord(jsonOf(body))?.['data'])?.['id']) ?? null;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
