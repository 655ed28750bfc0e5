import type { Failure } from '../failure.js';
import { LiveLines, PlainLines, type Lines } from './lines.js';
import { printableJson } from './printable.js';
import { isSet, shown, styleFor, type Output, type Style } from './style.js';
import { marked } from './tones.js';
import { folded } from './width.js';

/** Output of a command: its result on standard output, everything else on standard error. */
export interface OutputOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** False for `--no-input`. */
  readonly input?: boolean;
}

/** Streams of the terminal. */
export interface Streams {
  readonly stdin: { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
}

const prose = (text: string, style: Style): string => shown(folded(text, style.width), style);

/** The terminal of one command. */
export class Terminal {
  /** The result is JSON. */
  readonly json: boolean;
  /** A person can be asked. */
  readonly isInteractive: boolean;
  /** Lines can be redrawn in place. */
  readonly isLive: boolean;
  /** For what goes to standard output. */
  readonly style: Style;
  /** For what goes to standard error. */
  readonly noteStyle: Style;
  private readonly isQuiet: boolean;
  /** The lines that are redrawn now. */
  private live: LiveLines | undefined;

  constructor(
    private readonly streams: Streams,
    env: Readonly<Record<string, string | undefined>>,
    options: OutputOptions = {},
  ) {
    const isTerminal = streams.stderr.isTTY === true && env['TERM'] !== 'dumb';
    this.json = options.json === true;
    this.isQuiet = options.quiet === true;
    this.isInteractive = streams.stdin.isTTY === true && isTerminal && !isSet(env['CI']) && options.input !== false;
    this.isLive = isTerminal && !isSet(env['CI']);
    this.style = styleFor(streams.stdout, env, !this.json);
    this.noteStyle = styleFor(streams.stderr, env);
  }

  /** Prints the result: as JSON when that was asked for, otherwise as the text that `render` makes of it, whose long lines are broken. */
  result<T>(value: T, render: (value: T) => string): void {
    this.printResult(value, () => prose(render(value), this.style));
  }

  /** The same with no line broken, for text that is copied or read by a program, such as CSV. */
  data<T>(value: T, render: (value: T) => string): void {
    this.printResult(value, () => shown(render(value), this.style));
  }

  /** Prints one object of a stream as a line of JSON, or as the text that `render` makes of it. */
  item<T>(value: T, render: (value: T) => string): void {
    this.print('stdout', this.json ? printableJson(JSON.stringify(value)) : prose(render(value), this.style));
  }

  /** Tells a person what happens. Silent with `--quiet`. */
  note(text: string): void {
    if (!this.isQuiet) this.tell(text);
  }

  /** Tells a person what to do next, also with `--quiet`. */
  tell(text: string): void {
    this.print('stderr', prose(text, this.noteStyle));
  }

  /** Tells a person what will hurt, also with `--quiet`. */
  warn(text: string): void {
    this.tell(marked(this.noteStyle, 'warning', text));
  }

  /** Says why a command failed, and what to do next. */
  fail(failure: Failure): void {
    const { message, errors, hint, requestId } = failure;
    const lines = [
      marked(this.noteStyle, 'failed', message),
      // The message often has the faults in it.
      ...errors
        .map(({ field, message: fault }) => (field === '' ? fault : `${field}: ${fault}`))
        .filter((fault) => !message.includes(fault))
        .map((fault) => `  ${fault}`),
      ...(hint === undefined ? [] : [`  ${hint}`]),
      ...(requestId === undefined ? [] : [this.noteStyle('dim', `  request ${requestId}`)]),
    ];
    this.tell(lines.join('\n'));
  }

  /** Lines on standard error that change: redrawn in a terminal, otherwise one plain line for each change. */
  lines(): Lines {
    if (this.isQuiet) return new PlainLines(() => undefined);
    if (!this.isLive) return new PlainLines((line) => this.tell(line));
    this.live = new LiveLines(this.streams.stderr, this.noteStyle);
    return this.live;
  }

  private printResult(value: unknown, render: () => string): void {
    const text = this.json ? printableJson(JSON.stringify(value, null, 2)) : render();
    if (text !== '') this.print('stdout', text);
  }

  private print(stream: 'stdout' | 'stderr', text: string): void {
    const write = (): void => void this.streams[stream].write(`${text}\n`);
    if (this.live === undefined) write();
    else this.live.around(write);
  }
}
