import { describe, expect, it } from 'vitest';
import { linesOfChanges } from './changes.js';

const NOTHING = {
  permissions: { added: [], removed: [] },
  hosts: { added: [], removed: [] },
  optional: { added: [], removed: [] },
  warnings: [],
  manifest: { changed: 0, items: [] },
  files: { added: 0, removed: 0, changed: 0, items: [] },
};

describe('what changed between two packages', () => {
  it('is nothing', () => {
    expect(linesOfChanges(NOTHING)).toEqual(['The packages have the same files.']);
  });

  it('is told kind by kind, with signs, values and sizes, and what is left out', () => {
    const changes = {
      ...NOTHING,
      permissions: { added: ['tabs'], removed: ['alarms'] },
      hosts: { added: ['https://example.com/*'], removed: [] },
      warnings: ['Read your browsing history'],
      manifest: { changed: 3, items: [{ key: 'version', before: '"1.0"', after: '"1.1"' }] },
      files: {
        added: 1,
        removed: 1,
        changed: 2,
        items: [
          { path: 'a.js', before: 5, after: 5 },
          { path: 'b.js', before: 900, after: 40_000 },
          { path: 'c.js', before: null, after: 0 },
          { path: 'd.js', before: 7, after: null },
        ],
      },
    };
    expect(linesOfChanges(changes)).toEqual([
      'Permissions',
      '  + tabs',
      '  − alarms',
      'Sites',
      '  + https://example.com/*',
      'Chrome asks users',
      '  Read your browsing history',
      'Manifest',
      '  ~ version  "1.0" → "1.1"',
      '  and 2 more',
      'Files',
      '  ~ a.js  5 B, other content',
      '  ~ b.js  900 B → 40 kB',
      '  + c.js  0 B',
      '  − d.js  7 B',
    ]);
  });
});
