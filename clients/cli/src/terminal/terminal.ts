import type { styleText } from 'node:util';
import type { WriteStream } from 'node:tty';
import type { Failure } from '../failure.js';
import { formatted, printable, printableJson } from './printable.js';
import { LiveLines, PlainLines, type Lines } from './lines.js';
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
  readonly stdout: Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
  readonly stderr: Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;
}

type Env = Readonly<Record<string, string | undefined>>;
type Format = Parameters<typeof styleText>[0];
/** Styles of text in a stream. */
export interface Style {
  /** Formats text, or returns it as it is where colors are off. */
  (format: Format, text: string): string;
  /** The columns of the terminal; absent where there is none, and nothing is cut. */
  readonly width?: number;
}

/** https://no-color.org and https://force-color.org; a dumb terminal shows codes as letters. */
export function usesColor(env: Env, isTerminal: boolean): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  if ((env['FORCE_COLOR'] ?? '') !== '') return env['FORCE_COLOR'] !== '0';
  return isTerminal && env['TERM'] !== 'dumb';
}

const USUAL_COLUMNS = 80;

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '' && value !== 'false';

function styleFor({ isTTY = false, columns = 0 }: Streams['stdout'], env: Env, mayColor = true): Style {
  const isColored = mayColor && usesColor(env, isTTY);
  const style = (format: Format, text: string): string => (isColored ? formatted(format, text) : text);
  // Some terminals say that they have no columns.
  return isTTY ? Object.assign(style, { width: columns > 0 ? columns : USUAL_COLUMNS }) : style;
}

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
    env: Env,
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
    this.data(value, () => folded(render(value), this.style.width));
  }

  /** The same with no line broken, for text that is copied or read by a program, such as CSV. */
  data<T>(value: T, render: (value: T) => string): void {
    const text = this.json ? printableJson(JSON.stringify(value, null, 2)) : printable(render(value));
    if (text !== '') this.print('stdout', text);
  }

  /** Prints one object of a stream as a line of JSON, or as the text that `render` makes of it. */
  item<T>(value: T, render: (value: T) => string): void {
    const text = this.json ? printableJson(JSON.stringify(value)) : printable(folded(render(value), this.style.width));
    this.print('stdout', text);
  }

  /** Tells a person what happens. Silent with `--quiet`. */
  note(text: string): void {
    if (!this.isQuiet) this.tell(text);
  }

  /** Tells a person what to do next, also with `--quiet`. */
  tell(text: string): void {
    this.print('stderr', printable(folded(text, this.noteStyle.width)));
  }

  /** Tells a person what will hurt, also with `--quiet`. */
  warn(text: string): void {
    this.tell(`${this.noteStyle('yellow', '⚠')} ${text}`);
  }

  /** Says why a command failed, and what to do next. */
  fail(failure: Failure): void {
    const { message, errors, hint, requestId } = failure;
    const lines = [
      `${this.noteStyle('red', '✗')} ${message}`,
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
    this.live = new LiveLines(this.streams.stderr);
    return this.live;
  }

  private print(stream: 'stdout' | 'stderr', text: string): void {
    const write = (): void => void this.streams[stream].write(`${text}\n`);
    if (this.live === undefined) write();
    else this.live.around(write);
  }
}
