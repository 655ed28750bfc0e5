import { once } from 'node:events';
import { createRequire } from 'node:module';
import { stripVTControlCharacters } from 'node:util';
import type * as Pty from '@lydell/node-pty';

const { spawn } = createRequire(import.meta.url)('@lydell/node-pty') as typeof Pty;
/** As the shell prints it: split in what is typed, so that the echo is not mistaken for it. */
const ENDED = /PIERHEAD-ENDED (\d+)/;
const PATIENCE_MS = 180_000;

/** What a person types when a question shows; `enter` is the key. */
export type Answers = readonly (readonly [question: RegExp, typed: readonly string[]])[];

/** A person at a shell in a terminal, who types commands and answers what they ask. */
export class Person {
  private heard = '';
  private readonly news = new EventTarget();
  private readonly pty: Pty.IPty;

  constructor(folder: string) {
    const { PATH = '' } = process.env;
    const quiet = { NO_COLOR: '1', PS1: '', npm_config_update_notifier: 'false', npm_config_progress: 'false' };
    const env = { PATH, HOME: folder, TERM: 'xterm-256color', ...quiet };
    this.pty = spawn('bash', ['--norc', '--noprofile'], { cwd: folder, env, cols: 250, rows: 60 });
    this.pty.onData((piece) => {
      this.heard += piece;
      this.news.dispatchEvent(new Event('news'));
    });
  }

  /**
   * Types a command, answers its questions, and waits for its end.
   * @returns what it printed @throws Error with that when the command fails, or waits in vain
   */
  async run(command: string, answers: Answers): Promise<string> {
    const from = this.heard.length;
    let readUpTo = 0;
    this.pty.write(`${command}; echo PIERHEAD-"ENDED" $?\r`);
    const late = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const said = stripVTControlCharacters(this.heard.slice(from)).replaceAll('\r', '');
      const [whole, code] = ENDED.exec(said) ?? [];
      if (whole !== undefined && code === '0') return said.slice(said.indexOf('\n') + 1, said.indexOf(whole));
      if (whole !== undefined) throw new Error(`This command ended with ${code}:\n${said}`);
      const asked = answers
        .map(([question, typed]) => ({ found: question.exec(said.slice(readUpTo)), typed }))
        .find(({ found }) => found !== null);
      if (asked?.found) {
        readUpTo += asked.found.index + asked.found[0].length;
        for (const key of asked.typed.flatMap((text) => (text === 'enter' ? ['\r'] : [...text]))) this.pty.write(key);
        continue;
      }
      await once(this.news, 'news', { signal: late }).catch(() => {
        throw new Error(`This command waited in vain:\n${said}`);
      });
    }
  }

  close(): void {
    this.pty.kill();
  }
}
