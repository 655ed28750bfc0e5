import { expect, it } from 'vitest';
import { followed, isComplete, pushedTo } from './followed';

type Extension = NonNullable<ReturnType<typeof followed>>;

const target = (phase: string, desiredVersion: string | null = null) => ({ phase, desiredVersion });
const extension = (id: string, ...targets: readonly object[]) => ({ id, targets }) as Extension;

const EMPTY = extension('empty', target('disabled'), target('disabled'));
const PLACED = extension('placed', target('disabled'), target('incomplete'));
const PUSHED = extension('pushed', target('disabled', '1.0'));
const BOTH = extension('both', target('idle', '1.1'), target('live', '1.0'));

it.each([
  ['none where there is none', [], null, undefined],
  ['the newest of those that are as far', [EMPTY, extension('older')], null, 'empty'],
  ['one that goes to a store before one that does not', [EMPTY, PLACED], null, 'placed'],
  ['one whose version was pushed before one that only goes to a store', [PLACED, PUSHED], null, 'pushed'],
  ['the furthest', [PUSHED, BOTH, PLACED], null, 'both'],
  ['the one that is named', [BOTH, EMPTY], 'empty', 'empty'],
  ['the furthest where the one that is named is gone', [EMPTY, BOTH], 'gone', 'both'],
])('the first steps follow %s', (_, extensions, named, id) => {
  expect(followed(extensions, named)?.id).toBe(id);
});

it('a store is complete once it is used and nothing is missing', () => {
  const phases = ['disabled', 'incomplete', 'idle', 'live'];
  const complete = phases.filter((phase) => isComplete(target(phase) as Extension['targets'][number]));
  expect(complete).toEqual(['idle', 'live']);
});

it('a version was pushed once a store is to have it', () => {
  expect(pushedTo(extension('x', target('idle'), target('idle', '1.2')))).toBe('1.2');
  expect(pushedTo(EMPTY)).toBeNull();
});
