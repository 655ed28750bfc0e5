/** Zips, and files of which a part is read: nothing in one is believed before it was checked. */
export { BoundedReader } from './bounded-reader.js';
export { readDirectory } from './directory.js';
export type { PackedFile } from './entry-rules.js';
export { digestContents, readPackedFile, type ContentDigests } from './packed-file.js';
