import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkClone } from './terminal.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/try.mjs', import.meta.url));
/** It may build what has changed first. */
const MAY_BUILD_FIRST_MS = 300_000;
const STORES = ['chrome', 'firefox', 'edge', 'safari'];

/** `npm run try` in a folder. */
class Trial {
  private constructor(
    private readonly child: ChildProcess,
    private readonly errors: Promise<string>,
    /** All that it printed before it waited. */
    readonly printed: string,
  ) {}

  /** Comes back when it says what is next. */
  static async begin(folder: string, ...flags: readonly string[]): Promise<Trial> {
    const { PATH } = process.env;
    const env = { PATH, TMPDIR: folder, PORT: '0', SANDBOX_PORT: '0' };
    const child = spawn(process.execPath, [SCRIPT, ...flags], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const errors = text(child.stderr);
    let printed = '';
    for await (const line of createInterface({ input: child.stdout })) {
      printed += `${line}\n`;
      if (line.startsWith('Next, ')) return new Trial(child, errors, printed);
    }
    throw new Error(`It ended: ${printed}${await errors}`);
  }

  get urls(): readonly string[] {
    return [...this.printed.matchAll(/http:\/\/127\.0\.0\.1:\d+/g)].map(([url]) => url);
  }

  /** Ends it as a crash of the machine does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  /** Presses Ctrl-C. @returns the exit code */
  async end(): Promise<number> {
    this.child.kill('SIGINT');
    const [code] = (await once(this.child, 'exit')) as [number];
    expect((await this.errors).replaceAll(/Building .+…\n[\s\S]*/g, '')).toBe('');
    return code;
  }
}

describe('npm run try', () => {
  let folder: string;
  beforeEach(() => {
    folder = linkClone();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const keyOf = (store: string): Promise<string> => readFile(join(folder, `try/keys/${store}.json`), 'utf8');

  it(
    'runs Pierhead on stores whose keys are in files, remembers what is live there, and begins anew when told to',
    async () => {
      const first = await Trial.begin(folder);
      const [service = '', sandbox = ''] = first.urls;
      expect(await (await fetch(`${service}/api/v1/auth/methods`)).json()).toMatchObject({ signup: true });
      for (const store of STORES) {
        expect(first.printed).toContain(`try/keys/${store}.json`);
        expect((await stat(join(folder, `try/keys/${store}.json`))).mode & 0o777).toBe(0o600);
      }
      expect((await stat(join(folder, 'try'))).mode & 0o777).toBe(0o700);
      const keys = await Promise.all(STORES.map(keyOf));
      for (const secret of keys.flatMap((key) => key.match(/(?<=": ")[^"]{40,}/g) ?? []))
        expect(first.printed).not.toContain(secret);
      const [, item = ''] = /chrome\.json +([a-p]{32})/.exec(first.printed) ?? [];
      const body = JSON.stringify({ published: '1.2.3' });
      await fetch(`${sandbox}/__sim/chrome/items/${item}`, { method: 'PATCH', body });
      expect(await first.end()).toBe(0);
      for (const url of first.urls) await expect(fetch(url)).rejects.toThrow('fetch failed');

      const second = await Trial.begin(folder);
      expect(await Promise.all(STORES.map(keyOf))).toEqual(keys);
      const again = await fetch(`${second.urls[1]}/__sim/chrome/items/${item}`);
      expect(await again.json()).toMatchObject({
        published: { package: { version: '1.2.3' } },
        approveAfterSeconds: 5,
      });
      expect(await second.end()).toBe(0);

      await expect(Trial.begin(folder, 'nowhere', '--fresh')).rejects.toThrow(/: There is no \S+nowhere\.\n$/);
      expect(await keyOf('chrome')).toBe(keys[0]);
      const anew = await Trial.begin(folder, '--fresh');
      expect(await keyOf('chrome')).not.toBe(keys[0]);
      expect(await anew.end()).toBe(0);
    },
    MAY_BUILD_FIRST_MS,
  );

  it(
    'has items of an extension of one’s own beside those of the example, and remembers them when it is killed',
    async () => {
      const own = join(folder, 'own');
      await mkdir(join(own, 'dist/_locales/en'), { recursive: true });
      const gecko = { id: 'words@my.example' };
      const manifest = { manifest_version: 3, name: '__MSG_name__', version: '1.0.0', default_locale: 'en' };
      const write = (name: string, content: object): Promise<void> =>
        writeFile(join(own, 'dist', name), JSON.stringify(content));
      await write('manifest.json', { ...manifest, browser_specific_settings: { gecko } });
      await write('_locales/en/messages.json', { name: { message: 'Words & <Counts>' } });

      const first = await Trial.begin(folder, 'own');
      expect(first.printed).toMatch(/firefox\.json +words@my\.example\n/);
      const pageOf = async ({ urls }: Trial): Promise<string> => (await fetch(urls[1] ?? '')).text();
      const before = await pageOf(first);
      expect(before).toContain('<h3>Words &#38; &#60;Counts&#62;</h3>');
      await first.kill();

      const second = await Trial.begin(folder);
      expect(second.printed).toMatch(/firefox\.json +tab-counter@pierhead\.example\n/);
      const itemsOn = (page: string): readonly string[] => page.match(/(?<=<td>)[^<]{10,}(?=<)/g) ?? [];
      const after = await pageOf(second);
      expect(itemsOn(after)).toHaveLength(2 * STORES.length);
      expect(itemsOn(after)).toEqual(expect.arrayContaining([...itemsOn(before)]));
      expect(await second.end()).toBe(0);
    },
    MAY_BUILD_FIRST_MS,
  );
});
