import { open } from 'node:fs/promises';
import { InvalidArchive } from '../archive-errors.js';
import { MAX_JSON_BYTES } from '../archive-limits.js';
import { BoundedReader, readDirectory, readPackedFile, type PackedFile } from '../zip/index.js';
import { appFolder, isPropertyList, readApp, type AppBundle, type AppPlatform } from './app-bundle.js';
import { readPayload, readXarFile } from './payload.js';
import { readXar, XAR_MAGIC } from './xar.js';
import { parseXml } from './xml.js';

/** A signed package of an app with an extension of Safari. */
export interface AppPackage extends AppBundle {
  readonly platform: AppPlatform;
  readonly format: 'pkg' | 'ipa';
}

/**
 * Reads a signed package for the App Store: a .pkg for macOS, or an .ipa for iOS. Its signature is there, but is not verified: Apple does that.
 * @returns null for a zip that is no .ipa
 * @throws InvalidArchive when it is not signed, has no extension of Safari, or cannot be read
 */
export async function inspectApp(path: string): Promise<AppPackage | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const reader = new BoundedReader(file, size);
    const start = await reader.readAt(0, Math.min(XAR_MAGIC.length, size));
    if (start.toString('latin1') === XAR_MAGIC) return { ...(await readPkg(reader)), platform: 'macos', format: 'pkg' };
    const files = await readDirectory(reader);
    if (!files.some(({ name }) => /^Payload\/[^/]+\.app\//.test(name))) return null;
    return { ...(await readIpa(reader, files)), platform: 'ios', format: 'ipa' };
  } finally {
    await file.close();
  }
}

async function readPkg(reader: BoundedReader): Promise<AppBundle> {
  const { files, signer } = await readXar(reader);
  if (signer === null)
    throw new InvalidArchive(
      'The package is not signed. Export it with xcodebuild -exportArchive and the method app-store-connect, or sign it with productsign.',
    );
  const [payload, ...others] = files.filter(({ path }) => /(?:^|\/)Payload$/.test(path));
  const info = files.find(({ path }) => /(?:^|\/)PackageInfo$/.test(path));
  if (payload === undefined || info === undefined) throw new InvalidArchive('The package has no payload.');
  if (others.length > 0)
    throw new InvalidArchive('The package has several payloads, and the App Store takes one app at a time.');
  if (parseXml((await readXarFile(reader, info, MAX_JSON_BYTES)).toString('utf8'), info.path).name !== 'pkg-info')
    throw new InvalidArchive(`The ${info.path} is not one of an installer package.`);
  return readApp(await readPayload(reader, payload, (path) => isPropertyList(path, 'macos')), 'macos');
}

async function readIpa(reader: BoundedReader, files: readonly PackedFile[]): Promise<AppBundle> {
  const lists = files.filter(({ name }) => isPropertyList(name, 'ios'));
  const folder = appFolder(
    lists.map(({ name }) => name),
    'ios',
  );
  const names = new Set(files.map(({ name }) => name));
  for (const part of ['_CodeSignature/CodeResources', 'embedded.mobileprovision'])
    if (!names.has(`${folder}/${part}`))
      throw new InvalidArchive(
        `The package is not signed: it has no ${part}. Export it with xcodebuild -exportArchive and the method app-store-connect.`,
      );
  const contents = new Map<string, Buffer>();
  for (const each of lists) {
    if (Math.max(each.size, each.packedSize) > MAX_JSON_BYTES)
      throw new InvalidArchive(`An Info.plist is larger than ${MAX_JSON_BYTES / 1024 ** 2} MiB.`);
    contents.set(each.name, Buffer.from(await readPackedFile(reader, each)));
  }
  return readApp(contents, 'ios');
}
