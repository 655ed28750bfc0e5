import type { FieldError } from '../../common/problems/index.js';
import { SECOND_MS } from '../../common/system/index.js';

/** How a batch hands out its codes: in the answer, by mail to the owners, or through gift links in the answer. */
export const BATCH_DELIVERIES = ['code', 'mail', 'gift'] as const;
export type BatchDelivery = (typeof BATCH_DELIVERIES)[number];

/** Most licenses of one batch. */
export const MAX_BATCH = 5000;

/** Licenses of one statement, between which other requests get their turn. */
export const AT_ONCE = 500;

/** How many of a batch's mails become due in a second, so that other mails do not wait behind them. */
const MAILS_PER_SECOND = 5;

/** For whom a batch is, and where its codes go. */
export interface BatchWish {
  readonly count?: number | undefined;
  readonly emails?: readonly string[] | undefined;
  readonly delivery: BatchDelivery;
  readonly giftExpiresAt?: string | undefined;
}

/** Returns what is wrong with a batch whose fields are right one by one. */
export function faultsOf({ count, emails, delivery, giftExpiresAt }: BatchWish): readonly FieldError[] {
  if ((count === undefined) === (emails === undefined))
    return [{ field: 'emails', message: 'Send either emails or count, not both.' }];
  if (giftExpiresAt !== undefined && delivery !== 'gift')
    return [{ field: 'giftExpiresAt', message: `is not allowed for the delivery ${delivery}.` }];
  return delivery === 'mail' && emails === undefined
    ? [{ field: 'emails', message: 'is required for the delivery mail.' }]
    : [];
}

/** Returns what is wrong with links that would never work. */
export const lateFaults = ({ giftExpiresAt }: Pick<BatchWish, 'giftExpiresAt'>, now: Date): readonly FieldError[] =>
  giftExpiresAt !== undefined && new Date(giftExpiresAt) <= now
    ? [{ field: 'giftExpiresAt', message: 'must be in the future.' }]
    : [];

/** Returns the owner of each license; null for one without. */
export const ownersOf = ({ count = 0, emails }: BatchWish): readonly (string | null)[] =>
  emails ?? Array.from({ length: count }, () => null);

/** When the mail at an index of a batch is due. */
export const mailDueAt = (issuedAt: Date, index: number): Date =>
  new Date(issuedAt.getTime() + Math.floor(index / MAILS_PER_SECOND) * SECOND_MS);
