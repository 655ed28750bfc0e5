import type { Key } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { EXIT, Failure, usageFailure } from '../failure.js';
import { printable } from './printable.js';
import type { Terminal } from './terminal.js';

/** One of the answers to a question. */
export interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
}

interface TextOptions {
  readonly placeholder?: string;
  /** Answer of Enter alone; shown with the question, and replaced by anything that is typed. */
  readonly suggestion?: string;
  /** Enter alone is an answer, too: the empty text. */
  readonly isOptional?: boolean;
  /** Describes the fault of an answer, which is then asked for again. */
  readonly validate?: (answer: string) => string | undefined;
}

/** Long enough for what the terminal holds already, and too short to be noticed. */
const DRAIN_MS = 20;
const CTRL_C = '\u0003';

interface Common {
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  readonly withGuide: false;
}

/** Asks a person, on standard error. Nobody is asked in CI, without a terminal, or with `--no-input`. */
export class Ask {
  /** @param signal ends an open question */
  constructor(
    private readonly terminal: Terminal,
    private readonly signal: AbortSignal,
  ) {}

  /** @param instead the option that gives the answer where nobody can be asked @throws Failure where nobody can */
  async text(
    message: string,
    instead: string,
    { isOptional = false, validate, suggestion, ...options }: TextOptions = {},
  ): Promise<string> {
    const answered = (given: string | undefined): string => given?.trim() || (suggestion ?? '');
    const fault = (given: string | undefined): string | undefined => {
      const value = answered(given);
      if (value === '') return isOptional ? undefined : 'Required.';
      return validate?.(value);
    };
    const shown = suggestion === undefined ? message : `${message} (Enter for ${suggestion})`;
    const answer = await this.ask<string | undefined>(message, instead, (clack, common) =>
      clack.text({ message: printable(shown), defaultValue: suggestion, ...options, ...common, validate: fault }),
    );
    return answered(answer);
  }

  /** Like `text`, without showing what is typed. */
  secret(message: string, instead: string): Promise<string> {
    return this.ask<string>(message, instead, (clack, common) =>
      clack.password({ message: printable(message), ...common, validate: notEmpty }),
    );
  }

  /** A yes or no. Where nobody can be asked, `instead` gives the yes. */
  confirm(message: string, instead: string, initialValue = false): Promise<boolean> {
    return this.ask<boolean>(message, instead, (clack, common) =>
      clack.confirm({ message: printable(message), initialValue, ...common }),
    );
  }

  /** One of several answers, the first unless the person moves on. */
  async choose<Value>(message: string, instead: string, choices: readonly Choice<Value>[]): Promise<Value> {
    const at = await this.ask<number>(message, instead, (clack, common) =>
      clack.select({
        message: printable(message),
        options: choices.map(({ label }, value) => ({ value, label: printable(label) })),
        ...common,
      }),
    );
    return choices[at]?.value as Value;
  }

  /** Any number of several answers. */
  chooseSeveral<Value extends string>(
    message: string,
    instead: string,
    choices: readonly Choice<Value>[],
    chosen: readonly Value[],
  ): Promise<readonly Value[]> {
    return this.ask<readonly string[]>(message, instead, (clack, common) =>
      clack.multiselect<string>({
        message: `${printable(message)} (space to select, enter to continue)`,
        options: choices.map(({ value, label }) => ({ value, label: printable(label) })),
        initialValues: [...chosen],
        required: false,
        ...common,
      }),
    ) as Promise<readonly Value[]>;
  }

  /** Signal that ends one question: that of the process, to which each prompt would otherwise listen for good, or Ctrl-D. */
  private endOfQuestion(): { readonly signal: AbortSignal; readonly release: () => void } {
    const question = new AbortController();
    const end = (): void => question.abort();
    const onKey = (_text: string | undefined, key: Key | undefined): void => {
      if (key?.ctrl === true && key.name === 'd') end();
    };
    this.signal.addEventListener('abort', end, { once: true });
    process.stdin.on('keypress', onKey);
    if (this.signal.aborted) end();
    return {
      signal: question.signal,
      release: () => {
        this.signal.removeEventListener('abort', end);
        process.stdin.off('keypress', onKey);
      },
    };
  }

  private async ask<Answer>(
    message: string,
    instead: string,
    prompt: (clack: typeof import('@clack/prompts'), common: Common) => Promise<Answer | symbol>,
  ): Promise<Answer> {
    if (!this.terminal.isInteractive)
      throw usageFailure(`${message.replace(/[?:]$/, '')}: cannot ask without a terminal.`, `Use ${instead}.`);
    const clack = await import('@clack/prompts');
    if (await isInterruptedWhileDraining()) throw interrupted();
    const { signal, release } = this.endOfQuestion();
    try {
      const answer = await prompt(clack, { output: process.stderr, signal, withGuide: false });
      if (clack.isCancel(answer)) throw interrupted();
      return answer as Answer;
    } finally {
      release();
    }
  }
}

const interrupted = (): Failure => new Failure('Interrupted.', { exitCode: EXIT.interrupted });

/** Forgets what was typed before there was a question, which would answer it unread. @returns whether Ctrl-C was among it */
async function isInterruptedWhileDraining(): Promise<boolean> {
  const { stdin } = process;
  if (!stdin.isTTY) return false;
  let typed = '';
  const forget = (piece: Buffer | string): void => void (typed += piece.toString());
  const wasRaw = stdin.isRaw;
  stdin.on('data', forget).setRawMode(true).resume();
  await pause(DRAIN_MS);
  stdin.off('data', forget).setRawMode(wasRaw).pause();
  return typed.includes(CTRL_C);
}

const notEmpty = (value: string | undefined): string | undefined => (value?.trim() ? undefined : 'Required.');
