import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import type { TestStore } from '../reconcile/test-stores.js';
import { newcomerAt, STACK, type Newcomer } from './newcomer.js';

/** A question, and the line that answers it. Only an open question has this mark. */
type Question = readonly [asks: RegExp, line: string];

/** A command that asks. */
interface Walk {
  readonly args: readonly string[];
  readonly questions: readonly Question[];
  /** What it says in the end; it does not come so far without. */
  readonly done?: RegExp;
}

type Values = Readonly<Record<string, string>>;
const valuesOf = async (testStore: Promise<TestStore>): Promise<Values> => {
  const { credentials, settings } = await testStore;
  return { ...credentials, ...settings };
};
/** A key that is saved already is offered. */
const KNOWN_KEY: Question = [/◆ +Which key/, ''];

/** Commands with all the questions that they ask. */
const WALKS: Readonly<Record<string, (me: Newcomer) => Promise<Walk>>> = {
  init: async ({ testStore }) => {
    const { publisherId = '', storeItemId = '' } = await valuesOf(testStore('chrome'));
    return {
      args: ['init'],
      questions: [
        [/◆ +Where does it go.*\s+◻ Chrome/, ' '],
        [/◆ +Which kind of key do you have/, ''],
        [/◆ +Key file/, 'Downloads/chrome.key'],
        [/◆ +Publisher id/, publisherId],
        [/◆ +Item id/, storeItemId],
        [/◆ +Add a GitHub workflow/, ''],
        KNOWN_KEY,
        [/◆ +Where does it go.*\s+◼ Chrome/, ''],
      ],
      done: /Connected to Chrome\./,
    };
  },
  'connect chrome, in a project that init has not seen': async ({ testStore }) => {
    const { publisherId = '', storeItemId = '' } = await valuesOf(testStore('chrome'));
    return {
      args: ['connect', 'chrome'],
      questions: [
        [/◆ +Which kind of key do you have/, ''],
        [/◆ +Key file/, 'Downloads/chrome.key'],
        [/◆ +Publisher id/, publisherId],
        [/◆ +Item id/, storeItemId],
        KNOWN_KEY,
      ],
      done: /Chrome is connected\./,
    };
  },
  'connect firefox': async ({ testStore }) => {
    const { issuer = '', secret = '' } = await valuesOf(testStore('firefox'));
    return {
      args: ['connect', 'firefox'],
      questions: [[/◆ +JWT issuer/, issuer], [/◆ +JWT secret/, secret], [/◆ +Add-on id/, ''], KNOWN_KEY],
      done: /Firefox is connected\./,
    };
  },
  'connect firefox, with a wrong secret': async ({ testStore }) => {
    const { issuer = '' } = await valuesOf(testStore('firefox'));
    return {
      args: ['connect', 'firefox'],
      questions: [
        [/◆ +JWT issuer/, issuer],
        [/◆ +JWT secret/, 'a wrong secret'],
        [/◆ +Try again/, 'n'],
      ],
    };
  },
  'connect edge': async ({ testStore }) => {
    const { clientId = '', apiKey = '', storeItemId = '', crxId = '' } = await valuesOf(testStore('edge'));
    return {
      args: ['connect', 'edge'],
      questions: [
        [/◆ +Client id/, clientId],
        [/◆ +API key/, apiKey],
        [/◆ +Product id/, storeItemId],
        [/◆ +CRX id/, crxId],
        KNOWN_KEY,
      ],
      done: /Edge is connected\./,
    };
  },
  'connect safari': async ({ testStore }) => {
    const { issuerId = '', keyId = '', storeItemId = '' } = await valuesOf(testStore('safari'));
    return {
      args: ['connect', 'safari'],
      questions: [
        [/◆ +Which kind of key do you have/, ''],
        [/◆ +Key file/, `Downloads/AuthKey_${keyId}.p8`],
        [/◆ +Issuer id/, issuerId],
        [/◆ +App id/, storeItemId],
        KNOWN_KEY,
      ],
      done: /Safari is connected\./,
    };
  },
  migrate: async ({ testStore, shell }) => {
    const { publisherId = '', storeItemId } = await valuesOf(testStore('chrome'));
    await shell.write(
      '.env.submit',
      `CHROME_EXTENSION_ID=${storeItemId}\nCHROME_CLIENT_ID=id\nCHROME_CLIENT_SECRET=secret\nCHROME_REFRESH_TOKEN=token\n`,
    );
    return { args: ['migrate'], questions: [[/◆ +Your publisher id/, publisherId]] };
  },
};

