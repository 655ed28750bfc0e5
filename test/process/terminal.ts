import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MADE = ['data', 'try', '.env', '.git', 'pierhead.json'];
const DONE = 'PIERHEAD-DONE';

/** A shell that a person types into. */
export class Terminal {
  private readonly shell: ChildProcess;
  private readonly closed: Promise<unknown>;
  private isClosed = false;
  private printed = '';

  constructor(
    private readonly folder: string,
    env: Readonly<Record<string, string>>,
  ) {
    const { PATH, HOME, TMPDIR } = process.env;
    const inherited = { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
    this.shell = spawn('bash', [], { cwd: folder, env: { ...inherited, ...env }, detached: true });
    const hear = (bytes: Buffer): void => {
      this.printed += bytes.toString().replaceAll('\r', '');
      this.shell.emit('printed');
    };
    this.shell.stdout?.on('data', hear);
    this.shell.stderr?.on('data', hear);
    this.closed = once(this.shell, 'close').then(() => (this.isClosed = true));
  }

  /**
   * Types commands, and waits until they have ended, or have printed what is awaited.
   * @returns what they printed
   * @throws Error with what they printed when one of them fails
   */
  async run(commands: string, awaited: RegExp | null): Promise<string> {
    const from = this.printed.length;
    this.shell.stdin?.write(`set -e\n${commands}\nset +e\necho ${DONE}\n`);
    const isOver = (text: string): boolean => (awaited === null ? text.includes(DONE) : awaited.test(text));
    for (;;) {
      const text = this.printed.slice(from);
      if (isOver(text)) return text.replace(`${DONE}\n`, '');
      if (this.isClosed) throw new Error(`These commands failed:\n${commands}\n${text}`);
      await Promise.race([once(this.shell, 'printed'), this.closed]);
    }
  }

  /** Presses Ctrl-C, and leaves. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.shell.stdin?.end();
    process.kill(-(this.shell.pid ?? 0), 'SIGINT');
    await this.closed;
  }

  static checkSyntax(commands: string): void {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: commands, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }
}

/** A folder that is as a clone after `npm ci`, without what is made in one. */
export function linkClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-clone-'));
  for (const name of readdirSync(ROOT).filter((each) => !MADE.includes(each)))
    symlinkSync(join(ROOT, name), join(folder, name));
  return folder;
}

/** Replaces ports that a document names by free ones. */
export async function freePorts(names: readonly string[]): Promise<(text: string) => string> {
  const ports = new Map(await Promise.all(names.map(async (name) => [name, await freePort()] as const)));
  return (text) => text.replaceAll(/\b\d{4}\b/g, (name) => ports.get(name) ?? name);
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}
