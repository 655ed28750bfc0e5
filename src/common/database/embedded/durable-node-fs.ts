import { closeSync, fstatSync, fsyncSync, openSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { isUnsyncableFolder } from '../../system/index.js';

type BuildOptions = Parameters<NodeFS['init']>[1];

/** The parts of Emscripten's NODEFS, which has no fsync, that are used here. */
interface EmscriptenNodeFs {
  realPath(node: unknown): string;
  readonly node_ops: {
    mknod: (parent: unknown, ...more: readonly unknown[]) => unknown;
    rename: (node: unknown, parent: unknown, name: string) => void;
  };
  readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number };
}

/** The embedded database would acknowledge writes that are not on the disk. */
export class DatabaseNotDurable extends Error {
  override readonly name = 'DatabaseNotDurable';

  constructor() {
    super(
      'The embedded database does not flush its commits to the disk: Pierhead does not support this version of PGlite. Install the dependencies of package-lock.json, or set DATABASE_URL.',
    );
  }
}

/**
 * A file system for PGlite with a working fsync. PGlite's own has none, so a power cut would lose acknowledged commits. Also flushes the
 * entries of new and renamed files.
 */
export class DurableNodeFs extends NodeFS {
  private syncs = 0;
  private readonly changedFolders = new Set<string>();

  /** @param onFailure must end the process, since the state of the disk is unknown */
  constructor(
    folder: string,
    private readonly onFailure: (error: unknown) => never,
  ) {
    super(folder);
  }

  override async init(database: PGlite, options: BuildOptions): Promise<{ emscriptenOpts: BuildOptions }> {
    const { emscriptenOpts } = await super.init(database, options);
    const hook: NonNullable<BuildOptions['preRun']>[number] = ({ FS }) => {
      const { filesystems } = FS as { readonly filesystems?: { readonly NODEFS?: EmscriptenNodeFs } };
      if (filesystems?.NODEFS === undefined) throw new DatabaseNotDurable();
      this.hookInto(filesystems.NODEFS);
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), hook] } };
  }

  /** @throws DatabaseNotDurable unless a commit reaches the disk */
  async assertDurable(database: PGlite): Promise<void> {
    const before = this.syncs;
    await database.exec("select pg_logical_emit_message(true, 'pierhead', 'opened')");
    if (this.syncs === before) throw new DatabaseNotDurable();
  }

  private hookInto(files: EmscriptenNodeFs): void {
    const { mknod, rename } = files.node_ops;
    files.node_ops.mknod = (parent, ...more) => {
      this.changedFolders.add(files.realPath(parent));
      return mknod(parent, ...more);
    };
    files.node_ops.rename = (node, parent, name) => {
      this.changedFolders.add(files.realPath(parent));
      rename(node, parent, name);
    };
    files.stream_ops.fsync = ({ nfd }) => {
      try {
        sync(nfd);
        for (const folder of this.changedFolders) syncFolder(folder);
      } catch (error) {
        return this.onFailure(error);
      }
      this.changedFolders.clear();
      this.syncs += 1;
      return 0;
    };
  }
}

function sync(fd: number): void {
  try {
    fsyncSync(fd);
  } catch (error) {
    if (!isUnsyncableFolder(error, fstatSync(fd).isDirectory())) throw error;
  }
}

/** Ignores a file that no longer exists. */
function syncFolder(path: string): void {
  let folder: number | null = null;
  try {
    folder = openSync(path, 'r');
    sync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    if (folder !== null) closeSync(folder);
  }
}
