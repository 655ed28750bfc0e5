import { shown, type Output, type Style } from './style.js';
import { truncated, widthOf } from './width.js';

/** One line: its text, and what to print when it changes where lines are not redrawn. */
export interface Line {
  readonly text: string;
  /** Printed as a plain line whenever it changes. */
  readonly plain: string;
}

/** Lines that change, one for each thing that happens at the same time. */
export interface Lines {
  show(lines: readonly Line[]): void;
  /** Removes what can be removed. */
  clear(): void;
}

/** Prints a line when it has changed, for logs. */
export class PlainLines implements Lines {
  private readonly printed = new Map<number, string>();

  constructor(private readonly print: (line: string) => void) {}

  show(lines: readonly Line[]): void {
    for (const [at, { plain }] of lines.entries()) {
      if (this.printed.get(at) === plain) continue;
      this.printed.set(at, plain);
      this.print(plain);
    }
  }

  clear(): void {
    this.printed.clear();
  }
}

/** Size of a terminal that does not say it. */
const USUAL = { columns: 80, rows: 24 };

/** Redraws lines in place. The cursor stays visible, so that nothing is to be restored when the process is killed. */
export class LiveLines implements Lines {
  private isShown = false;
  /** Columns of each line that is shown. */
  private widths: readonly number[] = [];
  private last: readonly Line[] = [];
  private readonly redraw = (): void => this.show(this.last);

  constructor(
    private readonly stream: Output,
    private readonly style: Style,
  ) {}

  show(lines: readonly Line[]): void {
    const { columns, rows } = this.size;
    const texts = shortened(
      lines.map(({ text }) => oneLine(text)),
      rows - 1,
    );
    const drawn = texts.map((text) => truncated(text, columns - 1));
    this.stream.write(`${this.up()}\u001B[J${shown(drawn.map((line) => `${line}\n`).join(''), this.style)}`);
    if (!this.isShown) this.stream.on?.('resize', this.redraw);
    this.isShown = true;
    this.widths = drawn.map(widthOf);
    this.last = lines;
  }

  /** Prints something else above the lines. */
  around(print: () => void): void {
    const { isShown } = this;
    this.clear();
    print();
    if (isShown) this.show(this.last);
  }

  clear(): void {
    if (this.widths.length > 0) this.stream.write(`${this.up()}\u001B[J`);
    this.stream.off?.('resize', this.redraw);
    this.isShown = false;
    this.widths = [];
  }

  private get size(): typeof USUAL {
    const { columns = 0, rows = 0 } = this.stream;
    return { columns: columns > 1 ? columns : USUAL.columns, rows: rows > 1 ? rows : USUAL.rows };
  }

  /** To the first line. A terminal that was made narrower has broken those that are now too wide. */
  private up(): string {
    const { columns } = this.size;
    const height = this.widths.reduce((sum, width) => sum + Math.max(Math.ceil(width / columns), 1), 0);
    return height === 0 ? '' : `\u001B[${height}A\r`;
  }
}

/** As many lines as there is room for: one that left the screen could not be redrawn. */
const shortened = (lines: readonly string[], room: number): readonly string[] =>
  lines.length <= room ? lines : [...lines.slice(0, room - 1), `  and ${lines.length - room + 1} more`];

/** Text of a service or store may have newlines, which would break redrawing. */
const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');
