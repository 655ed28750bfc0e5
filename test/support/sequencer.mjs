import Sequencer from '@jest/test-sequencer';

/** What takes longest, in this order: while Jest knows no times, it begins with the largest files, and these are small. */
const LONGEST = [
  'test/whole/backup.soak',
  'test/whole/documents-commands.soak',
  'test/whole/admin.soak',
  'test/whole/process.soak',
  'test/reconcile/faults-everywhere.soak',
  'test/cli/large.soak',
  'test/console/settings.soak',
  'test/audit/large.soak',
  'test/whole/power-cut.soak',
  'test/reconcile/options.soak',
  'test/whole/kill-9.soak',
  'test/whole/keys.soak',
  'test/whole/killed.soak',
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

const placeOf = ({ path }) => {
  const place = LONGEST.findIndex((name) => path.endsWith(name));
  return place === -1 ? LONGEST.length : place;
};

/** Jest's order, but for the files that would leave one worker busy when all others are done. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
