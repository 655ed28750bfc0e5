import { once } from 'node:events';
import { createRequire } from 'node:module';
import { stripVTControlCharacters } from 'node:util';
import type * as Pty from '@lydell/node-pty';
import { PROGRAM, type Shell } from './shell.js';

const PATIENCE_MS = 30_000;
const KEYS = {
  enter: '\r',
  space: ' ',
  up: '\u001B[A',
  down: '\u001B[B',
  interrupt: '\u0003',
  backspace: '\u007F',
  escape: '\u001B',
};
export type Key = keyof typeof KEYS;

const { spawn } = createRequire(import.meta.url)('@lydell/node-pty') as typeof Pty;

/** A command in a terminal, with a person before it who reads and types. */
export class PseudoTerminal {
  private heard = '';
  private readFrom = 0;
  private exitCode: number | undefined;
  private readonly news = new EventTarget();

  private constructor(private readonly pty: Pty.IPty) {
    const tell = (): void => void this.news.dispatchEvent(new Event('news'));
    pty.onData((piece) => {
      this.heard += piece;
      tell();
    });
    pty.onExit(({ exitCode }) => {
      this.exitCode = exitCode;
      tell();
    });
  }

  /** Runs a command in the folder of a shell. */
  static run(
    shell: Pick<Shell, 'folder' | 'surroundings'>,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    cols = 200,
  ): PseudoTerminal {
    return new PseudoTerminal(
      spawn(process.execPath, [PROGRAM, ...args], {
        cwd: shell.folder,
        env: { ...shell.surroundings, TERM: 'xterm-256color', NO_COLOR: '1', BROWSER: '/bin/true', ...env },
        cols,
        rows: 60,
      }),
    );
  }

  /** All that was printed, without control characters. */
  get said(): string {
    return stripVTControlCharacters(this.heard);
  }

  /** Waits until something is printed that was not read yet, and returns it. */
  async reads(pattern: RegExp): Promise<RegExpExecArray> {
    return this.until(() => {
      const found = pattern.exec(this.said.slice(this.readFrom));
      if (found === null && this.exitCode !== undefined) throw new Error(`It never said ${pattern}: ${this.said}`);
      if (found !== null) this.readFrom += found.index + found[0].length;
      return found;
    }, String(pattern));
  }

  /** All that was printed, with control characters. */
  get wrote(): string {
    return this.heard;
  }

  resize(cols: number, rows: number): void {
    this.pty.resize(cols, rows);
  }

  /** Types text, key by key. */
  types(text: string): this {
    for (const key of text) this.pty.write(key);
    return this;
  }

  press(...keys: readonly Key[]): this {
    for (const key of keys) this.pty.write(KEYS[key]);
    return this;
  }

  /** Waits for a question, and answers it with a line. */
  async answers(question: RegExp, line = ''): Promise<this> {
    await this.reads(question);
    return this.types(line).press('enter');
  }

  /** The exit code. */
  async ends(): Promise<number> {
    return this.until(() => this.exitCode ?? null, 'its end');
  }

  private async until<Found>(look: () => Found | null, what: string): Promise<Found> {
    const late = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const found = look();
      if (found !== null) return found;
      try {
        await once(this.news, 'news', { signal: late });
      } catch {
        this.pty.kill();
        throw new Error(`Waited in vain for ${what}. It said: ${this.said}`);
      }
    }
  }
}
