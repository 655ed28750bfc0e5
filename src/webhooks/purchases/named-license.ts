import { uuidOrNil } from '../../common/fields/pure.js';
import type { LicenseEntity } from '../../licensing/index.js';
import type { PaymentRecord } from '../ledger/index.js';
import { isKept } from './license-turns.js';

/** Why a purchase does not upgrade the license that it names. */
const DECLINED = ['unknown', 'other_buyer', 'kept', 'late'] as const;
export type Declined = (typeof DECLINED)[number];

/** The license that a purchase upgrades, by the seller's word at checkout; null for none. Pure. */
export const licenseNamedIn = ({ licenseId }: Pick<PaymentRecord, 'licenseId'>): string | null =>
  licenseId === null ? null : uuidOrNil(licenseId.value);

/**
 * Why a purchase does not upgrade a license; null when it does. Anybody may name any license, so that only its own buyer changes it, and nobody
 * changes what the tenant holds. Pure.
 * @param license null when the tenant has none of that id
 */
export function whyDeclined(
  license: Pick<LicenseEntity, 'extensionId' | 'buyerEmail' | 'isTest' | 'revokedFor' | 'suspendedFor'> | null,
  purchase: { readonly extensionIds: readonly string[]; readonly buyerEmail: string; readonly isTest: boolean },
): Declined | null {
  if (license === null || !purchase.extensionIds.includes(license.extensionId)) return 'unknown';
  if (license.isTest !== purchase.isTest) return 'unknown';
  if (license.buyerEmail !== purchase.buyerEmail) return 'other_buyer';
  return isKept(license) ? 'kept' : null;
}

const WHY: Readonly<Record<Declined, string>> = {
  unknown: 'is none of yours for the extension that was bought',
  other_buyer: 'belongs to another e-mail address',
  kept: 'is revoked, suspended or disputed',
  late: 'was named after this purchase had made one: name it wherever you name the plan',
};

/** Explains why a purchase has a license of its own although it names another. Pure. */
export const declinedReason = (declined: Declined): string =>
  `The license that it names to upgrade ${WHY[declined]}. The purchase has a license of its own.`;
