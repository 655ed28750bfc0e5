import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** The two passwords that were typed differ. */
export class PasswordsDiffer extends Error {
  override readonly name = 'PasswordsDiffer';
}

/** The operator pressed Ctrl-C or Ctrl-D instead of typing a password. */
export class PromptCanceled extends Error {
  override readonly name = 'PromptCanceled';
}

/** Reads a password from standard input: on a terminal typed twice and not echoed, otherwise all input without its last line break. */
export async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const typed = await ask('New password: ');
  if ((await ask('Once more: ')) !== typed) throw new PasswordsDiffer('The two passwords differ.');
  return typed;
}

async function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once('close', () => reject(new PromptCanceled('No password was typed.')));
      terminal.question('', resolve);
    });
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
