import { expect, it } from 'vitest';
import { heldBy, IGNORED, isNothing, NOTHING_SAID, previewOf, type Said } from './reading';

const COLUMNS = [
  { name: 'Product', field: 'tier' },
  { name: 'Variant', field: 'tier' },
  { name: 'Mail', field: null },
  { name: 'Buyer', field: 'email' },
] as const;
const said = (part: Partial<Said>): Said => ({ ...NOTHING_SAID, ...part });

it.each([
  ['nothing', {}, {}],
  ['a tier and a status', { tiers: { Owl: 'pro' }, statuses: { Frozen: 'skip' } }, undefined],
  ['another column of a field', { columns: { Mail: 'email' } }, { columns: { Mail: 'email', Buyer: 'email' } }],
  ['a column in place of another', { columns: { Mail: 'email', Buyer: IGNORED } }, undefined],
  ['one column of two', { columns: { Variant: IGNORED } }, undefined],
  [
    'a third column of a field',
    { columns: { Mail: 'tier' } },
    { columns: { Product: 'tier', Variant: 'tier', Mail: 'tier' } },
  ],
])('%s is said', (_, part: Partial<Said>, request: object = part) => {
  expect(previewOf({ columns: [...COLUMNS] }, said(part))).toEqual(request);
});

it('is nothing until something is said', () => {
  expect(isNothing(NOTHING_SAID)).toBe(true);
  expect(isNothing(said({ tiers: { '*': 'pro' } }))).toBe(false);
});

it('a column holds what was said, or else what the service reads', () => {
  expect(heldBy(COLUMNS[0], said({ columns: { Product: IGNORED } }))).toBe(IGNORED);
  expect(heldBy(COLUMNS[0], NOTHING_SAID)).toBe('tier');
  expect(heldBy(COLUMNS[2], NOTHING_SAID)).toBe(IGNORED);
});
