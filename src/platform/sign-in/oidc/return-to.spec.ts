import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { safeReturnTo } from './return-to.js';

const ORIGIN = 'https://pierhead.example';

describe('the page after a sign-in', () => {
  it.each(['/', '/extensions', '/extensions?status=live#top', '/a//b', '/%2F%2Fevil.example'])(
    'is %s if asked',
    (path) => {
      expect(safeReturnTo(path)).toBe(path);
    },
  );

  it.each([
    undefined,
    '',
    'extensions',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/a\\..\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' /extensions',
    'javascript:alert(1)',
    '/ü',
    `/${'a'.repeat(1000)}`,
  ])('is the start page instead of %j', (wanted) => {
    expect(safeReturnTo(wanted)).toBe('/');
  });

  it('is never at another host, whatever is asked for', () => {
    const part = fc.oneof(
      fc.constantFrom('/', '\\', '//', '\t', '\n', '@', ':', '.', 'https:', 'evil.example'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        expect(new URL(safeReturnTo(parts.join('')), ORIGIN).origin).toBe(ORIGIN);
      }),
    );
  });
});
