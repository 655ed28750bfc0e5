import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { missingOf, PHASES, phaseFromSettings, type Phase, type ConfiguredPhase } from './phase.js';

interface Given {
  readonly enabled?: boolean;
  readonly storeItemId?: string | null;
  readonly credentialId?: string | null;
  readonly phase?: Phase;
}

const SAID = 'The store said so.';
const COMPLETE = {
  enabled: true,
  storeItemId: 'item',
  credentialId: 'credential',
  phase: 'live' as Phase,
  message: SAID,
};
const ASKED_SHORTLY = 'Pierhead will check the store shortly.';
const DISABLED = 'The target is disabled; nothing is published to it.';

const rest = (given: Given): ConfiguredPhase => phaseFromSettings({ ...COMPLETE, ...given });

describe('what a target still needs', () => {
  it.each<[Given, readonly string[]]>([
    [{ storeItemId: null, credentialId: null }, ['storeItemId', 'credentialId']],
    [{ storeItemId: null }, ['storeItemId']],
    [{ credentialId: null }, ['credentialId']],
    [{}, []],
    [{ enabled: false, credentialId: null }, ['credentialId']],
  ])('of %j is %j', (given, missing) => {
    expect(missingOf({ ...COMPLETE, ...given })).toEqual(missing);
  });
});

describe('a target whose settings have changed', () => {
  it.each<[sentence: string, given: Given, then: readonly [phase: Phase, message: string, isDrivable: boolean]]>([
    ['goes on as it was when it is complete', {}, ['live', SAID, true]],
    ['stays in review', { phase: 'in_review' }, ['in_review', SAID, true]],
    ['is idle when it was disabled until now', { phase: 'disabled' }, ['idle', ASKED_SHORTLY, true]],
    ['is idle when it was incomplete until now', { phase: 'incomplete' }, ['idle', ASKED_SHORTLY, true]],
    ['is disabled when it was switched off', { enabled: false }, ['disabled', DISABLED, false]],
    ['is disabled, however incomplete', { enabled: false, storeItemId: null }, ['disabled', DISABLED, false]],
    [
      'is incomplete without its item',
      { storeItemId: null },
      ['incomplete', 'The target still needs storeItemId.', false],
    ],
    [
      'is incomplete without its credential',
      { credentialId: null },
      ['incomplete', 'The target still needs credentialId.', false],
    ],
    [
      'names all that it needs',
      { storeItemId: null, credentialId: null },
      ['incomplete', 'The target still needs storeItemId and credentialId.', false],
    ],
  ])('%s', (_sentence, given, [phase, message, isDrivable]) => {
    expect(rest(given)).toEqual({ phase, message, isDrivable });
  });

  it('is driven exactly when it is enabled and complete', () => {
    const given = fc.record({
      enabled: fc.boolean(),
      storeItemId: fc.constantFrom(null, 'item'),
      credentialId: fc.constantFrom(null, 'credential'),
      phase: fc.constantFrom(...PHASES),
    });
    fc.assert(
      fc.property(given, (target) => {
        const { phase, isDrivable } = rest(target);
        const isComplete = target.storeItemId !== null && target.credentialId !== null;
        expect(isDrivable).toBe(target.enabled && isComplete);
        expect(phase === 'disabled' || phase === 'incomplete').toBe(!isDrivable);
        expect(phase === 'disabled').toBe(!target.enabled);
      }),
      { numRuns: 500 },
    );
  });
});
