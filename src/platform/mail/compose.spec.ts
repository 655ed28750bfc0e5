import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ANY_CHARACTER } from '../../../test/support/any-character.js';
import { composeMail, nameInMail } from './compose.js';

describe('a composed mail', () => {
  it('says the same in text and in HTML', () => {
    const { subject, text, html } = composeMail('Your code', [
      'Thank you for buying Night Owl.',
      { copy: 'AAAAA-BBBBB' },
      { link: 'https://owl.example/?a=1&b=2', label: 'Your licenses' },
    ]);
    expect(subject).toBe('Your code');
    expect(text).toBe(
      'Thank you for buying Night Owl.\n\n    AAAAA-BBBBB\n\nYour licenses:\nhttps://owl.example/?a=1&b=2\n',
    );
    expect(html).toContain('<p>Thank you for buying Night Owl.</p>');
    expect(html).toContain('>AAAAA-BBBBB</p>');
    expect(html).toContain('<a href="https://owl.example/?a=1&amp;b=2">Your licenses</a>');
  });

  it('shows as text whatever stands in it, and keeps its subject on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (words) => {
        const quiet = composeMail('', ['', { copy: '' }, { link: '', label: '' }]).html;
        const { subject, html } = composeMail(words, [words, { copy: words }, { link: words, label: words }]);
        const tags = (page: string): string => (page.match(/<(?!br>)[^>]*>/g) ?? []).join('');
        expect(tags(html.replaceAll(/href="[^"]*"/g, 'href=""'))).toBe(tags(quiet));
        expect(subject).not.toMatch(/[\r\n\u2028\u2029\0]/);
      }),
    );
    expect(composeMail('Hello\r\nBcc: all@example.com', []).subject).toBe('Hello Bcc: all@example.com');
  });

  it.each([
    ['Night Owl', 'Night Owl'],
    ['  two\r\n lines\u2028and\u0000more\u0085', 'two lines and more'],
    ['\u202egnp.lwo\u202c \u2066and\u2069\u200b\ufeff', 'gnp.lwo and'],
    ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['x'.repeat(51), `${'x'.repeat(49)}…`],
    [`${'x'.repeat(48)}🦉🦉🦉`, `${'x'.repeat(48)}🦉…`],
  ])('shows a name that a tenant chose, %j, as %j', (name, shown) => {
    expect(nameInMail(name)).toBe(shown);
  });

  it('has a subject of at most 150 characters', () => {
    expect(composeMail('x'.repeat(1000), []).subject).toHaveLength(150);
  });
});
