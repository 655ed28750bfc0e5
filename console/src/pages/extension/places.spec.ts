import { describe, expect, it } from 'vitest';
import { artifactsFor, choicesOf, placeOf } from './places';

const target = (id: string, store: string, enabled = true) => ({ id, store, enabled });
const [STABLE, BETA, FIREFOX] = [target('stable', 'chrome'), target('beta', 'chrome'), target('firefox', 'firefox')];
const OFF = target('beta', 'chrome', false);

describe('a version', () => {
  it.each([
    ['no target of stores that have one each', [STABLE, FIREFOX], []],
    ['no target where only one of two is enabled', [STABLE, OFF, FIREFOX], []],
    ['one of all that are enabled', [STABLE, BETA, FIREFOX, target('edge', 'edge', false)], [STABLE, BETA, FIREFOX]],
  ])('names %s', (_, targets, choices) => {
    expect(choicesOf(targets)).toEqual(choices);
  });

  it.each([
    ['its store', [STABLE, FIREFOX], { store: 'chrome' }],
    ['its store while the other is disabled', [STABLE, OFF], { store: 'chrome' }],
    ['its id too where there are several', [STABLE, BETA], { store: 'chrome', target: 'stable' }],
  ])('is for a target by %s', (_, targets, place) => {
    expect(placeOf(STABLE, targets)).toEqual(place);
  });
});

it('artifacts for a target alone come before those of its store, and these before those for all', () => {
  const all = { store: null, targetId: null };
  const chrome = { store: 'chrome', targetId: null };
  const beta = { store: 'chrome', targetId: 'beta' };
  const others = [
    { store: 'chrome', targetId: 'stable' },
    { store: 'firefox', targetId: null },
  ];
  expect(artifactsFor(BETA, [all, ...others, chrome, beta])).toEqual([beta, chrome, all]);
});
