import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { LiveLines } from './lines.js';
import type { Style } from './style.js';
import { truncated, widthOf } from './width.js';

const plain: Style = (_format, text) => text;
const lineOf = (text: string) => ({ text, plain: text });

/** A terminal that breaks the lines that are too wide for it, and joins them again, as most do. */
class Screen extends EventEmitter {
  readonly lines: string[] = [];
  private cursor = 0;

  constructor(
    public columns: number,
    public rows = 24,
  ) {
    super();
  }

  resize(columns: number): void {
    this.columns = columns;
    this.emit('resize');
  }

  write(text: string): boolean {
    const [, up = '0', erase, printed = ''] =
      /^(?:ESC\[(\d+)A\r)?(ESC\[J)?([^]*)$/.exec(text.replaceAll('\u001B', 'ESC')) ?? [];
    let left = Number(up);
    while (left > 0) left -= Math.max(Math.ceil(widthOf(this.lines[--this.cursor] ?? '') / this.columns), 1);
    // Within a line, the rest of it would stay.
    expect(left).toBe(0);
    if (erase !== undefined) this.lines.length = this.cursor;
    this.lines.push(...printed.split('\n').slice(0, -1));
    this.cursor = this.lines.length;
    return true;
  }
}

describe('lines that are redrawn', () => {
  it('stand below what was printed, each once, however the terminal is resized', () => {
    const columns = fc.integer({ min: 5, max: 60 });
    const step = fc.oneof(
      fc.record({ show: fc.array(fc.string({ unit: 'grapheme', maxLength: 80 }), { maxLength: 5 }) }),
      fc.record({ resize: columns }),
      fc.record({ note: fc.string({ unit: 'grapheme-ascii', maxLength: 20 }) }),
    );
    fc.assert(
      fc.property(columns, fc.array(step, { maxLength: 12 }), (width, steps) => {
        const screen = new Screen(width);
        const lines = new LiveLines(screen, plain);
        const notes: string[] = [];
        let shown: readonly string[] = [];
        for (const each of steps) {
          if ('show' in each) {
            shown = each.show.map(oneLine);
            lines.show(shown.map(lineOf));
          } else if ('resize' in each) screen.resize(each.resize);
          else {
            notes.push(each.note);
            lines.around(() => screen.write(`${each.note}\n`));
          }
          expect(screen.lines).toEqual([...notes, ...shown.map((line) => truncated(line, screen.columns - 1))]);
        }
        lines.clear();
        expect(screen.lines).toEqual(notes);
        expect(screen.listenerCount('resize')).toBe(0);
      }),
    );
  });

  it('are as many as there is room for', () => {
    const screen = new Screen(40, 4);
    new LiveLines(screen, plain).show(['a', 'b', 'c', 'd', 'e'].map(lineOf));
    expect(screen.lines).toEqual(['a', 'b', '  and 3 more']);
  });

  it('leave the cursor and the modes of the terminal alone', () => {
    let written = '';
    const stream = { columns: 0, write: (text: string) => ((written += text), true) };
    const lines = new LiveLines(stream, plain);
    lines.show([lineOf('x'.repeat(200))]);
    lines.clear();
    expect(written).toBe(`\u001B[J${'x'.repeat(78)}…\n\u001B[1A\r\u001B[J`);
  });
});

const oneLine = (text: string): string => text.replaceAll(/\p{Cc}/gu, '');
