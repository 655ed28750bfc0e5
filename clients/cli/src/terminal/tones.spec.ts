import { describe, expect, it } from 'vitest';
import { inAscii } from './printable.js';
import type { Style } from './style.js';
import { marked, stated, type Tone } from './tones.js';

const tagged: Style = (format, text) => `<${String(format)}>${text}</>`;

describe('a state', () => {
  it.each<[Tone, string]>([
    ['live', '<green>● live</>'],
    ['underway', '<blue>◔ live</>'],
    ['needs_you', '<yellow>! live</>'],
    ['rejected', '<red>✗ live</>'],
    ['off', '<dim>– live</>'],
  ])('that is %s has a glyph, a color and a word', (tone, text) => expect(stated(tagged, tone, 'live')).toBe(text));

  it('of a check is a mark before its sentence', () => {
    expect(marked(tagged, 'warning', 'It is late.')).toBe('<yellow>⚠</> It is late.');
    expect(marked(tagged, 'ok')).toBe('<green>✓</>');
  });

  it('is told apart without color, also in ASCII', () => {
    const plain: Style = (_format, text) => text;
    const tones = ['live', 'underway', 'needs_you', 'rejected', 'off'] as const;
    const glyphs = tones.map((tone) => inAscii(stated(plain, tone, '')));
    expect(glyphs.join('')).toMatch(/^[\x20-\x7E]+$/);
    expect(new Set(glyphs).size).toBe(tones.length);
  });
});
