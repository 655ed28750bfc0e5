import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const FIREFOX = '/usr/bin/firefox-esr';

/** The member in which WebDriver names an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const UUID = '3f1c7c0e-6c1e-4f0e-9b52-0d6a2f1b7e11';
const PREFERENCES = {
  'marionette.port': 0,
  // What Firefox asks Mozilla for by itself ends here; addresses of this machine need no proxy.
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
};

type Reply = readonly [
  type: number,
  id: number,
  error: { readonly message: string } | null,
  result: { readonly value?: unknown } | readonly unknown[] | null,
];

interface Manifest {
  readonly browser_specific_settings: { readonly gecko: { readonly id: string } };
}

/** What a test does to a page, named as in Playwright. An element is waited for, and is found by CSS or XPath. */
export interface Found {
  waitFor(): Promise<void>;
  fill(text: string): Promise<void>;
  click(): Promise<void>;
}
export interface Driven {
  goto(url: string): Promise<unknown>;
  url(): string | Promise<string>;
  locator(selector: string): Found;
  reload(): Promise<unknown>;
}

/** Debian's Firefox with an extension that nobody signed, driven by Marionette: Playwright drives only builds of its own. */
export class Firefox implements Driven {
  private readonly waiting: ((reply: Reply) => void)[] = [];
  private heard = Buffer.alloc(0);
  private asked = 0;

  private constructor(
    private readonly process: ChildProcess,
    private readonly socket: Socket,
  ) {
    socket.on('data', (bytes) => this.hear(bytes));
  }

  /** Opens a page of the extension in a folder. Its manifest must name its id. */
  static async open(extension: string, page: string, profile: string): Promise<Firefox> {
    await mkdir(profile);
    const manifest = JSON.parse(await readFile(join(extension, 'manifest.json'), 'utf8')) as Manifest;
    const { id } = manifest.browser_specific_settings.gecko;
    const all = { ...PREFERENCES, 'extensions.webextensions.uuids': JSON.stringify({ [id]: UUID }) };
    const lines = Object.entries(all).map((entry) => `user_pref(${JSON.stringify(entry).slice(1, -1)});\n`);
    await writeFile(join(profile, 'user.js'), lines.join(''));
    // Marionette opens pages of extensions only with access to the system.
    const args = ['--headless', '--no-remote', '--marionette', '--remote-allow-system-access', '--profile', profile];
    const process = spawn(FIREFOX, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const port = await new Promise<number>((resolve, reject) => {
      process.once('error', reject).once('exit', (code) => reject(new Error(`Firefox ended with ${code}`)));
      createInterface({ input: process.stdout }).on('line', (line) => {
        const [, found] = /Marionette\tINFO\tListening on port (\d+)/.exec(line) ?? [];
        if (found !== undefined) resolve(Number(found));
      });
    });
    const firefox = new Firefox(process, connect(port, '127.0.0.1'));
    await new Promise<unknown>((greeted) => firefox.waiting.push(greeted));
    try {
      await firefox.call('WebDriver:NewSession');
      await firefox.call('WebDriver:SetTimeouts', { implicit: 20_000 });
      await firefox.call('Addon:Install', { path: extension, temporary: true });
      await firefox.call('WebDriver:Navigate', { url: `moz-extension://${UUID}/${page}` });
      return firefox;
    } catch (error) {
      await firefox.close();
      throw error;
    }
  }

  locator(selector: string): Found {
    const using = selector.startsWith('//') ? 'xpath' : 'css selector';
    const find = (): Promise<unknown> => this.call('WebDriver:FindElement', { using, value: selector });
    const act = async (command: string, rest = {}): Promise<void> => {
      const { [ELEMENT]: id } = (await find()) as Record<string, string>;
      await this.call(`WebDriver:Element${command}`, { id, ...rest });
    };
    return {
      waitFor: async () => void (await find()),
      fill: async (text) => {
        await act('Clear');
        await act('SendKeys', { text });
      },
      click: () => act('Click'),
    };
  }

  goto(url: string): Promise<unknown> {
    return this.call('WebDriver:Navigate', { url });
  }

  async url(): Promise<string> {
    return String(await this.call('WebDriver:GetCurrentURL'));
  }

  reload(): Promise<unknown> {
    return this.call('WebDriver:Refresh');
  }

  /** Works in the tab that was opened last, closes it, and comes back. */
  async inNewTab(work: (page: Driven) => Promise<void>): Promise<void> {
    const own = await this.call('WebDriver:GetWindowHandle');
    const others = async (): Promise<readonly unknown[]> =>
      ((await this.call('WebDriver:GetWindowHandles')) as readonly unknown[]).filter((one) => one !== own);
    let [opened] = await others();
    while (opened === undefined) [opened] = await others();
    await this.call('WebDriver:SwitchToWindow', { handle: opened });
    await work(this);
    await this.call('WebDriver:CloseWindow');
    await this.call('WebDriver:SwitchToWindow', { handle: own });
  }

  async close(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill();
    await ended;
  }

  private async call(name: string, parameters = {}): Promise<unknown> {
    const replied = new Promise<Reply>((resolve) => this.waiting.push(resolve));
    const text = JSON.stringify([0, (this.asked += 1), name, parameters]);
    this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [, , error, result] = await replied;
    if (error !== null) throw new Error(`${name}: ${error.message}`);
    // A list comes as it is.
    return result !== null && 'value' in result ? result.value : result;
  }

  /** Takes whole messages, each after its length and a colon. */
  private hear(bytes: Buffer): void {
    this.heard = Buffer.concat([this.heard, bytes]);
    for (;;) {
      const colon = this.heard.indexOf(':');
      const end = colon + 1 + Number(this.heard.toString('latin1', 0, colon));
      if (colon < 0 || this.heard.length < end) return;
      this.waiting.shift()?.(JSON.parse(this.heard.toString('utf8', colon + 1, end)) as Reply);
      this.heard = this.heard.subarray(end);
    }
  }
}
