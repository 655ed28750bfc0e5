import { PROCESSORS } from '../api/processors.js';
import type { Schema } from '../api/service.js';
import { table } from '../terminal/table.js';
import { linked, type Style } from '../terminal/style.js';
import { stated, type Tone } from '../terminal/tones.js';
import { day } from '../terminal/words.js';
import { durationInWords } from './expiry.js';

type License = Schema<'License'>;

const HOUR_MS = 3_600_000;

/** Name of a license for people: the end of its code. */
export const hintOf = ({ codeHint }: Pick<License, 'codeHint'>): string => `…${codeHint}`;

/** Name of a license for sentences: the end of its code, and its owner where it has one. */
export const nameOf = (license: Pick<License, 'codeHint' | 'buyerEmail'>): string =>
  license.buyerEmail === null ? hintOf(license) : `${hintOf(license)} of ${license.buyerEmail}`;

/** Name of a processor; its id for one that this client does not know. */
export const processorTitle = (id: string): string => PROCESSORS.find((one) => one.id === id)?.title ?? id;

/** Processor of the payment; null for a license that was issued by hand. */
export function sellerOf({ source }: Pick<License, 'source'>): string | null {
  const [processor = ''] = source.split(':');
  return source === 'manual' ? null : processorTitle(processor);
}

/** End of its term, and its processor: `paid until 12 Dec (Stripe)`, `expires 3 Jan 2028`, `never expires`, `since 3 Oct`. */
export function termText(license: Ending & Pick<License, 'source' | 'isTest'>, now: Date): string {
  const seller = sellerOf(license);
  const from = seller === null ? '' : ` (${seller}${license.isTest ? ', test' : ''})`;
  return `${endText(license, seller !== null, now)}${from}`;
}

type Ending = Pick<
  License,
  'status' | 'expiresAt' | 'renews' | 'renewalLeewayHours' | 'duration' | 'graceDays' | 'onEnd'
>;

function endText(license: Ending, isSold: boolean, now: Date): string {
  const { status, expiresAt, renews, renewalLeewayHours, duration, graceDays, onEnd } = license;
  if (duration !== null) return `${durationInWords(duration)} from its first activation`;
  if (expiresAt === null) return isSold ? 'paid for good' : 'never expires';
  const end = day(expiresAt, now);
  const isOver = new Date(expiresAt) <= now;
  if (onEnd === 'maintain') return `updates until ${end}`;
  if (!isOver) return renews ? `renews ${end}` : `${isSold ? 'paid until' : 'expires'} ${end}`;
  const hours = Math.max(24 * graceDays, renewalLeewayHours ?? 0);
  const last = new Date(Date.parse(expiresAt) + hours * HOUR_MS).toISOString();
  if (status === 'active' && renews) return `renewal due ${end}, active until ${day(last, now)}`;
  if (status === 'active') return `expired ${end}, in grace until ${day(last, now)}`;
  // The status before it says what it is.
  return `${status === 'expired' ? 'since' : 'expired'} ${end}`;
}

const CAUSES = {
  tenant: 'by your team',
  dispute: 'for a dispute',
  payment: 'for a missing payment',
  refund: 'for a refund',
};

/** The status, and what caused one that is not wished. */
export function statusText({ status, suspendedFor, revokedFor }: License): string {
  const cause = status === 'suspended' ? suspendedFor : status === 'revoked' ? revokedFor : null;
  return cause === null ? status : `${status} ${CAUSES[cause]}`;
}

/** Tone of each status, as in the console. */
export const LICENSE_TONES: Readonly<Record<License['status'], Tone>> = {
  active: 'live',
  suspended: 'needs_you',
  expired: 'off',
  revoked: 'rejected',
};

const seatsText = ({ seats: { used, max } }: License): string =>
  `${used} of ${max} ${max === 1 ? 'device' : 'devices'}`;

/** Names of the columns of `licenseTable`, for a list. */
export const LICENSE_HEADS = ['CODE', 'PLAN', 'STATUS', 'DEVICES', 'TERM', 'BUYER'] as const;

/** One row for each license. @param url of the service, whose console the codes lead to */
export const licenseTable = (
  licenses: readonly License[],
  style: Style,
  now: Date,
  { url, heads }: { readonly url?: string; readonly heads?: typeof LICENSE_HEADS } = {},
): string =>
  table(
    licenses.map((license) => [
      url === undefined ? hintOf(license) : linked(style, `${url}/licenses/${license.id}`, hintOf(license)),
      license.tier,
      stated(style, LICENSE_TONES[license.status], statusText(license)),
      seatsText(license),
      termText(license, now),
      license.buyerEmail ?? 'no owner yet',
    ]),
    style,
    { whole: [0, 3], dispensable: [3, 1], ...(heads === undefined ? {} : { heads }) },
  );
