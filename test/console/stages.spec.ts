import { describe, expect, it } from '@jest/globals';
import { stagesOf } from '../../console/src/pages/extension/stages.js';

const AT = '2026-05-04T09:30:00.000Z';
const PUSHED = '2026-05-01T00:00:00.000Z';
const event = (kind: string, step?: string) => ({
  at: `${kind} ${step ?? ''}`.trim(),
  kind,
  data: step === undefined ? null : { step },
});
const shape = (state: string, refusal: string | null = null, kinds: readonly (readonly [string, string?])[] = []) =>
  stagesOf(
    { state: state as 'queued', at: AT, refusal },
    kinds.map(([kind, step]) => event(kind, step)),
    PUSHED,
  )
    .map((stage) => stage.state[0])
    .join('');

describe('the way of a version into a store', () => {
  // One letter for each of pushed, checked, in review, approved and live: done, now, stopped, later.
  it.each([
    ['queued', 'dnlll'],
    ['uploading', 'dnlll'],
    ['processing', 'dnlll'],
    ['submitting', 'ddnll'],
    ['in_review', 'ddnll'],
    ['approved', 'dddnl'],
    ['releasing', 'ddddn'],
    ['live', 'ddddd'],
    ['rejected', 'ddsll'],
    ['failed', 'dslll'],
    ['cancelled', 'dslll'],
  ])('is, when %s, %s', (state, way) => expect(shape(state)).toBe(way));

  it('stops where the store refused a step', () => {
    expect(shape('queued', 'The icon is missing.')).toBe('dslll');
    expect(shape('submitting', 'The listing has no category.')).toBe('ddsll');
  });

  it('stops, when it ended, at the last stage that the timeline names', () => {
    expect(shape('failed', null, [['step_done', 'submit'], ['step_done', 'upload'], ['pinned']])).toBe('ddsll');
    expect(shape('superseded', null, [['phase_live'], ['phase_in_review'], ['pinned']])).toBe('ddddd');
  });

  it('has the times of the timeline, and the push where the timeline no longer says it', () => {
    const stages = stagesOf({ state: 'in_review', at: AT, refusal: null }, [event('step_done', 'upload')], PUSHED);
    expect(stages.map(({ at }) => at)).toEqual([PUSHED, 'step_done upload', AT, null, null]);
  });
});
