import type { Schemas } from '../../api';
import { number } from '../../ui/format';
import { wholeNumberIn } from '../../ui/numbers';
import { endOf } from './days';
import type { Filter } from './license-words';

export type BulkRequest = Schemas['BulkLicenses'];
export type Answer = Schemas['BulkAnswer'];

/** Whether an action needs a value. */
export const NEEDS: Readonly<Record<BulkRequest['action'], boolean>> = {
  suspend: false,
  reinstate: false,
  revoke: false,
  extend: true,
  raise: true,
};

/** The request of an action with the value that was typed for it. */
export function bulkRequestOf(action: BulkRequest['action'], value: string, filter: Filter): BulkRequest {
  if (action === 'extend') return { action, filter, expiresAt: endOf(value) ?? '' };
  return action === 'raise' ? { action, filter, maxActivations: wholeNumberIn(value) } : { action, filter };
}

const changedIn = ({ items }: Answer): number => items.filter(({ outcome }) => outcome === 'changed').length;

/** How many would change at most: those beyond the first hundred are not known. */
export const mostChanged = (preview: Answer): number =>
  changedIn(preview) + (preview.nextCursor === null ? 0 : preview.matched - preview.items.length);

/** Label of the button. */
export function changing(preview: Answer): string {
  const most = mostChanged(preview);
  if (most === 0) return 'Nothing to change';
  const licenses = `${number(most)} license${most === 1 ? '' : 's'}`;
  return preview.nextCursor === null ? `Change ${licenses}` : `Change up to ${licenses}`;
}
