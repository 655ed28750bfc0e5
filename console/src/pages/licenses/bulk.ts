import type { Schemas } from '../../api';
import { counted } from '../../ui/format';
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

/** The licenses to change: chosen ones, or all that match. */
export type BulkTarget = Pick<BulkRequest, 'ids'> | { readonly filter: Filter };

/** The request of an action with the value that was typed for it. */
export function bulkRequestOf(action: BulkRequest['action'], value: string, of: BulkTarget): BulkRequest {
  if (action === 'extend') return { action, ...of, expiresAt: endOf(value) ?? '' };
  return action === 'raise' ? { action, ...of, maxActivations: wholeNumberIn(value) } : { action, ...of };
}

/** As many as one request names. */
const MOST_NAMED = 100;

/** The requests for licenses that are chosen: one cannot name all of them. */
export function requestsOf({ ids, ...request }: BulkRequest): readonly BulkRequest[] {
  if (ids === undefined) return [request];
  const starts = Array.from({ length: Math.ceil(ids.length / MOST_NAMED) }, (_, at) => at * MOST_NAMED);
  return starts.map((start) => ({ ...request, ids: ids.slice(start, start + MOST_NAMED) }));
}

/** The answers to these requests as one. */
export const togetherOf = (answers: readonly Answer[]): Answer => ({
  dryRun: answers.every(({ dryRun }) => dryRun),
  matched: answers.reduce((sum, { matched }) => sum + matched, 0),
  items: answers.flatMap(({ items }) => items),
  nextCursor: answers.at(-1)?.nextCursor ?? null,
});

const changedIn = ({ items }: Answer): number => items.filter(({ outcome }) => outcome === 'changed').length;

/** How many would change at most: those beyond the first hundred are not known. */
export const mostChanged = (preview: Answer): number =>
  changedIn(preview) + (preview.nextCursor === null ? 0 : preview.matched - preview.items.length);

/** Label of the button. */
export function changing(preview: Answer): string {
  const most = mostChanged(preview);
  if (most === 0) return 'Nothing to change';
  const licenses = counted(most, 'license');
  return preview.nextCursor === null ? `Change ${licenses}` : `Change up to ${licenses}`;
}
