import { shown, type Output, type Style } from './style.js';
import { truncated } from './width.js';

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

/** Redraws lines in place. */
export class LiveLines implements Lines {
  private height = 0;
  private last: readonly Line[] = [];

  constructor(
    private readonly stream: Output,
    private readonly style: Style,
  ) {}

  show(lines: readonly Line[]): void {
    const width = (this.stream.columns ?? 80) - 1;
    const drawn = lines.map(({ text }) => `${truncated(oneLine(text), width)}\n`).join('');
    this.stream.write(`${this.up()}\u001B[J${shown(drawn, this.style)}`);
    this.height = lines.length;
    this.last = lines;
  }

  /** Prints something else above the lines. */
  around(print: () => void): void {
    const isShown = this.height > 0;
    this.clear();
    print();
    if (isShown) this.show(this.last);
  }

  clear(): void {
    if (this.height > 0) this.stream.write(`${this.up()}\u001B[J`);
    this.height = 0;
  }

  private up(): string {
    return this.height === 0 ? '' : `\u001B[${this.height}A\r`;
  }
}

/** Text of a service or store may have newlines, which would break redrawing. */
const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');
