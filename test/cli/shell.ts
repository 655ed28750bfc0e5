import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../clients/cli/src/program.js';
import type { Tenant } from '../support/given.js';

/** The built program. */
export const PROGRAM = fileURLToPath(new URL('../../clients/cli/bin/pierhead.js', import.meta.url));

const VERSION = (
  JSON.parse(readFileSync(new URL('../../clients/cli/package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  }
).version;

/** An output that is no terminal. */
class Heard extends Writable {
  text = '';

  override _write(piece: Buffer, _encoding: string, written: () => void): void {
    this.text += piece.toString();
    written();
  }
}

/** How a command ended, and what it said. */
export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Said>;
  /** Resolves when either output has said something. @throws Error with all that was said when the command ends before */
  says(pattern: RegExp): Promise<void>;
}

interface Surroundings {
  /** What is typed or piped into it. */
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A folder below that of the shell. */
  readonly cwd?: string;
}

/** A shell in an empty folder, with a home of its own, in which the program is run as a user would. */
export class Shell {
  /** All that any command printed. */
  said = '';

  private constructor(
    readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async open(env: Readonly<Record<string, string>> = {}): Promise<Shell> {
    return new Shell(await mkdtemp(join(tmpdir(), 'pierhead-shell-')), env);
  }

  /** A shell in which a tenant's token is set. */
  static for({ token }: Pick<Tenant, 'token'>, url: string): Promise<Shell> {
    return Shell.open({ PIERHEAD_URL: url, PIERHEAD_TOKEN: token });
  }

  /** The environment of its commands. */
  get surroundings(): Record<string, string | undefined> {
    return { PATH: process.env['PATH'], XDG_CONFIG_HOME: join(this.folder, 'home'), ...this.env };
  }

  get userFile(): string {
    return join(this.folder, 'home', 'pierhead', 'config.json');
  }

  /** Writes a file below the folder. @returns its path */
  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8');
  }

  start(args: readonly string[], { stdin = '', env = {}, cwd = '' }: Surroundings = {}): Running {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: join(this.folder, cwd),
      env: { ...this.surroundings, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.on('error', () => undefined).end(stdin);
    let heard = '';
    const outputs = new EventEmitter();
    for (const output of [child.stdout, child.stderr])
      output.setEncoding('utf8').on('data', (piece: string) => {
        heard += piece;
        outputs.emit('data', piece);
      });
    const ended = this.endOf(child);
    return {
      child,
      ended,
      says: async (pattern) => {
        while (!pattern.test(heard)) {
          const news = await Promise.race([once(outputs, 'data'), ended]);
          if (!Array.isArray(news) && !pattern.test(heard)) throw new Error(`It never said ${pattern}: ${heard}`);
        }
      },
    };
  }

  /** Runs a command to its end, in this process. What only a process has, such as signals, wants `start`. */
  async run(args: readonly string[], { stdin = '', env = {}, cwd = '' }: Surroundings = {}): Promise<Said> {
    const [stdout, stderr] = [new Heard(), new Heard()];
    const code = await runProgram(args, {
      env: { ...this.surroundings, ...env },
      cwd: join(this.folder, cwd),
      streams: { stdin: Object.assign(Readable.from([Buffer.from(stdin)]), { isTTY: false }), stdout, stderr },
      signal: new AbortController().signal,
      version: VERSION,
      fullVersion: VERSION,
    });
    this.said += stdout.text + stderr.text;
    return { code, stdout: stdout.text, stderr: stderr.text };
  }

  /** The result of a command that ends well, as JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it expects
  async json(args: readonly string[], surroundings?: Surroundings): Promise<any> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], surroundings);
    if (code !== 0) throw new Error(`pierhead ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  private async endOf(child: ChildProcess): Promise<Said> {
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('The process has no output');
    const [[code], out, errors] = await Promise.all([
      once(child, 'exit') as Promise<[number | null]>,
      text(stdout),
      text(stderr),
    ]);
    this.said += out + errors;
    return { code, stdout: out, stderr: errors };
  }
}
