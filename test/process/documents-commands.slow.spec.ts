import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Person, type Answers } from './person.js';
import { freePorts, linkClone, Terminal } from './terminal.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Commands that need another machine, or a clone of their own: only their syntax is checked. */
const NOT_HERE = ['On your server', 'In your project', 'A new folder'];
/** Where the commands of a fence without a title run. */
const SHELL = 'Terminal 3';
const MINUTES_MS = 300_000;
const STORES = ['chrome', 'edge', 'firefox', 'safari'];
const PASSWORD = 'correct horse battery staple';
const USER_FILE = '.config/pierhead/config.json';

/** Commands of a document, and what the document says they print. */
interface Step {
  readonly terminal: string;
  readonly commands: string;
  readonly prints: string | null;
}

const textOf = (document: string): string => readFileSync(join(ROOT, document), 'utf8');

const stepsOf = (text: string): readonly Step[] =>
  [...text.matchAll(/^```(\w*)(?: title="(.+?)")?\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language, terminal = SHELL, commands = ''], index, fences) => {
      const [, nextLanguage, , prints = ''] = fences[index + 1] ?? [];
      return language === 'sh' ? [{ terminal, commands, prints: nextLanguage === 'text' ? prints : null }] : [];
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
  return [
    [/◆ +\S+ allows sign-up/, ['enter']],
    [/◆ +E-mail address/, ['me@example.com', 'enter']],
    [/◆ +Name of the team/, ['enter']],
    [/◆ +(?:Password|The same password again)/, [PASSWORD, 'enter']],
    [/◆ +Where does it go/, [' ', 'enter']],
    [/◆ +Which kind of key do you have/, ['enter']],
    [/◆ +Key file/, [`try/keys/${store}.json`, 'enter']],
    [/◆ +CRX id/, [crxId, 'enter']],
    // The manifest says what Firefox calls it.
    [/◆ +[^\n]+, or the URL of the item/, [...(store === 'firefox' ? [] : [item]), 'enter']],
  ];
}

/** Types the commands of a text, and holds what they print against what it says. @param run types commands, and waits for their end or what is awaited */
async function follow(
  text: string,
  atFreePorts: (text: string) => string,
  run: (terminal: string, commands: string, awaited: RegExp | null) => Promise<string>,
): Promise<void> {
  for (const { terminal, commands, prints } of stepsOf(text)) {
    if (NOT_HERE.includes(terminal)) {
      Terminal.checkSyntax(commands);
      continue;
    }
    const pattern = prints === null ? null : patternOf(atFreePorts(prints));
    const printed = await run(terminal, atFreePorts(commands), pattern);
    if (pattern !== null) expect(printed).toMatch(pattern);
  }
}

/** The files of a folder, without links, in which a secret of the walk stands: the stores' keys, the password, or the log-in. */
function filesWithSecrets(folder: string): readonly string[] {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const keys = STORES.map((store) => read(`try/keys/${store}.json`)).join('\n');
  const secrets = [...keys.matchAll(/"(?:secret|apiKey|privateKey|private_key)": "([^"]{30,})"/g)].map(
    ([, value = '']) => value.replaceAll(/-----[^-]+-----|\\n/g, '').slice(-24),
  );
  expect(secrets).toHaveLength(STORES.length);
  const { services } = JSON.parse(read(USER_FILE)) as { services: Record<string, { session: string }> };
  secrets.push(PASSWORD, ...Object.values(services).map(({ session }) => session));
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => secrets.some((secret) => readFileSync(path).includes(secret)))
    .map((path) => relative(folder, path));
}

/** A clone, and the terminals that a reader of the example of the HTTP API opens in it. */
class ApiReader {
  private readonly terminals = new Map<string, Terminal>();

  private constructor(
    private readonly folder: string,
    private readonly atFreePorts: (text: string) => string,
  ) {}

  static open = async (): Promise<ApiReader> => new ApiReader(linkClone(), await freePorts(['3000', '4100']));

  follow(document: string): Promise<void> {
    return follow(textOf(document), this.atFreePorts, async (name, commands, awaited) =>
      (await this.terminalFor(name)).run(commands, name === SHELL ? null : awaited),
    );
  }

  async close(): Promise<void> {
    for (const terminal of [...this.terminals.values()].toReversed()) await terminal.close();
    rmSync(this.folder, { recursive: true });
  }

  /** A terminal that is as yet unused, or one in which Ctrl-C was pressed. */
  private async terminalFor(name: string): Promise<Terminal> {
    const open = this.terminals.get(name);
    if (open !== undefined && name === SHELL) return open;
    await open?.close();
    const terminal = new Terminal(this.folder, { PORT: this.atFreePorts('3000') });
    this.terminals.set(name, terminal);
    return terminal;
  }
}

let reader: ApiReader;
/** Its commands are followed while the others wait for stores. */
let read: Promise<void>;
beforeAll(async () => {
  reader = await ApiReader.open();
  read = reader.follow('examples/http-api.md');
  // A failure is that of its own test.
  read.catch(() => undefined);
});
afterAll(() => reader.close());

describe('the commands in Publish', () => {
  const linesOf = ({ commands }: Step): string[] => commands.trim().split('\n');
  const typedIn = (text: string): readonly Step[] =>
    stepsOf(text).filter(({ terminal }) => terminal !== 'A new folder');
  const [onSandbox = '', afterwards = ''] = textOf('docs/publish.md').split('\n## Go to the real stores\n');
  const [start, ...others] = typedIn(onSandbox);
  let folder: string;
  let atFreePorts: (text: string) => string;
  let stores: Terminal;
  beforeAll(async () => {
    folder = linkClone();
    atFreePorts = await freePorts(['3000', '4100']);
    stores = new Terminal(folder, { PORT: atFreePorts('3000'), SANDBOX_PORT: atFreePorts('4100') });
  });
  afterAll(async () => {
    await stores.close();
    rmSync(folder, { recursive: true });
  });

  /** What a step prints while a person types its commands and answers their questions. */
  async function typed(person: Person, step: Step, shown: string): Promise<string> {
    let printed = '';
    for (const command of linesOf(step)) printed += await person.run(atFreePorts(command), newcomer(shown, command));
    return printed;
  }

  it(
    'take a newcomer from a clone to four stores, by at most ten in two terminals, as those in the README do',
    async () => {
      let all = await stores.run(start?.commands ?? '', patternOf(atFreePorts(start?.prints ?? '')));
      const person = new Person(folder);
      try {
        for (const step of others) {
          const printed = await typed(person, step, all);
          expect(printed).toMatch(patternOf(atFreePorts(step.prints ?? '')));
          all += printed;
        }
      } finally {
        person.close();
      }
      // The sandbox keeps its own side of the keys for the next run.
      const theirs = [USER_FILE, ...STORES.map((store) => `try/keys/${store}.json`), 'try/sandbox.json'];
      expect(filesWithSecrets(folder).filter((file) => !theirs.includes(file))).toEqual([]);
      const readme = typedIn(textOf('README.md'));
      const commands = [start, ...others].flatMap((step) => (step === undefined ? [] : linesOf(step)));
      expect(readme.flatMap(linesOf)).toEqual(commands);
      expect(all).toMatch(patternOf(atFreePorts(readme.map(({ prints }) => prints ?? '').join('…'))));
      expect(['git clone', 'npm ci', ...commands]).toHaveLength(10);
      expect([start, ...others].map((step) => step?.terminal)).toEqual([
        'Terminal 1',
        ...others.map(() => 'Terminal 2'),
      ]);
    },
    MINUTES_MS,
  );

  it(
    'lead on to those of the guides',
    async () => {
      const shell = new Terminal(folder, { HOME: folder });
      try {
        // The test before shows that npx finds the program, and npm takes longer to start than the program itself.
        await shell.run('npx() { node_modules/.bin/"$@"; }', null);
        const guides = ['sell', 'licensing', 'analytics', 'ci', 'people', 'run', 'operating', 'security'];
        expect(stepsOf(afterwards)).not.toEqual([]);
        for (const text of [afterwards, ...guides.map((guide) => textOf(`docs/${guide}.md`))])
          await follow(text, atFreePorts, (_, commands) => shell.run(commands, null));
      } finally {
        await shell.close();
      }
    },
    MINUTES_MS,
  );
});

describe('the commands in the example of the HTTP API', () => {
  it('print what the document says', () => read, MINUTES_MS);
});
