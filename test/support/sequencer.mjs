import { BaseSequencer } from 'vitest/node';

/** What takes longest, in this order: while Vitest knows no times, it begins with the largest files, and these are small. */
const LONGEST = [
  'test/process/backup.slow',
  'test/process/documents-commands.slow',
  'test/process/admin.slow',
  'test/process/process.slow',
  'test/reconcile/faults-everywhere.slow',
  'test/cli/large.slow',
  'test/console/settings.slow',
  'test/audit/large.slow',
  'test/process/power-cut.slow',
  'test/reconcile/options.slow',
  'test/process/kill-9.slow',
  'test/process/keys.slow',
  'test/process/killed.slow',
  'test/overview/stream.e2e',
  'test/cli/session.e2e',
  'test/guard/access.e2e',
  'test/identity/openid.e2e',
  'test/contracts/stores.e2e',
  'test/guard/statements.e2e',
  'test/guard/bad-input.e2e',
  'test/webhooks/erasure.e2e',
  'test/analytics/pings.e2e',
  'test/reconcile/publishing.e2e',
  'test/reconcile/at-once.e2e',
  'test/licensing/buyer/pages.e2e',
  'test/webhooks/sales.e2e',
].map((name) => `/${name}.spec.ts`);

const placeOf = ({ moduleId }) => {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(name));
  return place === -1 ? LONGEST.length : place;
};

/** Vitest's order, but for the files that would leave one worker busy when all others are done. */
export default class LongestFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
