import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { writeZip, type BlobStore, type WrittenZip } from '../../common/storage/index.js';
import { fileOf } from './database-dump.repository.js';
import { decrypted, encrypted, isEncrypted, type BackupDecryption, type BackupEncryption } from './encryption.js';
import { digestOf } from '../../common/fields/index.js';
import { CannotUnseal, type Sealer } from '../../common/sealing/index.js';
import { BackupFault, readManifest, type BackedUpPackage, type BackupManifest } from './manifest.js';

const MANIFEST = 'manifest.json';
/** The digest of the manifest, sealed under the keys of the instance that wrote the backup. */
const SEAL = 'manifest.seal';
const MAX_SEAL_BYTES = 4096;
const PURPOSE = 'backup';
/** The option of `restore` that takes a backup though nothing shows that this instance made it. */
export const ACCEPT_UNAUTHENTICATED = '--accept-unauthenticated';
/** Room for the packages of many years. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
const tableEntry = (table: string): string => `tables/${fileOf(table)}`;
const packageEntry = (key: string): string => `packages/${key}`;
/** The first bytes of a file that age encrypted. */
const AGE = 'age-encryption.org/';

/**
 * Writes a backup to a file: the rows of a dump, the packages, and last the manifest, without which it is not a backup, with its seal. The
 * manifest names the digests of all files, so the seal vouches for them, too.
 */
export function writeBackup(
  path: string,
  dumpFolder: string,
  manifest: Omit<BackupManifest, 'missingPackages'>,
  blobs: BlobStore,
  encryption: BackupEncryption,
  sealer: Sealer,
): Promise<WrittenZip> {
  const missingPackages: string[] = [];
  // Complete once the packages are written.
  const manifestText = (): string => `${JSON.stringify({ ...manifest, missingPackages }, null, 2)}\n`;
  const packages = manifest.packagesIn === 'included' ? manifest.packages : [];
  return writeZip(
    path,
    [
      ...manifest.tables.map(({ name }) => ({
        name: tableEntry(name),
        content: () => createReadStream(join(dumpFolder, fileOf(name))),
      })),
      ...packages.map(({ key }) => ({
        name: packageEntry(key),
        content: () => packageOf(key, blobs, missingPackages),
        compress: false,
      })),
      { name: MANIFEST, content: () => [manifestText()] },
      { name: SEAL, content: () => sealOf(manifestText(), sealer) },
    ],
    (zip) => (isEncrypted(encryption) ? encrypted(zip, encryption) : zip),
  );
}

async function* sealOf(manifest: string, sealer: Sealer): AsyncGenerator<string> {
  yield await sealer.seal(digestOf(manifest), PURPOSE);
}

/** Yields a package, or records its key as missing: it may have been deleted since the dump. */
async function* packageOf(key: string, blobs: BlobStore, missing: string[]): AsyncGenerator<Buffer> {
  if (await blobs.exists(key)) for await (const chunk of await blobs.open(key)) yield chunk as Buffer;
  else missing.push(key);
}

