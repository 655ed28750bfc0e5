import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Person, type Answers } from './person.js';
import { freePorts, linkClone, Terminal } from './terminal.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Commands that need another machine, or a clone of their own: only their syntax is checked. */
const NOT_HERE = ['On your server', 'A new folder'];
/** Where the commands of a fence without a title run. */
const SHELL = 'Terminal 3';
const MINUTES_MS = 300_000;

/** Commands of a document, and what the document says they print. */
interface Step {
  readonly terminal: string;
  readonly commands: string;
  readonly prints: string | null;
}

const stepsOf = (document: string): readonly Step[] =>
  [...readFileSync(join(ROOT, document), 'utf8').matchAll(/^```(\w*)(?: title="(.+?)")?\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language, terminal = SHELL, text = ''], index, fences) => {
      const [, nextLanguage, , prints = ''] = fences[index + 1] ?? [];
      return language === 'sh' ? [{ terminal, commands: text, prints: nextLanguage === 'text' ? prints : null }] : [];
    },
  );

/** What a document prints as text matches: `…` stands for anything. */
const patternOf = (prints: string): RegExp =>
  new RegExp(
    prints
      .trimEnd()
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join(String.raw`[\s\S]*?`),
  );

/** What a newcomer answers, with the keys and items that the first terminal shows. */
function newcomer(shown: string, command: string): Answers {
  const store = /connect (\w+)/.exec(command)?.[1] ?? 'chrome';
  const [, item = '', crxId = ''] = new RegExp(`${store}\\.json +([^\\s,]+)(?:, CRX id (\\w+))?`).exec(shown) ?? [];
  const password = 'correct horse battery staple';
  return [
    [/◆ +\S+ takes sign-ups/, ['enter']],
    [/◆ +E-mail address/, ['me@example.com', 'enter']],
    [/◆ +Name of the team/, ['enter']],
    [/◆ +(?:Password|The same password again)/, [password, 'enter']],
    [/◆ +Where does it go/, [' ', 'enter']],
    [/◆ +What do you have/, ['enter']],
    [/◆ +Key file/, [`try/keys/${store}.json`, 'enter']],
    [/◆ +CRX id/, [crxId, 'enter']],
    // The manifest says what Firefox calls it.
    [/◆ +[^\n]+, or the URL of the item/, [...(store === 'firefox' ? [] : [item]), 'enter']],
  ];
}

describe.each(['README.md', 'docs/getting-started.md'])('the commands in %s', (document) => {
  it(
    'take a newcomer from a clone to four stores, by at most ten in two terminals',
    async () => {
      const folder = linkClone();
      const atFreePorts = await freePorts(['3000', '4100']);
      const ports = { PORT: atFreePorts('3000'), SANDBOX_PORT: atFreePorts('4100') };
      const [first, ...others] = stepsOf(document).filter(({ terminal }) => terminal !== 'A new folder');
      const stores = new Terminal(folder, ports);
      const person = new Person(folder);
      let typed = 'git clone, npm ci, npm run try'.split(', ').length;
      try {
        const shown = await stores.run(first?.commands ?? '', patternOf(atFreePorts(first?.prints ?? '')));
        for (const { terminal, commands, prints } of others) {
          expect(terminal).toBe('Terminal 2');
          let printed = '';
          for (const command of atFreePorts(commands).trim().split('\n')) {
            printed += await person.run(command, newcomer(shown, command));
            typed += 1;
          }
          expect(printed).toMatch(patternOf(atFreePorts(prints ?? '')));
        }
        expect([first?.terminal, typed]).toEqual(['Terminal 1', 10]);
      } finally {
        person.close();
        await stores.close();
        rmSync(folder, { recursive: true });
      }
    },
    MINUTES_MS,
  );
});

describe.each([
  [
    'the guides, one after the other,',
    ['api', 'publishing', 'licensing', 'payments', 'analytics', 'ci', 'people', 'operating', 'security'].map(
      (name) => `docs/${name}.md`,
    ),
  ],
])('the commands in %s', (_, documents) => {
  const terminals = new Map<string, Terminal>();
  let folder: string;
  let atFreePorts: (text: string) => string;

  beforeAll(async () => {
    folder = linkClone();
    atFreePorts = await freePorts(['3000', '4100', '4200']);
  });
  afterAll(async () => {
    for (const terminal of [...terminals.values()].toReversed()) await terminal.close();
    rmSync(folder, { recursive: true });
  });

  /** A terminal that is as yet unused, or one in which Ctrl-C was pressed. */
  const terminalFor = async (name: string): Promise<Terminal> => {
    const open = terminals.get(name);
    if (open !== undefined && name === SHELL) return open;
    await open?.close();
    const terminal = new Terminal(folder, { PORT: atFreePorts('3000') });
    terminals.set(name, terminal);
    return terminal;
  };

  it.each(documents)(
    'of %s print what it says',
    async (document) => {
      for (const { terminal: name, commands, prints } of stepsOf(document)) {
        if (NOT_HERE.includes(name)) {
          Terminal.checkSyntax(commands);
          continue;
        }
        const terminal = await terminalFor(name);
        const pattern = prints === null ? null : patternOf(atFreePorts(prints));
        const printed = await terminal.run(atFreePorts(commands), name === SHELL ? null : pattern);
        if (pattern !== null) expect(printed).toMatch(pattern);
      }
    },
    MINUTES_MS,
  );
});
