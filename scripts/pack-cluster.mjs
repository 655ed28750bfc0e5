// Packs a new cluster of the embedded database beside the built service, which unpacks it at its first start. A build deletes dist/, so the
// zip is kept for the next one, for each version of PGlite.
import {
  closeSync,
  copyFileSync,
  createWriteStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PGlite } from '@electric-sql/pglite';
import { ZipFile } from 'yazl';
import { PGLITE_VERSION, TEMPLATE } from '../dist/common/database/embedded/cluster.js';
import { ROOT } from './built.mjs';

const KEPT = join(ROOT, `node_modules/.cache/pierhead/embedded-cluster-${PGLITE_VERSION}.zip`);

/** Packs a folder; a folder in it comes before what it holds, as unpacking expects. */
async function pack(folder, path) {
  const zip = new ZipFile();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) zip.addEmptyDirectory(relative(folder, from));
    else zip.addFile(from, relative(folder, from));
  }
  zip.end({ comment: PGLITE_VERSION });
  await pipeline(zip.outputStream, createWriteStream(path));
}

if (!existsSync(KEPT)) {
  mkdirSync(dirname(KEPT), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-cluster-'));
  await (await PGlite.create(join(folder, 'postgres'))).close();
  const draft = `${KEPT}.${process.pid}`;
  await pack(join(folder, 'postgres'), draft);
  const file = openSync(draft, 'r');
  fsyncSync(file);
  closeSync(file);
  renameSync(draft, KEPT);
  rmSync(folder, { recursive: true });
}
// Another process may build at the same time.
copyFileSync(KEPT, `${TEMPLATE}.${process.pid}`);
renameSync(`${TEMPLATE}.${process.pid}`, TEMPLATE);
