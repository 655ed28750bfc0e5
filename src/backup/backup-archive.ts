import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { writeZip, type BlobStore, type WrittenZip } from '../common/storage/index.js';
import { fileOf } from './database-dump.repository.js';
import { decrypted, encrypted, isEncrypted, type BackupDecryption, type BackupEncryption } from './encryption.js';
import { BackupFault, readManifest, type BackedUpPackage, type BackupManifest } from './manifest.js';

const MANIFEST = 'manifest.json';
/** Room for the packages of many years. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
const tableEntry = (table: string): string => `tables/${fileOf(table)}`;
const packageEntry = (key: string): string => `packages/${key}`;
/** The first bytes of a file that age encrypted. */
const AGE = 'age-encryption.org/';

/** Writes a backup to a file: the rows of a dump, the packages, and last the manifest, without which it is not a backup. */
export function writeBackup(
  path: string,
  dumpFolder: string,
  manifest: Omit<BackupManifest, 'missingPackages'>,
  blobs: BlobStore,
  encryption: BackupEncryption,
): Promise<WrittenZip> {
  const missingPackages: string[] = [];
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
      { name: MANIFEST, content: () => [`${JSON.stringify({ ...manifest, missingPackages }, null, 2)}\n`] },
    ],
    (zip) => (isEncrypted(encryption) ? encrypted(zip, encryption) : zip),
  );
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
   * @throws BackupFault when the file is not a backup, is incomplete, or cannot be decrypted
   */
  static async at(path: string, scratch: string, decryption: BackupDecryption): Promise<OpenBackup> {
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
    const written = entries.get(MANIFEST);
    if (written === undefined) throw new BackupFault(`${path} is not a backup: it has no ${MANIFEST}.`);
    if (written.uncompressedSize > MAX_MANIFEST_BYTES)
      throw new BackupFault(`${path} is not a backup: its ${MANIFEST} has ${written.uncompressedSize} bytes.`);
    const manifest = readManifest(await text(await zip.openReadStreamPromise(written)), path);
    return new OpenBackup(zip, entries, manifest);
  }

  /** Unpacks the rows into a folder, for `DatabaseDumpRepository.load`. @throws BackupFault when a file is missing or damaged */
  async unpackTables(folder: string): Promise<void> {
    for (const { name } of this.manifest.tables) {
      await this.unpack(tableEntry(name), join(folder, fileOf(name)));
    }
  }

  /** The packages that the backup itself contains. */
  get packages(): readonly BackedUpPackage[] {
    const { packagesIn, packages, missingPackages } = this.manifest;
    return packagesIn === 'included' ? packages.filter(({ key }) => !missingPackages.includes(key)) : [];
  }

  /** Unpacks a package to a file, or only checks it. @throws BackupFault when its content differs from what was pushed */
  async unpackPackage({ key, sha256 }: BackedUpPackage, path = '/dev/null'): Promise<void> {
    const hash = createHash('sha256');
    await this.unpack(packageEntry(key), path, (chunk) => hash.update(chunk));
    if (hash.digest('hex') !== sha256) throw new BackupFault(`The package ${key} is damaged.`);
  }

  close(): void {
    this.zip.close();
  }

  private async unpack(name: string, path: string, see: (chunk: Buffer) => void = () => undefined): Promise<void> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new BackupFault(`The backup lacks ${name}.`);
    try {
      const stream = await this.zip.openReadStreamPromise(entry);
      stream.on('data', see);
      await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
    } catch (error) {
      // An error of the system, such as a full disk, does not mean that the backup is damaged.
      if (error instanceof Error && 'syscall' in error) throw error;
      throw new BackupFault(`${name} in the backup is damaged.`, { cause: error });
    }
  }
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
