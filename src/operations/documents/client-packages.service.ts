import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { Injectable, Logger, StreamableFile, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { within } from '../../common/net/index.js';
import { BlobStore, TemporaryFiles } from '../../common/storage/index.js';
import { SECOND_MS } from '../../common/system/index.js';
import type { ClientPackageList } from './client-packages.dto.js';
import { ClientPackageNotFound } from './client-packages.problems.js';

/** The folder in which `npm run build` packs the clients. */
const BUILT = new URL('../../../clients/dist/', import.meta.url);
/** Names at npm, by how `npm pack` begins the names of its files. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['pierhead', 'pierhead'],
  ['pierhead-licensing', '@pierhead/licensing'],
  ['pierhead-action', '@pierhead/action'],
]);
const CLI = 'pierhead';
const FOLDER = 'clients/';
const KEPT_VERSIONS = 10;
/** Length of the part of a digest that tells apart two contents of one version. */
const DIGEST_LENGTH = 12;
/** How long a listing of the blob store is used, so that the public routes cost it one request a second. */
const FRESH_MS = SECOND_MS;
const START_MS = 2 * SECOND_MS;

/** A client as npm packs it. `file` is the last segment of its address. */
interface ClientFile {
  readonly client: string;
  readonly version: string;
  readonly file: string;
  readonly size: number;
  /** In hexadecimal. */
  readonly sha512: string;
}

interface BuiltClient extends ClientFile {
  readonly content: Buffer;
}

interface StoredClient extends ClientFile {
  readonly key: string;
  readonly storedAt: Date;
}

/**
 * The clients as packages for npm, each at an address that names its version and never changes its content. The versions of this service and
 * those before it are in the blob store, whose keys hold size and digest. Where a version has been packed again with other content, as in
 * development, the first content keeps the address, and the other one gets an address of its own with the beginning of its digest as build
 * metadata: `pierhead-1.0.0+3fa9c1d2e4b5.tgz`.
 */
@Injectable()
export class ClientPackages implements OnApplicationBootstrap {
  private readonly log = new Logger(ClientPackages.name);
  /** The packages of this service's version, read into memory at start: less than a megabyte. Empty where they are not built. */
  private readonly built = readBuilt();
  private listing: { readonly at: number; readonly clients: Promise<readonly StoredClient[]> } | null = null;

  constructor(
    private readonly config: Config,
    private readonly blobs: BlobStore,
    private readonly temporary: TemporaryFiles,
  ) {}

  /** Stores the packages of this version, and removes the oldest. Continues in the background when a slow bucket would delay the start. */
  async onApplicationBootstrap(): Promise<void> {
    await within(START_MS, this.removeOld()).catch((error: unknown) =>
      this.log.warn({ msg: 'clients are not stored yet', err: error }),
    );
  }

  /** Lists the kept versions of each client, the newest first. */
  async list(): Promise<ClientPackageList> {
    const stored = await this.stored();
    const items = [...NAMES].flatMap(([client, name]) =>
      versionsOf(client, stored).map(({ version, file, size, sha512 }) => ({
        name,
        version,
        url: `${this.config.publicUrl}/${FOLDER}${file}`,
        size,
        integrity: `sha512-${Buffer.from(sha512, 'hex').toString('base64')}`,
        isCurrent: this.built.some((built) => built.sha512 === sha512),
      })),
    );
    return { items };
  }

  /** Opens the package at an address. @throws ClientPackageNotFound also where newer versions have taken its place */
  async open(file: string): Promise<StreamableFile> {
    const found = (await this.stored()).find((stored) => stored.file === file);
    if (found === undefined) throw new ClientPackageNotFound();
    const built = this.built.find(({ sha512 }) => sha512 === found.sha512);
    const content = built === undefined ? await this.blobs.open(found.key) : Readable.from([built.content]);
    return new StreamableFile(content, { type: 'application/gzip', length: found.size });
  }

  /** Returns the address of this version's command line, relative to that of earlier versions. @throws ClientPackageNotFound where it is not built */
  async currentCli(): Promise<{ readonly url: string }> {
    const built = this.built.find(({ client }) => client === CLI);
    const found = (await this.stored()).find(({ sha512 }) => sha512 === built?.sha512);
    if (found === undefined) throw new ClientPackageNotFound();
    return { url: `../${FOLDER}${found.file}` };
  }

  /** The packages in the blob store, those of this version among them. */
  private stored(): Promise<readonly StoredClient[]> {
    const now = performance.now();
    if (this.listing === null || now - this.listing.at > FRESH_MS)
      this.listing = { at: now, clients: this.storeMissing() };
    return this.listing.clients;
  }

  /** Stores the packages of this version that are missing. Two processes that do so at once write the same key with the same content. */
  private async storeMissing(): Promise<readonly StoredClient[]> {
    const stored = await this.read();
    const missing = this.built.filter(({ sha512 }) => !stored.some((one) => one.sha512 === sha512));
    for (const built of missing) await this.store(built, stored);
    return missing.length === 0 ? stored : this.read();
  }

  private async store(built: BuiltClient, stored: readonly StoredClient[]): Promise<void> {
    const isTaken = stored.some(({ file }) => file === built.file);
    const file = isTaken
      ? fileOf(built.client, `${built.version}+${built.sha512.slice(0, DIGEST_LENGTH)}`)
      : built.file;
    const path = await this.temporary.path();
    try {
      await writeFile(path, built.content, { mode: 0o600 });
      await this.blobs.put(path, `${FOLDER}${file}.${built.size}.${built.sha512}`);
    } finally {
      await this.temporary.discard(path);
    }
  }

  /** Keeps the last versions of each client, in the order in which they were stored, and the present one in any case. */
  private async removeOld(): Promise<void> {
    const stored = await this.stored();
    const old = [...NAMES.keys()].flatMap((client) => versionsOf(client, stored).slice(KEPT_VERSIONS));
    for (const { key, sha512 } of old)
      if (!this.built.some((built) => built.sha512 === sha512)) await this.blobs.remove(key);
    if (old.length > 0) this.listing = null;
  }

  private async read(): Promise<readonly StoredClient[]> {
    const stored: StoredClient[] = [];
    for await (const { key, modifiedAt } of this.blobs.list(FOLDER)) {
      const [, file = '', size = '', sha512 = ''] = /^clients\/(.+)\.(\d+)\.([0-9a-f]{128})$/.exec(key) ?? [];
      const named = readName(file);
      if (named !== null) stored.push({ ...named, size: Number(size), sha512, key, storedAt: modifiedAt });
    }
    return stored;
  }
}

/** The versions of a client, the one that was stored last first. */
const versionsOf = (client: string, stored: readonly StoredClient[]): readonly StoredClient[] =>
  stored
    .filter((one) => one.client === client)
    .toSorted((one, other) => Number(other.storedAt) - Number(one.storedAt) || (one.key < other.key ? 1 : -1));

const fileOf = (client: string, version: string): string => `${client}-${version}.tgz`;

/** Reads client and version from the name of a file; null when it is no client's. */
function readName(file: string): Pick<ClientFile, 'client' | 'version' | 'file'> | null {
  const [, client = '', version = ''] = /^([a-z]+(?:-[a-z]+)?)-(\d+\.[\w.+-]+)\.tgz$/.exec(file) ?? [];
  return NAMES.has(client) ? { client, version, file } : null;
}

function readBuilt(): readonly BuiltClient[] {
  const files = existsSync(BUILT) ? readdirSync(BUILT) : [];
  return files.flatMap((file) => {
    const named = readName(file);
    if (named === null) return [];
    const content = readFileSync(new URL(file, BUILT));
    return [{ ...named, size: content.length, sha512: createHash('sha512').update(content).digest('hex'), content }];
  });
}
