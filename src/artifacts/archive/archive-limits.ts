const MEBIBYTE = 1024 * 1024;

/** Entries in a package; the largest extensions known hold a few thousand. */
export const MAX_ENTRIES = 20_000;

/** Bytes in the name of one entry; no file system would take more. */
export const MAX_NAME_BYTES = 1024;

/** Bytes of all names together, which are held in memory; packages of 20,000 entries have names of 1.5 MB. */
export const MAX_NAMES_BYTES = 4 * MEBIBYTE;

/** Bytes of the whole package once unpacked. */
export const MAX_TOTAL_BYTES = 2048 * MEBIBYTE;

/** What deflate cannot exceed, so a directory that claims more lies; seconds of silence and models full of zeros reach it. */
export const MAX_ENTRY_RATIO = 1032;

/** Maximum compression ratio of the whole package. */
export const MAX_TOTAL_RATIO = 150;

/** Packages up to this size have no ratio limit. */
export const TOTAL_RATIO_FROM_BYTES = 64 * MEBIBYTE;

/** Bytes of `manifest.json`, and of the messages file that may contain its name, once unpacked. */
export const MAX_JSON_BYTES = MEBIBYTE;

/** Nested objects and lists in a JSON file; where Chrome stops too. */
export const MAX_JSON_DEPTH = 200;

/** Items in one list of the manifest. */
export const MAX_LIST_ITEMS = 10_000;

/** Characters in one text of the manifest. */
export const MAX_TEXT_LENGTH = 2000;
