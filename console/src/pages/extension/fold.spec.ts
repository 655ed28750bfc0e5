import { expect, it } from 'vitest';
import { fold } from './fold';

type Told = readonly (readonly [kind: string, day: number])[];

/** Events, newest first, each as its kind and its day. */
const events = (told: Told) =>
  told.map(([kind, day], index) => ({ id: String(index), kind, at: new Date(2026, 0, day, 12).toISOString() }));

const shown = (told: ReturnType<typeof events>, ...opened: readonly string[]): readonly string[] =>
  fold(told, new Set(opened)).map((row) => ('event' in row ? row.event.id : `${row.folded.length} folded`));

it.each<[string, Told, readonly string[]]>([
  ['nothing where there is none', [], []],
  [
    'no single event',
    [
      ['license_issued', 1],
      ['pinned', 1],
      ['license_revoked', 1],
    ],
    ['0', '1', '2'],
  ],
  [
    'neighbours of one day',
    [
      ['pinned', 2],
      ['licenses_issued', 1],
      ['license_revoked', 1],
      ['pinned', 1],
    ],
    ['0', '2 folded', '3'],
  ],
  [
    'nothing across days',
    [
      ['license_issued', 2],
      ['license_issued', 2],
      ['license_issued', 1],
    ],
    ['2 folded', '2'],
  ],
  [
    'no other events',
    [
      ['phase_live', 1],
      ['pinned', 1],
    ],
    ['0', '1'],
  ],
])('folds %s', (_, told, expected) => {
  expect(shown(events(told))).toEqual(expected);
});

it('shows what somebody opened, below its head', () => {
  const told = events([
    ['license_issued', 1],
    ['license_revoked', 1],
    ['pinned', 1],
  ]);
  expect(shown(told, 'to 1')).toEqual(['2 folded', '0', '1', '2']);
});

it('keeps a run open, and its name, when one more event comes and when older ones are loaded', () => {
  const day = (...ids: readonly string[]) =>
    ids.map((id) => ({ id, kind: 'license_issued', at: new Date(2026, 0, 1, 12).toISOString() }));
  const [head] = fold(day('c', 'b'), new Set());
  const opened = new Set([head?.id ?? '']);
  for (const more of [day('d', 'c', 'b'), day('c', 'b', 'a')]) {
    const rows = fold(more, opened);
    expect(rows.length).toBe(4);
    expect(rows[0]?.id).toBe(head?.id);
  }
});
