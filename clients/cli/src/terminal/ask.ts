import { EXIT, Failure, usageFailure } from '../failure.js';
import type { Terminal } from './terminal.js';

/** Asks a person, on standard error. Nobody is asked in CI, without a terminal, or with `--no-input`. */
export class Ask {
  /** @param signal ends an open question */
  constructor(
    private readonly terminal: Terminal,
    private readonly signal: AbortSignal,
  ) {}

  /** @param instead the option that gives the answer where nobody can be asked @throws Failure where nobody can */
  text(message: string, instead: string, options: { readonly placeholder?: string } = {}): Promise<string> {
    return this.ask<string>(message, instead, (clack, common) =>
      clack.text({ message, ...options, ...common, validate: notEmpty }),
    );
  }

  /** Like `text`, without showing what is typed. */
  secret(message: string, instead: string): Promise<string> {
    return this.ask<string>(message, instead, (clack, common) =>
      clack.password({ message, ...common, validate: notEmpty }),
    );
  }

  /** A yes or no. Where nobody can be asked, `instead` gives the yes. */
  confirm(message: string, instead: string): Promise<boolean> {
    return this.ask<boolean>(message, instead, (clack, common) =>
      clack.confirm({ message, initialValue: false, ...common }),
    );
  }

  private async ask<Answer>(
    message: string,
    instead: string,
    prompt: (
      clack: typeof import('@clack/prompts'),
      common: { readonly output: NodeJS.WriteStream; readonly signal: AbortSignal; readonly withGuide: false },
    ) => Promise<Answer | symbol>,
  ): Promise<Answer> {
    if (!this.terminal.isInteractive) throw usageFailure(`${message}: there is nobody to ask.`, `Use ${instead}.`);
    const clack = await import('@clack/prompts');
    const answer = await prompt(clack, { output: process.stderr, signal: this.signal, withGuide: false });
    if (clack.isCancel(answer)) throw new Failure('Interrupted.', { exitCode: EXIT.interrupted });
    return answer as Answer;
  }
}

const notEmpty = (value: string | undefined): string | undefined =>
  value?.trim() ? undefined : 'An answer is needed.';