describe('Ctrl-C at each question', () => {
  let world: World;
  let me: Newcomer;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    me = await newcomerAt(world);
    const { serviceAccount } = (await me.testStore('chrome')).credentials as { readonly serviceAccount: object };
    const { keyId, privateKey = '' } = await valuesOf(me.testStore('safari'));
    await me.shell.write('Downloads/chrome.key', JSON.stringify(serviceAccount));
    await me.shell.write(`Downloads/AuthKey_${keyId}.p8`, privateKey);
    await me.shell.write('.git/config', '[remote "origin"]\n\turl = git@github.com:acme/night-owl.git\n');
  });
  afterEach(() => me.shell.close());

  const count = async (path: string): Promise<number> => (await me.shell.json(['api', 'GET', path])).items.length;

  /** The ends of the keys and secrets of every store, and what the user logs in by. */
  const secrets = async (): Promise<readonly string[]> => {
    const testStores = await Promise.all((['chrome', 'firefox', 'edge', 'safari'] as const).map(me.testStore));
    const values = JSON.stringify(testStores.map(({ credentials }) => credentials));
    const found = [...values.matchAll(/"(?:secret|apiKey|privateKey|private_key)":"([^"]{30,})"/g)].map(
      ([, secret = '']) => secret.replaceAll(/-----[^-]+-----|\\n/g, '').slice(-24),
    );
    expect(found).toHaveLength(4);
    const { services } = JSON.parse(await me.shell.read('home/pierhead/config.json'));
    return [...found, services[world.url].session, me.password];
  };
  /** The arguments of every process. */
  const commandLines = async (): Promise<string> => {
    const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    // A process may have ended meanwhile.
    const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
    return lines.join('\n');
  };
  /** What is in all files but the user's own and those that the person downloaded. */
  const files = async (): Promise<string> => {
    const entries = await readdir(me.shell.folder, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const others = paths.filter((path) => path !== me.shell.userFile && !path.includes('/Downloads/'));
    return (await Promise.all(others.map((path) => readFile(path, 'utf8')))).join('\n');
  };

  /** Answers until the end, or until a question, at which Ctrl-C is pressed. @returns what was said, and whether that was asked */
  const answered = async ({ args, questions, done }: Walk, leavesAt: RegExp | null) => {
    const terminal = me.run(...args);
    const patterns = [...questions.map(([asks]) => asks), ...(done === undefined ? [] : [done]), /\n✗ /];
    for (;;) {
      const [said] = await terminal.reads(new RegExp(patterns.map(({ source }) => source).join('|')));
      const [asks, line = ''] = questions.find(([pattern]) => pattern.test(said)) ?? [];
      // A failure that is told before it is asked on.
      if (asks === undefined && said === '\n✗ ' && leavesAt !== null) continue;
      if (asks === undefined) break;
      if (asks === leavesAt) {
        const shown = await commandLines();
        expect(shown).toContain('pierhead.js');
        for (const secret of await secrets()) expect(shown).not.toContain(secret);
        terminal.press('interrupt');
        break;
      }
      terminal.types(line).press('enter');
    }
    const code = await terminal.ends();
    expect(terminal.said).not.toMatch(STACK);
    return { code, said: terminal.said };
  };

  it.each(Object.keys(WALKS))('leaves nothing half-made: %s', async (name) => {
    if (name !== 'init') await world.given.extension(me, 'Night Owl');
    const walk = await WALKS[name]?.(me);
    if (walk === undefined) throw new Error(`There is no walk ${name}`);
    const said: string[] = [];
    const stops = walk.questions.filter((question) => question !== KNOWN_KEY && !/◼/.test(question[0].source));
    for (const [asks] of stops) {
      const left = await answered(walk, asks);
      const goesOn = name === 'migrate' ? '' : `\\s+Nothing is lost\\. Continue with: pierhead ${walk.args.join(' ')}`;
      expect(left).toMatchObject({ code: 130, said: expect.stringMatching(`Interrupted\\.${goesOn}`) });
      said.push(left.said);
    }
    if (walk.done === undefined) expect(await count('/credentials')).toBe(0);
    else {
      const whole = await answered(walk, null);
      expect(whole).toMatchObject({ code: 0, said: expect.stringMatching(walk.done) });
      said.push(whole.said);
      expect(await count('/credentials')).toBe(1);
    }
    expect(await count('/extensions')).toBe(1);
    expect((await stat(me.shell.userFile)).mode & 0o777).toBe(0o600);
    const texts = [...said, await files()].join('\n');
    for (const secret of await secrets()) expect(texts).not.toContain(secret);
  });
});
