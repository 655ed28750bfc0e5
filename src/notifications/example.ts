import { isLicenseKind, isOfExtension, headlineOf, type DeliveredKind } from './kinds.js';
import { wordsOf } from './licenses/license-words.js';
import type { NotificationRow, NotedLicense, NotedTrial } from './notification.entity.js';
import type { LicenseEventKind } from '../licensing/pure.js';

/** Ids of nothing, so that a receiver that looks one up finds nothing. */
const ID = '00000000-0000-7000-8000-000000000000';
const DAY_MS = 86_400_000;

const ABOUT_NOTHING = {
  extensionId: null,
  extensionName: null,
  targetId: null,
  version: null,
  credentialId: null,
  license: null,
  trial: null,
  approvalId: null,
};

type Example = Pick<NotificationRow, 'message' | keyof typeof ABOUT_NOTHING>;

/** Returns what a notification of a kind may say, about things that do not exist. Pure. */
export function exampleOf(kind: DeliveredKind, now: Date): Example {
  if (kind === 'test') return { ...ABOUT_NOTHING, message: 'This is a test. Notifications from Pierhead arrive here.' };
  if (isLicenseKind(kind)) return ofLicense(kind, now);
  if (!isOfExtension(kind)) return { ...ABOUT_NOTHING, message: `Example: ${headlineOf(kind)}.` };
  return {
    ...ABOUT_NOTHING,
    extensionId: ID,
    extensionName: 'Tab Counter',
    targetId: ID,
    version: '1.4.0',
    message: `Example: Tab Counter 1.4.0 ${headlineOf(kind)}.`,
  };
}

function ofLicense(kind: LicenseEventKind, now: Date): Example {
  const isTrial = kind.startsWith('license.trial_');
  const reason = isTrial ? (kind === 'license.trial_ended' ? 'time' : null) : 'tenant';
  const later = new Date(now.getTime() + 14 * DAY_MS).toISOString();
  const plan = { id: ID, planId: ID, tier: 'pro', reason };
  const license: NotedLicense = {
    ...plan,
    status: 'active',
    expiresAt: later,
    renews: true,
    renewsAt: later,
    seats: { used: 1, max: 3 },
    buyerEmail: 'buyer@example.com',
    codeHint: '30JCN',
    source: 'api',
    isTest: true,
  };
  const trial: NotedTrial = {
    ...plan,
    startedAt: now.toISOString(),
    endsAt: later,
    email: 'buyer@example.com',
    licenseId: null,
  };
  return {
    ...ABOUT_NOTHING,
    extensionId: ID,
    extensionName: 'Tab Counter',
    message: `Example: ${isTrial ? 'A trial' : 'License …30JCN'} ${wordsOf(kind, reason)}`,
    ...(isTrial ? { trial } : { license }),
  };
}
