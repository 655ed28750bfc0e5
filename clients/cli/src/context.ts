import { readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import type { JobProof } from './api/job-token.js';
import { isId, Service, type ServiceOptions } from './api/service.js';
import { EXIT, type ExitCode, unreadableFailure, usageFailure } from './failure.js';
import { chooseLogin, chooseLoginOrNone, chooseUrl, type Login } from './settings/login.js';
import type { Project } from './settings/project-file.js';
import { UserFile, userFilePath, type UserSettings } from './settings/user-file.js';
import { Ask } from './terminal/ask.js';
import { Terminal, type Streams } from './terminal/terminal.js';
import { parseDuration } from './terminal/words.js';

const PATIENCE = '30s';

/** A file that an option names, in a sentence. */
export const inputName = (path: string): string => (path === '-' ? 'Standard input' : path);

/** The process that a command runs in. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly streams: Streams & { readonly stdin: NodeJS.ReadableStream };
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  readonly version: string;
  /** The version for people, with the commit that the program was built from where it is known. */
  readonly fullVersion: string;
  /** The caller, if neither the environment nor the user's file names one. */
  readonly bearer?: Login['bearer'];
}

interface GlobalOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly input?: boolean;
}

/** Dependencies of a command. */
export class Context {
  readonly terminal: Terminal;
  readonly ask: Ask;
  readonly userFile: UserFile;

  constructor(
    readonly surroundings: Surroundings,
    options: GlobalOptions,
  ) {
    this.terminal = new Terminal(surroundings.streams, surroundings.env, options);
    this.ask = new Ask(this.terminal, surroundings.signal);
    this.userFile = new UserFile(userFilePath(surroundings.env));
  }

  /** The service, as the user who is logged in. @param extension what a job is for @throws Failure when nobody is */
  async service(extension = ''): Promise<Service> {
    const { env, bearer } = this.surroundings;
    const settings = await this.settings();
    if (bearer !== undefined) return this.serviceAs({ url: chooseUrl(settings, env), bearer });
    const { PIERHEAD_TENANT: tenantId = '', PIERHEAD_TOKEN: token = '' } = env;
    if (tenantId !== '' && token === '') {
      // Another trust rule may be the one for this extension.
      const trusting = { tenantId, ...(isId(extension) ? { extension } : {}) };
      return this.serviceByJob(chooseUrl(settings, env), trusting);
    }
    return this.serviceAs(chooseLogin(settings, env));
  }

  /** The service, as the job of CI that this runs in. @throws Failure when the job has no token of its own */
  private async serviceByJob(url: string, trusting: JobProof['trusting']): Promise<Service> {
    const { exchanging, idTokenIn } = await import('./api/job-token.js');
    const { env, streams } = this.surroundings;
    const options = this.serviceOptions(url);
    const onToken = (token: string): void => {
      if (env['GITHUB_ACTIONS'] === 'true') streams.stderr.write(`::add-mask::${token}\n`);
    };
    const proof = { idToken: idTokenIn(env, url, options), trusting, onToken };
    return this.serviceAs({ url, bearer: exchanging(url, proof, options) });
  }

  /** The service, as the user who is logged in, or else as nobody. */
  async serviceForAnybody(): Promise<Service> {
    return this.serviceAs(chooseLoginOrNone(await this.settings(), this.surroundings.env));
  }

  /** The address of the service that commands talk to. @throws Failure when none is known */
  async url(): Promise<string> {
    return chooseUrl(await this.settings(), this.surroundings.env);
  }

  /** A service, with or without a log-in. @param patienceMs how long to try at most, in milliseconds */
  serviceAs(login: Login, patienceMs = Infinity): Service {
    const options = this.serviceOptions(login.url);
    return new Service(login, { ...options, retryForMs: Math.min(options.retryForMs, patienceMs) });
  }

  private serviceOptions(url: string): ServiceOptions {
    const { fullVersion, signal } = this.surroundings;
    return {
      userAgent: `pierhead-cli/${fullVersion} node/${process.versions.node}`,
      retryForMs: this.retryForMs(),
      signal,
      onTrouble: (why) => this.terminal.note(`Waiting for ${url}: ${why}.`),
    };
  }

  /** The user's own settings; none where the environment says all, and there need be no home. */
  async settings(): Promise<UserSettings> {
    const { PIERHEAD_URL: url = '', PIERHEAD_TOKEN: token = '', PIERHEAD_TENANT: tenant = '' } = this.surroundings.env;
    return url !== '' && `${token}${tenant}` !== '' ? { services: {} } : this.userFile.read();
  }

  /** The settings of pierhead.json, or none: of the project that a path below belongs to, or of the one here. */
  async project(named = '.'): Promise<Project> {
    const { findProject } = await import('./settings/project-file.js');
    const { cwd } = this.surroundings;
    const path = resolve(cwd, named);
    const found = await findProject(path.startsWith(join(cwd, sep)) ? path : cwd);
    return found.path === null ? { ...found, folder: cwd } : found;
  }

  /** The text of a file that an option names, or of standard input for `-`. @throws Failure when it cannot be read, or is not text */
  async text(path: string): Promise<string> {
    const bytes = await this.bytes(path);
    if (bytes.includes(0)) throw usageFailure(`${inputName(path)} contains a NUL character. Save it as UTF-8.`);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw usageFailure(`${inputName(path)} is not valid UTF-8. Save it as UTF-8.`);
    }
  }

  /** The same, byte by byte. @throws Failure when it cannot be read */
  async bytes(path: string): Promise<Buffer> {
    if (path === '-') {
      const { buffer } = await import('node:stream/consumers');
      return buffer(this.surroundings.streams.stdin);
    }
    try {
      return await readFile(resolve(this.surroundings.cwd, path));
    } catch (error) {
      throw unreadableFailure(path, error);
    }
  }

  private retryForMs(): number {
    const text = this.surroundings.env['PIERHEAD_PATIENCE'] ?? PATIENCE;
    const ms = parseDuration(text);
    if (ms === null)
      throw usageFailure(`PIERHEAD_PATIENCE is "${text}", which is not a valid duration.`, `Example: ${PATIENCE}`);
    return ms;
  }
}

/** Action of a command. It returns its exit code, or nothing when it is done. */
type Work<Args extends readonly unknown[]> = (context: Context, ...args: Args) => Promise<ExitCode | void>;

/** Record of a command's exit code. */
export interface Run {
  readonly surroundings: Surroundings;
  exitCode: ExitCode;
}

const runs = new WeakMap<Command, Run>();

/** Lets the commands of a program run. */
export const attach = (program: Command, run: Run): void => void runs.set(program, run);

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/** Makes work the action of a command: it gets a context, then the command's arguments and options. */
export const action = <Args extends readonly unknown[]>(work: Work<Args>) =>
  async function runAction(this: Command, ...args: unknown[]): Promise<void> {
    const run = runs.get(rootOf(this));
    if (run === undefined) throw new Error('The program is not attached to a process.');
    const context = new Context(run.surroundings, this.optsWithGlobals());
    // Commander passes the command itself last.
    run.exitCode = (await work(context, ...(args.slice(0, -1) as unknown as Args))) ?? EXIT.done;
  };

/** Makes work the action of a command, as above, that is loaded when the command runs: others, and its help, do without. */
export const lazyAction = <Args extends readonly unknown[]>(load: () => Promise<Work<Args>>) =>
  action<Args>(async (context, ...args) => (await load())(context, ...args));
