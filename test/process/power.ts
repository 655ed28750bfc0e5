import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DISK = new URL('../support/power.mjs', import.meta.url).href;

/** What a folder on the disk says of something in it. */
interface Entry {
  readonly name: string;
  readonly id: string;
  readonly mode: number;
  readonly isFolder: boolean;
}

/** A folder on a disk that keeps nothing but what it is forced to keep, for processes that run with `env`. */
export class Power {
  private constructor(
    readonly folder: string,
    private readonly disk: string,
  ) {}

  static async on(): Promise<Power> {
    const [folder, disk] = await Promise.all(
      ['power', 'disk'].map((name) => mkdtemp(join(tmpdir(), `pierhead-${name}-`))),
    );
    if (folder === undefined || disk === undefined) throw new Error('Two folders were asked for');
    return new Power(folder, disk);
  }

  get env(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import=${DISK}`, POWER_ROOT: this.folder, POWER_DISK: this.disk };
  }

  /** From now on the disk keeps nothing, although it says so. */
  async deafen(): Promise<void> {
    await writeFile(join(this.disk, 'deaf'), '');
  }

  /** Leaves in the folder what the disk has kept. Everybody who writes there must have been killed. */
  async cut(): Promise<void> {
    await rm(this.folder, { recursive: true });
    await this.restore((await this.kept('root')) ?? '', this.folder);
    await rm(this.disk, { recursive: true });
    await mkdir(this.disk);
    await writeFile(join(this.disk, 'root'), await this.keep(this.folder));
  }

  async remove(): Promise<void> {
    for (const folder of [this.folder, this.disk]) await rm(folder, { recursive: true, force: true });
  }

  private async restore(id: string, folder: string): Promise<void> {
    await mkdir(folder);
    for (const entry of JSON.parse((await this.kept(id)) ?? '[]') as readonly Entry[]) {
      const path = join(folder, entry.name);
      if (entry.isFolder) await this.restore(entry.id, path);
      // A name whose bytes were never forced is that of an empty file.
      else await copyFile(join(this.disk, entry.id), path).catch(() => writeFile(path, ''));
      await chmod(path, entry.mode & 0o777);
    }
  }

  /** Keeps something as it lies there, with all that is below it. @returns its id */
  private async keep(path: string): Promise<string> {
    const stats = await lstat(path, { bigint: true });
    const id = `${stats.ino}-${stats.birthtimeNs}`;
    if (!stats.isDirectory()) {
      await copyFile(path, join(this.disk, id));
      return id;
    }
    const entries: Entry[] = [];
    for (const name of await readdir(path)) {
      const entry = await lstat(join(path, name));
      entries.push({ name, id: await this.keep(join(path, name)), mode: entry.mode, isFolder: entry.isDirectory() });
    }
    await writeFile(join(this.disk, id), JSON.stringify(entries));
    return id;
  }

  private kept(id: string): Promise<string | null> {
    return readFile(join(this.disk, id), 'utf8').catch(() => null);
  }
}
