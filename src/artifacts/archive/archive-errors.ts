/** The package is not a zip that Pierhead accepts; the message is one sentence for the person who pushed it. */
export class InvalidArchive extends Error {
  override readonly name = 'InvalidArchive';
}

/** The zip is sound, but has no `manifest.json` that browsers accept; the message is one sentence saying why. */
export class InvalidManifest extends Error {
  override readonly name = 'InvalidManifest';
}

const LONGEST_SHOWN = 120;

/** Text out of a package as it may stand in a sentence: short, and without characters that disturb a terminal. */
export function shown(text: string): string {
  const clean = text.slice(0, LONGEST_SHOWN).replace(/\p{C}/gu, '\uFFFD');
  return text.length > LONGEST_SHOWN ? `${clean}…` : clean;
}
