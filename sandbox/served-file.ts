import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { parse } from 'jsonc-parser';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { type Answer, textAnswer } from './answer.js';
import { type Check, fields, nullable, text } from './input.js';
import type { KeptPackages } from './kept-packages.js';

/** How a store serves a file otherwise than it should; set by the control plane. */
export interface ServingBehavior {
  /** Contents of files in place of those that were sent, by path; null leaves one out. */
  readonly servedChanges: Readonly<Record<string, string | null>>;
  /** Bytes after which the file ends; null for all of it. */
  readonly servedBytes: number | null;
}

export const SERVED_AS_SENT: ServingBehavior = { servedChanges: {}, servedBytes: null };

export const changesInput: Check<ServingBehavior['servedChanges']> = (value, what) =>
  Object.fromEntries(
    Object.entries(fields(value, what)).map(([path, content]) => [path, nullable(text)(content, `${what}.${path}`)]),
  );

/** A version that a store serves. */
export interface Served extends ServingBehavior {
  readonly version: string;
  /** Of the package that was uploaded; null for one that the control plane made. */
  readonly sha256: string | null;
}

const MODIFIED = new Date(2020, 0);

/** Makes the files that users of a store get. */
export class FileServer {
  private static key: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined;

  /** @param updateUrl what the store writes into manifests */
  constructor(
    private readonly kept: KeptPackages,
    private readonly updateUrl: string,
  ) {}

  /** The whole file of a version; null where its package is not kept. */
  async file({ version, sha256, servedChanges }: Served): Promise<Buffer | null> {
    const sent = this.kept.find(sha256);
    if (sent === null) return null;
    const files = await filesIn(sent);
    const manifest = parse(
      files
        .get('manifest.json')
        ?.toString('utf8')
        .replace(/^\uFEFF/, '') ?? '{}',
    ) as object;
    const served = { ...manifest, version, update_url: this.updateUrl };
    files.set('manifest.json', Buffer.from(JSON.stringify(served, null, 3)));
    for (const [path, content] of Object.entries(servedChanges)) {
      if (content === null) files.delete(path);
      else files.set(path, Buffer.from(content));
    }
    const digests = [...files].map(([path, content]) => ({ path, root_hash: sha256Of(content).toString('base64url') }));
    files.set('_metadata/verified_contents.json', Buffer.from(JSON.stringify([{ payload: digests }])));
    return signed(await zipped(files), (FileServer.key ??= generateKeyPairSync('rsa', { modulusLength: 2048 })));
  }

  /** The answer to a browser that downloads a version; undefined for one that is not served. */
  async answer(served: Served | undefined): Promise<Answer> {
    const file = served === undefined ? null : await this.file(served);
    if (served === undefined || file === null) return textAnswer(404, 'text/html; charset=UTF-8', 'Error 404');
    const bytes = file.subarray(0, served.servedBytes ?? file.length);
    return { status: 200, headers: { 'Content-Type': 'application/x-chrome-extension' }, body: '', bytes };
  }
}

/** Files of a package; a store leaves out the empty ones that begin with a dot (src/stores/README.md#chrome-served-files). */
async function filesIn(sent: Buffer): Promise<Map<string, Buffer>> {
  const isSigned = sent.toString('latin1', 0, 4) === 'Cr24';
  const zip = await fromBufferPromise(isSigned ? sent.subarray(12 + sent.readUInt32LE(8)) : sent);
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const { fileName, uncompressedSize } = entry;
    const isHidden = /(?:^|\/)\.[^/]*$/.test(fileName) && uncompressedSize === 0;
    if (!fileName.endsWith('/') && !isHidden) files.set(fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}

/** The same files are always the same bytes. */
function zipped(files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of files) zip.addBuffer(content, path, { mtime: MODIFIED });
  zip.end();
  return buffer(zip.outputStream);
}

/** A CRX3 file (https://chromium.googlesource.com/chromium/src/+/main/components/crx_file/crx3.proto). */
function signed(zip: Buffer, { privateKey, publicKey }: Record<'privateKey' | 'publicKey', KeyObject>): Buffer {
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const data = field(1, sha256Of(der).subarray(0, 16));
  const sign = createSign('sha256').update('CRX3 SignedData\0').update(uint32(data.length)).update(data).update(zip);
  const proof = Buffer.concat([field(1, der), field(2, sign.sign(privateKey))]);
  const header = Buffer.concat([field(2, proof), field(10_000, data)]);
  return Buffer.concat([Buffer.from('Cr24'), uint32(3), uint32(header.length), header, zip]);
}

const sha256Of = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A field of a protocol buffer that holds bytes. */
const field = (number: number, value: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(value.length), value]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}
