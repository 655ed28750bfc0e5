import { iconFiles, lookedUpAs, type PackageFacts } from '../../stores/pure.js';
import { pictureIn } from './picture.js';
import { readPackedFile, type BoundedReader, type PackedFile } from './zip/index.js';

/** Largest icon that is kept: icons of a few thousand bytes are usual. */
const MAX_ICON_BYTES = 64 * 1024;
const MAX_ICON_SIDE = 1024;
/** Sharp where pages show it at 32 pixels, on a screen with two for each. */
const WANTED_SIDE = 64;

/**
 * The files that can be the icon of an extension, by their names in the package, best first: the smallest that is sharp, larger ones, then
 * smaller ones; those of buttons after its own. Pure.
 */
export function iconCandidates(manifest: PackageFacts['manifest']): readonly string[] {
  const ranked = iconFiles(manifest).toSorted((one, other) => rank(one.path) - rank(other.path));
  return [...new Set(ranked.flatMap(({ file, path }) => lookedUpAs(file, path, ['addons-linter'])))];
}

/** @param path in the manifest, such as `icons.128` */
function rank(path: string): number {
  const side = Number(/(?<!\d)\d+$/.exec(path)?.[0] ?? 0);
  return (path.startsWith('icons') ? 0 : 2e9) + (side >= WANTED_SIDE ? side : 1e9 - side);
}

/** The first candidate that is a picture within the limits; null where the package has none. */
export async function readIcon(
  reader: BoundedReader,
  files: readonly PackedFile[],
  manifest: PackageFacts['manifest'],
): Promise<Buffer | null> {
  const byName = new Map(files.map((file) => [file.name, file]));
  for (const name of iconCandidates(manifest).slice(0, MAX_TRIED)) {
    const file = byName.get(name);
    if (file === undefined || Math.max(file.size, file.packedSize) > MAX_ICON_BYTES) continue;
    const content = await readPackedFile(reader, file);
    const { kind, size } = pictureIn(content);
    if (kind !== 'other' && Math.max(size?.width ?? 0, size?.height ?? 0) <= MAX_ICON_SIDE) return content;
  }
  return null;
}

/** A manifest can name any number of files. */
const MAX_TRIED = 20;
