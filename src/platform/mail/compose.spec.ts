import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { ANY_CHARACTER } from '../../../test/support/any-character.js';
import { composeMail, nameInMail } from './compose.js';

describe('a composed mail', () => {
  it('says the same in text and in HTML', () => {
    const { subject, text, html } = composeMail(
      'Your code',
      [
        'Thank you for buying Night Owl.',
        { copy: 'AAAAA-BBBBB' },
        { steps: ['Open Night Owl.', 'Paste the code.'] },
        { button: 'https://owl.example/?a=1&b=2', label: 'Your licenses' },
        { link: 'https://owl.example/news', label: 'News' },
      ],
      'because you bought Night Owl',
    );
    expect(subject).toBe('Your code');
    expect(text).toBe(
      'Thank you for buying Night Owl.\n\n    AAAAA-BBBBB\n\n1. Open Night Owl.\n2. Paste the code.\n\nYour licenses:\nhttps://owl.example/?a=1&b=2\n\nNews:\nhttps://owl.example/news\n\n-- \nPierhead sends this mail because you bought Night Owl.\n',
    );
    expect(html).toMatch(/<p [^>]*>Thank you for buying Night Owl\.<\/p>/);
    expect(html).toMatch(/<p [^>]*>AAAAA-BBBBB<\/p>/);
    expect(html).toMatch(/<ol [^>]*><li [^>]*>Open Night Owl\.<\/li><li [^>]*>Paste the code\.<\/li><\/ol>/);
    expect(html).toMatch(/<a class="button" href="https:\/\/owl\.example\/\?a=1&amp;b=2" [^>]*>Your licenses<\/a>/);
    expect(html).toMatch(/<a class="link" href="https:\/\/owl\.example\/news" [^>]*>News<\/a>/);
    expect(html).toContain('Pierhead sends this mail because you bought Night Owl.');
  });

  it('comes from its sender, to whom answers go where there is an address', () => {
    const sender = (href: string) => ({
      name: 'Owl\r\nBcc: all@example.com\u202e',
      support: { href, label: 'help@owl.example' },
      accent: null,
    });
    const mail = composeMail('', [], 'because you bought it', sender('mailto:help@owl.example'));
    expect(mail).toMatchObject({ fromName: 'Owl Bcc: all@example.com', replyTo: 'help@owl.example' });
    expect(mail.text).toBe(
      '\n\n-- \nOwl Bcc: all@example.com sends this mail because you bought it.\nQuestions? Ask Owl Bcc: all@example.com:\nhelp@owl.example\n',
    );
    expect(composeMail('', [], 'why', sender('https://owl.example'))).not.toHaveProperty('replyTo');
    expect(Object.keys(composeMail('', [], 'why'))).toEqual(['subject', 'text', 'html']);
  });

  it('loads nothing, follows the colour scheme, and previews its first paragraph without the code after it', () => {
    const { html } = composeMail('Your code', ['Thank you.', { copy: 'AAAAA' }], 'why');
    expect(html).not.toMatch(/src=|url\(|@import|<link|<img/);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    const [, preview = ''] = /<div aria-hidden="true"[^>]*>([^]*?)<\/div>/.exec(html) ?? [];
    expect(preview).toMatch(/^Thank you\.(&#847;&zwnj;&nbsp;){100}$/);
  });

  it('shows as text whatever stands in it, and keeps its subject on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (words) => {
        const composed = (said: string) =>
          composeMail(
            said,
            [said, { copy: said }, { steps: [said] }, { button: said, label: said }, { link: said, label: said }],
            said,
            { name: said, support: { href: said, label: said }, accent: null },
          );
        const quiet = composed('').html;
        const { subject, html } = composed(words);
        const tags = (page: string): string => (page.match(/<(?!br>)[^>]*>/g) ?? []).join('');
        expect(tags(html.replaceAll(/href="[^"]*"/g, 'href=""'))).toBe(tags(quiet));
        expect(subject).not.toMatch(/[\r\n\u2028\u2029\0]/);
      }),
    );
    expect(composeMail('Hello\r\nBcc: all@example.com', [], 'why').subject).toBe('Hello Bcc: all@example.com');
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
    expect(composeMail('x'.repeat(1000), [], 'why').subject).toHaveLength(150);
  });
});
