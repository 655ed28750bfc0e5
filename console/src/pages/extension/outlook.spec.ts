import { describe, expect, it } from 'vitest';
import { outlookOf, usually, type Place } from './outlook';

const REVIEW = { fromSeconds: 10_800, toSeconds: 172_800, reviews: 9 };

/** A target at a store, with its phase, whose turn it is, and its versions. */
const at = (
  store: Place['store'],
  phase: Place['status']['phase'],
  turn: Place['display']['turn'],
  [liveVersion, desiredVersion = liveVersion]: readonly (string | null)[] = ['1.0'],
  more: Partial<Place> = {},
): Place => ({
  id: store,
  store,
  channel: null,
  storeItemId: null,
  enabled: true,
  display: { word: '', tone: 'off', turn, progress: 0 },
  status: { phase, liveVersion: liveVersion ?? null, desiredVersion: desiredVersion ?? null },
  rollout: null,
  usualReview: null,
  ...more,
});
const OFF = at('safari', 'disabled', null, [null], { enabled: false });
const LIVE = at('edge', 'live', null);
const ROLLOUT = { version: '1.1', percent: 10 } as NonNullable<Place['rollout']>;

describe('the outlook', () => {
  it.each<[string, readonly Place[]]>([
    ['Set up a store to publish it there.', []],
    ['Set up a store to publish it there.', [OFF]],
    ['Push a version to publish it.', [at('chrome', 'idle', null, [null]), OFF]],
    ['1.0 is live at Edge.', [LIVE, OFF]],
    ['1.0 is live at Edge and Chrome.', [LIVE, at('chrome', 'live', null)]],
    ['Nothing is on its way.', [LIVE, at('chrome', 'live', null, ['2.0'])]],
    ['Chrome offers 1.1 to 10% of its users.', [LIVE, at('chrome', 'live', null, ['1.1'], { rollout: ROLLOUT })]],
    ['1.1 is on its way to Chrome.', [LIVE, at('chrome', 'uploading', 'pierhead', ['1.0', '1.1'])]],
    [
      'Chrome reviews 1.1.',
      [at('chrome', 'in_review', 'store', ['1.0', '1.1']), at('firefox', 'queued', 'pierhead', ['1.0', '1.1'])],
    ],
    [
      'Chrome reviews 1.1, which usually takes 3 hr to 2 days.',
      [at('chrome', 'in_review', 'store', ['1.0', '1.1'], { usualReview: REVIEW })],
    ],
    [
      'Chrome and Firefox review 1.1.',
      [at('chrome', 'in_review', 'store', ['1.0', '1.1']), at('firefox', 'in_review', 'store', [null, '1.1'])],
    ],
    [
      'Chrome and Firefox review what you pushed.',
      [at('chrome', 'in_review', 'store', ['1.0', '1.1']), at('firefox', 'in_review', 'store', [null, '2.0'])],
    ],
    ['Firefox waits for you.', [at('chrome', 'in_review', 'store'), at('firefox', 'rejected', 'you')]],
    ['Firefox and Edge wait for you.', [at('firefox', 'rejected', 'you'), at('edge', 'action_required', 'you')]],
    [
      'Chrome two waits for you.',
      [at('chrome', 'rejected', 'you', [null], { storeItemId: 'two' }), at('chrome', 'live', null)],
    ],
  ])('is: %s', (sentence, places) => {
    expect(outlookOf(places)).toBe(sentence);
  });

  it('names one length where both ends are the same', () => {
    expect(usually({ ...REVIEW, toSeconds: 12_000 })).toBe('3 hr');
    expect(usually({ ...REVIEW, fromSeconds: 20 })).toBe('less than a minute to 2 days');
  });
});
