import type { Schemas } from '../../api';
import type { State } from '../../ui';
import { PROCESSORS } from '../../ui/names';

type License = Schemas['License'];

/** Display of a license's status. */
export const STATUSES: Readonly<Record<License['status'], State>> = {
  active: 'live',
  suspended: 'needs_you',
  expired: 'off',
  revoked: 'rejected',
};

const REASONS: Readonly<Record<NonNullable<License['suspendedFor'] | License['revokedFor']>, string>> = {
  tenant: 'by your team',
  dispute: 'for a dispute',
  payment: 'until it is paid',
  refund: 'for a refund',
};

/** Why a license is suspended or revoked; empty when it is neither. */
export function reasonOf({ status, suspendedFor, revokedFor }: License): string {
  const cause = status === 'suspended' || status === 'revoked' ? (revokedFor ?? suspendedFor) : null;
  return cause === null ? '' : REASONS[cause];
}

/** The owner, or that there is none. */
export const ownerOf = ({ buyerEmail }: Pick<License, 'buyerEmail'>): string => buyerEmail ?? 'no owner yet';

/** State of the mail with the code. */
export const DELIVERIES: Readonly<Record<NonNullable<License['delivery']>, string>> = {
  waiting: 'The mail with the code waits to be sent.',
  sent: 'The code was mailed.',
  undelivered: 'The mail with the code could not be delivered.',
};

/** Reason for which a license was issued. */
export function saleOf({ source, isTest }: License): string {
  if (source === 'manual') return 'issued by hand';
  const [from = '', ...id] = source.split(':');
  if (from === 'batch') return 'issued in a batch';
  if (from === 'import') return `imported, order ${id.join(':')}`;
  const sale = `${(PROCESSORS as Readonly<Record<string, string>>)[from] ?? from}, ${id.at(-1) ?? ''}`;
  return isTest ? `test sale: ${sale}` : sale;
}

/** The filters of the list, as the address and the API name them. */
export interface Filter {
  readonly extension?: string;
  readonly status?: License['status'];
  readonly email?: string;
  readonly codeHint?: string;
  readonly order?: string;
  readonly search?: string;
  readonly isTest?: 'true' | 'false';
  readonly campaign?: string;
}

/** The filters that an address names. */
export function filterIn(search: URLSearchParams): Filter {
  const entries = ['extension', 'status', 'email', 'codeHint', 'order', 'search', 'isTest', 'campaign'].flatMap(
    (name) => {
      const value = search.get(name);
      return value === null || value === '' ? [] : [[name, value]];
    },
  );
  return Object.fromEntries(entries) as Filter;
}

/** Text that a person typed to find a license. A whole code is a secret, which never appears in a URL. */
export function readSearch(typed: string): { readonly search?: string } | { readonly code: string } {
  const text = typed.trim();
  if (text === '') return {};
  const symbols = text.replaceAll(/[\s-]/g, '').toUpperCase();
  const isCode = /^[0-9A-Z]{16,}$/.test(symbols) && (text.includes('-') || text === text.toUpperCase());
  return isCode ? { code: text } : { search: text };
}

export type Step = 'change' | 'resend' | 'rotate' | 'reinstate' | 'suspend' | 'revoke' | 'delete';

/** Actions on a license, in the order of its buttons. */
export function stepsFor({ status, suspendedFor, revokedFor, buyerEmail }: License): readonly Step[] {
  if (status === 'revoked') return revokedFor === 'tenant' ? ['delete'] : ['reinstate', 'revoke', 'delete'];
  const mailed = buyerEmail === null ? [] : (['resend'] as const);
  return ['change', ...mailed, 'rotate', suspendedFor === null ? 'suspend' : 'reinstate', 'revoke'];
}
