import { access, constants, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { Failure } from '../failure.js';
import { locked } from './lock.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Credentials of a person at one service: a token, or a session. */
export interface SavedLogin {
  readonly token?: string;
  /** The secret of the session's cookie. */
  readonly session?: string;
}

/** Content of the user file: log-ins by the address of their service. */
export interface UserSettings {
  /** The service that commands talk to unless another one is named: the last one that was logged in to. */
  readonly current?: string;
  readonly services: Readonly<Record<string, SavedLogin>>;
}

/**
 * Where the user's settings are: `$XDG_CONFIG_HOME/pierhead/config.json`, or `%APPDATA%\pierhead\config.json`. A home that is empty or relative
 * does not count, because secrets would be written to the folder that the user is in.
 */
export function userFilePath(
  env: Env,
  platform: NodeJS.Platform = process.platform,
  given: string = homedir(),
): string {
  const home = isAbsolute(given) ? given : userInfo().homedir;
  const appData = env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  const config = env['XDG_CONFIG_HOME'] ?? '';
  const base = platform === 'win32' ? appData : isAbsolute(config) ? config : join(home, '.config');
  return join(base, 'pierhead', 'config.json');
}

/** The user's own file, the only one that holds secrets; nobody else can read it. */
export class UserFile {
  constructor(readonly path: string) {}

  /** @throws Failure when the file is there and is not what this program writes */
  async read(): Promise<UserSettings> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { services: {} };
      throw unusable(this.path, 'read', error);
    }
    const settings = parsed(text);
    if (typeof settings?.services !== 'object' || settings.services === null)
      throw new Failure(`${this.path} is damaged.`, { hint: 'Delete it, and log in again with: pierhead login' });
    return settings;
  }

  /** Makes sure that a log-in can be kept, before there is one. @throws Failure when it cannot */
  async assertWritable(): Promise<void> {
    try {
      await access(dirname(await this.place()), constants.W_OK);
    } catch (error) {
      throw unusable(this.path, 'written', error);
    }
  }

  /** Adds or replaces the log-in of a service, and makes it the current one. */
  async save(url: string, login: SavedLogin): Promise<void> {
    await this.change(({ services }) => ({ current: url, services: { ...services, [url]: login } }));
  }

  /** Removes the log-in of a service. */
  async remove(url: string): Promise<void> {
    await this.change(({ current, services: { [url]: _removed, ...others } }) => ({
      ...(current === undefined || current === url ? {} : { current }),
      services: others,
    }));
  }

  /** Path of the file, in a folder that exists. A link stays one, and no secret stays behind at its target. */
  private async place(): Promise<string> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    return realpath(this.path).catch(() => this.path);
  }

  /** Reads, changes and writes while no other process does. */
  private async change(how: (settings: UserSettings) => UserSettings): Promise<void> {
    await this.assertWritable();
    const path = await this.place();
    await locked(`${path}.lock`, async () => replace(path, how(await this.read())));
  }
}

const unusable = (path: string, how: 'read' | 'written', error: unknown): Failure =>
  new Failure(`${path} cannot be ${how}: ${(error as Error).message}`, {
    hint: 'Set XDG_CONFIG_HOME to a folder of your own, or PIERHEAD_URL and PIERHEAD_TOKEN.',
    cause: error,
  });

/** Replaces the file in one step, so that no reader finds half of it. */
async function replace(path: string, settings: UserSettings): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    await writeFile(temporary, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

function parsed(text: string): UserSettings | null {
  try {
    return JSON.parse(text) as UserSettings | null;
  } catch {
    return null;
  }
}
