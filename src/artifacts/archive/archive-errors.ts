/** The package is not a zip that Pierhead accepts; the message is one sentence for the person who pushed it. */
export class InvalidArchive extends Error {
  override readonly name = 'InvalidArchive';
}

/** The zip is sound, but has no `manifest.json` that browsers accept; the message is one sentence saying why. */
export class InvalidManifest extends Error {
  override readonly name = 'InvalidManifest';
}
