import type { Context } from '../context.js';
import { Failure } from '../failure.js';

/** An action to confirm, and the name of its subject. */
interface Confirmation {
  /** Consequence, in a sentence. */
  readonly what: string;
  readonly name: string;
  /** Kind of the name, for the question. */
  readonly called: string;
}

/** Asks for the name of the thing before something that cannot be undone. @throws Failure when another name is typed, or nobody can be asked */
export async function confirmed(
  { ask, terminal }: Pick<Context, 'ask' | 'terminal'>,
  { what, name, called }: Confirmation,
): Promise<void> {
  terminal.note(what);
  const typed = await ask.text(`Type ${called} to continue`, '--yes');
  if (typed.trim().toLowerCase() !== name.toLowerCase()) throw new Failure(`That is not ${name}. Nothing was changed.`);
}
