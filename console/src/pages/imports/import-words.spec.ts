import { expect, it } from 'vitest';
import { nameOf, sayingOf, type FileImport } from './import-words';

const file = (part: Partial<FileImport>): FileImport =>
  ({ missing: [], created: 1, existing: 0, skipped: 0, faults: 0, ...part }) as FileImport;

it.each([
  [{ state: 'unread', missing: ['email', 'tier'] }, 'what holds the e-mail address and tier or product.'],
  [{ state: 'ready' }, 'Nothing is made until you start.'],
  [{ state: 'ready', faults: 1 }, '1 line cannot be imported.'],
  [{ state: 'ready', faults: 1_200 }, '1,200 lines cannot be imported.'],
  [{ state: 'ready', created: 0, existing: 4 }, 'Every license exists already.'],
  [{ state: 'ready', created: 0, existing: 4, faults: 1 }, 'No line can become a license.'],
  [{ state: 'ready', created: 0 }, 'No line can become a license.'],
  [{ state: 'done' }, 'Every line was imported.'],
  [{ state: 'done', skipped: 1 }, 'Every line that is a new license was imported.'],
  [{ state: 'done', existing: 1 }, 'Every line that is a new license was imported.'],
  [{ state: 'done', faults: 2 }, 'nothing is imported twice'],
] as [Partial<FileImport>, string][])('of %j says what is next', (part, words) => {
  expect(sayingOf(file(part))).toContain(words);
});

it.each([
  [null, 1, 'A file, 1 line'],
  ['lemonsqueezy', 100_000, 'Lemon Squeezy, 100,000 lines'],
] as const)('an import of %s with %d lines is named %j', (profile, lines, name) => {
  expect(nameOf({ profile, lines })).toBe(name);
});
