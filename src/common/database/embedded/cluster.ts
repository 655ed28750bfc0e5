import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPromise } from 'yauzl';
import { killAtExit, makeFolder, syncAllToDisk, syncToDisk, typed } from '../../system/index.js';

const require = createRequire(import.meta.url);
const PGLITE = require.resolve('@electric-sql/pglite');
const YAUZL = require.resolve('yauzl');

/** The version of PGlite, which alone decides what its initdb makes: neither settings nor the environment do. */
export const PGLITE_VERSION = (require(join(dirname(PGLITE), '../package.json')) as { readonly version: string })
  .version;

/** The file that the build packs: a new cluster as a zip, with the version of PGlite that made it as its comment. */
export const TEMPLATE = fileURLToPath(new URL('../../../../dist/embedded-cluster.zip', import.meta.url));

/**
 * Runs initdb in a separate process, which takes 700 MB until it ends. PGlite blocks its thread, so another one notices the end of the
 * process that wanted the cluster: its end of the pipe closes, and the cluster is nobody's.
 */
const INITDB = `
  const { Worker } = require('node:worker_threads');
  const [path, folder] = process.argv.slice(1);
  process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume();
  new Worker('require(process.argv[2]).PGlite.create(process.argv[3]).then((made) => made.close())', { eval: true, argv: [path, folder] })
    .on('exit', (code) => process.exit(code));
`;
/**
 * Unpacks the template in a separate process as well: beside the service on another core, and none of its memory stays with the service. A
 * folder comes before what is in it. To inflate each of a thousand small files in one call takes half the time of streams.
 */
const UNPACK = `
  const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
  const { inflateRawSync } = require('node:zlib');
  const [path, template, folder] = process.argv.slice(1);
  process.stdin.on('end', () => process.exit(1)).resume().unref();
  (async () => {
    const packed = readFileSync(template);
    const zip = await require(path).fromBufferPromise(packed);
    for await (const entry of zip.eachEntry()) {
      const to = folder + '/' + entry.fileName;
      if (to.endsWith('/')) {
        mkdirSync(to, { mode: 0o700 });
        continue;
      }
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      const deflated = packed.subarray(fileDataStart, fileDataStart + entry.compressedSize);
      const content = inflateRawSync(deflated);
      if (content.length !== entry.uncompressedSize) throw new Error(entry.fileName + ' is damaged');
      writeFileSync(to, content, { mode: 0o600 });
    }
  })();
`;
const FOLDER = 'postgres';
const DRAFT = 'postgres.new.';

/** The major version of PostgreSQL that PGlite is. */
export const ENGINE = '18';

/** The cluster was made by another major version of PostgreSQL, whose files this one cannot read. */
export class OtherEngine extends Error {
  override readonly name = 'OtherEngine';

  constructor(dataDir: string, made: string) {
    super(
      `${dataDir} has an embedded database of PostgreSQL ${made}, and this version of Pierhead has ${ENGINE}. Start the version that made it and back it up (“${typed('backup')}”), then restore that into an empty DATA_DIR with this one (“${typed('restore')}”).`,
    );
  }
}

/** Whether a data folder has a cluster. */
export const hasCluster = (dataDir: string): Promise<boolean> =>
  stat(join(dataDir, FOLDER, 'PG_VERSION')).then(
    () => true,
    () => false,
  );

/**
 * Returns the folder of the cluster. A first start unpacks the template, or runs initdb, which takes seconds, where there is none of this version
 * of PGlite. Both work under another name first, so that a crash leaves no incomplete cluster.
 * @throws OtherEngine
 */
export async function clusterIn(dataDir: string, template = TEMPLATE): Promise<string> {
  const folder = join(dataDir, FOLDER);
  if (await hasCluster(dataDir)) {
    const made = (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim();
    if (made !== ENGINE) throw new OtherEngine(dataDir, made);
    return folder;
  }
  for (const name of await readdir(dataDir))
    if (name.startsWith(DRAFT)) await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined);
  const draft = join(dataDir, `${DRAFT}${randomUUID()}`);
  await makeFolder(draft);
  if (!(await isUsable(template)) || !(await runToEnd(UNPACK, YAUZL, template, draft))) {
    // A part of a damaged template may be there.
    await rm(draft, { recursive: true });
    await makeFolder(draft);
    if (!(await runToEnd(INITDB, PGLITE, draft)))
      throw new Error(`The embedded database could not be created in ${draft}`);
  }
  await syncAllToDisk(draft);
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder);
  await syncToDisk(dataDir);
  return folder;
}

/** Whether there is a template that this version of PGlite made. A damaged one is none: initdb makes what it would have. */
async function isUsable(template: string): Promise<boolean> {
  const zip = await openPromise(template).catch(() => null);
  zip?.close();
  return zip?.comment === PGLITE_VERSION;
}

async function runToEnd(script: string, ...args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, ['-e', script, ...args], { stdio: ['pipe', 'ignore', 'inherit'] });
  killAtExit(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