/** A backup that is open for reading. */
export class OpenBackup {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    readonly manifest: BackupManifest,
  ) {}

  /**
   * Opens a backup.
   * @param scratch an unused path, for the decrypted file of an encrypted backup
   * @param sealer of the instance that must have written the backup; null accepts anybody's
   * @throws BackupFault when the file is not a backup, is incomplete, cannot be decrypted, or is somebody else's
   */
  static async at(
    path: string,
    scratch: string,
    decryption: BackupDecryption,
    sealer: Sealer | null,
  ): Promise<OpenBackup> {
    const isSealed = (await beginningOf(path)).startsWith(AGE);
    if (isSealed) await decrypt(path, scratch, decryption);
    const zip = await openPromise(isSealed ? scratch : path, { autoClose: false }).catch((error: unknown) => {
      throw new BackupFault(`${path} is not a backup, or is incomplete.`, { cause: error });
    });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName)) throw new BackupFault(`${path} is not a backup: it has two files of one name.`);
      entries.set(entry.fileName, entry);
    }
    const read = async (name: string, maxBytes: number): Promise<string | null> => {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      if (entry.uncompressedSize > maxBytes)
        throw new BackupFault(`${path} is not a backup: its ${name} has ${entry.uncompressedSize} bytes.`);
      return text(await zip.openReadStreamPromise(entry));
    };
    const written = await read(MANIFEST, MAX_MANIFEST_BYTES);
    if (written === null) throw new BackupFault(`${path} is not a backup: it has no ${MANIFEST}.`);
    if (sealer !== null) await refuseUnlessSealed(path, written, await read(SEAL, MAX_SEAL_BYTES), sealer);
    return new OpenBackup(zip, entries, readManifest(written, path));
  }

  /** Unpacks the rows into a folder, for `DatabaseDumpRepository.load`. @throws BackupFault when a file is missing or damaged */
  async unpackTables(folder: string): Promise<void> {
    for (const { name, sha256 } of this.manifest.tables) {
      const digest = await this.unpack(tableEntry(name), join(folder, fileOf(name)));
      if (sha256 !== undefined && digest !== sha256)
        throw new BackupFault(`${tableEntry(name)} in the backup is not the file that its manifest names.`);
    }
  }

  /** The packages that the backup itself contains. */
  get packages(): readonly BackedUpPackage[] {
    const { packagesIn, packages, missingPackages } = this.manifest;
    return packagesIn === 'included' ? packages.filter(({ key }) => !missingPackages.includes(key)) : [];
  }

  /** Unpacks a package to a file, or only checks it. @throws BackupFault when its content differs from what was pushed */
  async unpackPackage({ key, sha256 }: BackedUpPackage, path = '/dev/null'): Promise<void> {
    if ((await this.unpack(packageEntry(key), path)) !== sha256)
      throw new BackupFault(`The package ${key} is damaged.`);
  }

  close(): void {
    this.zip.close();
  }

  /** @returns the file's SHA-256 */
  private async unpack(name: string, path: string): Promise<string> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new BackupFault(`The backup lacks ${name}.`);
    const hash = createHash('sha256');
    try {
      const stream = await this.zip.openReadStreamPromise(entry);
      stream.on('data', (chunk: Buffer) => hash.update(chunk));
      await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
      return hash.digest('hex');
    } catch (error) {
      // An error of the system, such as a full disk, does not mean that the backup is damaged.
      if (error instanceof Error && 'syscall' in error) throw error;
      throw new BackupFault(`${name} in the backup is damaged.`, { cause: error });
    }
  }
}

/** @throws BackupFault unless the seal is this manifest's, under one of the instance's keys */
async function refuseUnlessSealed(path: string, manifest: string, seal: string | null, sealer: Sealer): Promise<void> {
  const refuse = (why: string, cause?: unknown): never => {
    throw new BackupFault(
      `${path} may not be from this instance: ${why}. If you trust it, restore it with ${ACCEPT_UNAUTHENTICATED}.`,
      { cause },
    );
  };
  if (seal === null) return refuse(`it has no ${SEAL}; a version that did not write one made it, or somebody else`);
  const digest = await sealer.unseal(seal, PURPOSE).catch((error: unknown) => {
    if (!(error instanceof CannotUnseal)) throw error;
    return refuse(`its ${SEAL} does not open (${error.message})`, error);
  });
  if (digest !== digestOf(manifest)) refuse(`its ${MANIFEST} is not the one that was sealed`);
}

async function beginningOf(path: string): Promise<string> {
  return text(createReadStream(path, { end: AGE.length - 1, encoding: 'latin1' }));
}

async function decrypt(path: string, to: string, decryption: BackupDecryption): Promise<void> {
  try {
    await pipeline(await decrypted(createReadStream(path), decryption), createWriteStream(to, { mode: 0o600 }));
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    throw new BackupFault(`${path} is damaged or incomplete.`, { cause: error });
  }
}
