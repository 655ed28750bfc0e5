import { PROCESSORS } from '../api/processors.js';
import type { Schema } from '../api/service.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/terminal.js';
import { day } from '../terminal/words.js';

type License = Schema<'License'>;

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

/** End of its term, and its processor: `paid until 12 Dec (Stripe)`, `until 3 Jan 2028`, `never expires`, `ended 3 Oct`. */
export function termText(license: Pick<License, 'status' | 'expiresAt' | 'source' | 'isTest'>, now: Date): string {
  const seller = sellerOf(license);
  const { status, expiresAt, isTest } = license;
  const from = seller === null ? '' : ` (${seller}${isTest ? ', test' : ''})`;
  if (status === 'expired' && expiresAt !== null) return `ended ${day(expiresAt, now)}${from}`;
  if (expiresAt === null) return seller === null ? 'never expires' : `paid for good${from}`;
  return `${seller === null ? '' : 'paid '}until ${day(expiresAt, now)}${from}`;
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

const TONES = { active: 'green', suspended: 'yellow', expired: 'dim', revoked: 'red' } as const satisfies Record<
  License['status'],
  unknown
>;

const seatsText = ({ seats: { used, max } }: License): string =>
  `${used} of ${max} ${max === 1 ? 'device' : 'devices'}`;

/** One row for each license. */
export const licenseTable = (licenses: readonly License[], style: Style, now: Date): string =>
  table(
    licenses.map((license) => [
      hintOf(license),
      license.tier,
      style(TONES[license.status], statusText(license)),
      seatsText(license),
      termText(license, now),
      license.buyerEmail ?? 'no owner yet',
    ]),
    style,
    { whole: [0, 3], dispensable: [3, 1] },
  );
