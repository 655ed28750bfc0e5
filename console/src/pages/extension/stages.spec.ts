import { describe, expect, it } from 'vitest';
import { stagesOf } from './stages';

const AT = '2026-05-04T09:30:00.000Z';
const PUSHED = '2026-05-01T00:00:00.000Z';
const event = (kind: string, step?: string) => ({
  at: `${kind} ${step ?? ''}`.trim(),
  kind,
  data: step === undefined ? null : { step },
});
type Tone = Parameters<typeof stagesOf>[0]['display']['tone'];
const shape = (state: string, tone: Tone, kinds: readonly (readonly [string, string?])[] = []) =>
  stagesOf(
    { state: state as 'queued', at: AT, display: { tone } },
    kinds.map(([kind, step]) => event(kind, step)),
    PUSHED,
  )
    .map(({ state: at }) => (at === 'needed' ? '_' : at[0]))
    .join('');

describe('the way of a version into a store', () => {
  // One letter for each of pushed, checked, in review, approved and live: done, here now, waits for you (_), stopped, to come (l).
  it.each<[string, Tone, string]>([
    ['queued', 'underway', 'dnlll'],
    ['uploading', 'underway', 'dnlll'],
    ['processing', 'underway', 'dnlll'],
    ['submitting', 'underway', 'ddnll'],
    ['submitting', 'needs_you', 'dd_ll'],
    ['in_review', 'underway', 'ddnll'],
    ['in_review', 'needs_you', 'dd_ll'],
    ['approved', 'underway', 'dddnl'],
    ['approved', 'needs_you', 'ddd_l'],
    ['releasing', 'underway', 'ddddn'],
    ['live', 'live', 'ddddd'],
    ['rejected', 'rejected', 'ddsll'],
    ['failed', 'rejected', 'dslll'],
    ['cancelled', 'off', 'dslll'],
  ])('is, when %s and shown as %s, %s', (state, tone, way) => expect(shape(state, tone)).toBe(way));

  it('stops, when it ended, at the last stage that the timeline names', () => {
    expect(shape('failed', 'rejected', [['step_done', 'submit'], ['step_done', 'upload'], ['pinned']])).toBe('ddsll');
    expect(shape('superseded', 'off', [['phase_live'], ['phase_in_review'], ['pinned']])).toBe('ddddd');
  });

  it('has the times of the timeline, and the push where the timeline no longer says it', () => {
    const stages = stagesOf(
      { state: 'in_review', at: AT, display: { tone: 'underway' } },
      [event('step_done', 'upload')],
      PUSHED,
    );
    expect(stages.map(({ at }) => at)).toEqual([PUSHED, 'step_done upload', AT, null, null]);
  });
});
