import { createHash } from 'node:crypto';
import { sha256Of, ZipReader } from './zip-reader.js';

/**
 * A digest of the names and contents in a zip, in hex: the same when it is packed again, at another time or in another order. The service makes
 * the same one.
 * @throws Error when the zip cannot be read
 */
export async function contentDigest(path: string): Promise<string> {
  const zip = await ZipReader.open(path);
  try {
    const all = createHash('sha256');
    // By code units, the same in every locale.
    for (const name of zip.names.toSorted()) all.update(`${name}\0${await sha256Of(zip.read(name))}\n`);
    return all.digest('hex');
  } finally {
    zip.close();
  }
}
