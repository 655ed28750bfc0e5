import Sequencer from '@jest/test-sequencer';

/** Small, and takes longest: while Jest knows no times, it begins with the largest files. */
const isLongest = ({ path }) => path.endsWith('test/contracts/stores.e2e.spec.ts');

/** Jest's order, but for a file that would leave one worker busy when all others are done. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(isLongest), ...sorted.filter((test) => !isLongest(test))];
  }
}
