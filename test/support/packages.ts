import yazl from 'yazl';

/** A Manifest V3 manifest, with what matters to the test changed. */
export const manifestOf = (version: string, changes: object = {}): object => ({
  manifest_version: 3,
  name: 'Night Owl',
  version,
  permissions: ['storage'],
  background: { service_worker: 'background.js', scripts: ['background.js'] },
  ...changes,
});

/** The same for all, so that the same files are the same package whenever they are packed. */
const MODIFIED = new Date(2020, 0);

/** Zips files given by name. */
export async function zipOf(
  files: Readonly<Record<string, string | Buffer>>,
  mtime = MODIFIED,
  compress = true,
): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name, { mtime, compress });
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A package that a store takes. */
export const packageOf = (version: string, changes: object = {}): Promise<Buffer> =>
  zipOf({
    'manifest.json': JSON.stringify(manifestOf(version, changes)),
    'background.js': `console.log(${JSON.stringify(version)});`,
  });
