import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { ignoredInPackage } from './ignored.js';
import { newestOf } from './patterns.js';
import { prepareSources } from './prepared.js';
import { filesOf } from './zip-folder.js';
import { sha256Of, ZipReader } from './zip-reader.js';

/** Build of a package from its sources. */
export interface Recipe {
  /** A zip, a tar archive, or a folder. */
  readonly sources: string;
  /** Run in the unpacked sources by the system's shell, in order. */
  readonly commands: readonly string[];
  /** The zip or folder that they make, relative to the sources. */
  readonly output: string;
}

/** A file that is not the same in the package and in what was built from its sources. */
export interface Difference {
  readonly path: string;
  /** `missing` is only in the package, `added` only in what was built. */
  readonly how: 'changed' | 'missing' | 'added';
}

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Called with each line that the commands print. */
  readonly onOutput: (line: string) => void;
  /** Called with each command before it runs. */
  readonly onCommand: (command: string) => void;
}

/**
 * Builds a package from its sources alone, in an empty folder, as AMO's reviewers do, and compares the two file by file.
 * @param path the package: a zip or a folder
 * @param ignoreFiles see `ignoredInPackage`
 * @returns the differences, by path; none when the sources make the package
 * @throws Error when a command fails, or makes no package
 */
export async function checkSources(
  path: string,
  { sources, commands, output }: Recipe,
  { env, signal, onOutput, onCommand }: Surroundings,
  ignoreFiles: readonly string[] = [],
): Promise<readonly Difference[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pierhead-sources-'));
  try {
    await unpack(sources, folder);
    const built = join(folder, output);
    if (!built.startsWith(folder + sep)) throw new Error(`The output ${output} is not inside of the sources.`);
    // An earlier build among the sources would prove nothing.
    await rm(built, { recursive: true, force: true });
    for (const command of commands) {
      onCommand(command);
      await run(command, folder, { env, signal, onOutput });
    }
    if (!(await stat(built).catch(() => null))) throw new Error(`The commands made no ${output}.`);
    return differences(await contentsOf(path, ignoreFiles), await contentsOf(built, ignoreFiles));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lists the files that only one of the two has, or that differ. Pure. */
export function differences(
  inPackage: ReadonlyMap<string, string>,
  built: ReadonlyMap<string, string>,
): readonly Difference[] {
  const paths = [...new Set([...inPackage.keys(), ...built.keys()])].sort();
  return paths.flatMap((path): Difference[] => {
    const [one, other] = [inPackage.get(path), built.get(path)];
    if (one === other) return [];
    return [{ path, how: other === undefined ? 'missing' : one === undefined ? 'added' : 'changed' }];
  });
}

async function unpack(named: string, folder: string): Promise<void> {
  const sources = await newestOf(named);
  if (/\.(tar(\.(gz|bz2|xz))?|tgz)$/.test(sources)) {
    const tar = spawn('tar', ['-xf', resolve(sources), '-C', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = (await once(tar, 'close')) as [number | null];
    if (code !== 0) throw new Error(`tar cannot unpack ${sources}.`);
    return;
  }
  const zip = await prepareSources(sources);
  try {
    await unzip(zip.path, folder);
  } finally {
    await zip.discard();
  }
}

async function unzip(path: string, folder: string): Promise<void> {
  const zip = await ZipReader.open(path);
  try {
    for (const name of zip.names) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await pipeline(zip.read(name), createWriteStream(join(folder, name)));
      // A script that is to be run directly.
      if (zip.isExecutable(name)) await chmod(join(folder, name), 0o755);
    }
  } finally {
    zip.close();
  }
}

async function run(
  command: string,
  cwd: string,
  { env, signal, onOutput }: Omit<Surroundings, 'onCommand'>,
): Promise<void> {
  // A build from the sources alone needs no access to the service.
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PIERHEAD_')));
  const child = spawn(command, { cwd, env: kept, shell: true, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onOutput);
  const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0) throw new Error(`"${command}" ended with ${code ?? killedBy} in the unpacked sources.`);
}

async function contentsOf(path: string, ignoreFiles: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  if ((await stat(path)).isDirectory()) {
    for (const file of await filesOf(path, ignoredInPackage(ignoreFiles)))
      hashes.set(file, await sha256Of(createReadStream(join(path, file)) as AsyncIterable<Buffer>));
    return hashes;
  }
  const zip = await ZipReader.open(path);
  try {
    for (const name of zip.names) hashes.set(name, await sha256Of(zip.read(name)));
  } finally {
    zip.close();
  }
  return hashes;
}
