import { absent } from './absent-files.js';
import { icons, otherPages } from './named-files.js';
import type { PreflightRule } from './preflight.js';

/** Pages that nothing checks when a package is loaded. */
export const absentPage: PreflightRule = {
  ...absent(
    otherPages,
    'The manifest names a popup or another page that the package does not have.',
    'https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/manifest.json',
    [],
  ),
  code: 'absent_page',
  severity: 'warning',
};

/** Chromium reads each icon, if only its first byte. */
export const emptyIcon: PreflightRule = {
  code: 'empty_icon',
  severity: 'refused',
  about: 'An icon of the manifest is an empty file.',
  source: 'https://developer.chrome.com/docs/extensions/reference/manifest/icons',
  confirmedBy: ['chromium'],
  find: ({ manifest, contents }) =>
    icons(manifest)
      .filter(({ file }) => contents?.files.get(file) === 0)
      .map(({ path, file }) => ({ what: `${path} names "${file}", which is empty`, path })),
};

const RESERVED = /^_(?!locales\/|metadata\/|platform_specific\/)[^/]*/;

/** Chromium loads no unpacked extension with such a name. */
export const reservedName: PreflightRule = {
  code: 'reserved_name',
  severity: 'warning',
  about: 'A file or folder at the root has a name that starts with "_", which Chromium keeps for itself.',
  source: 'https://github.com/chromium/chromium/blob/main/extensions/common/file_util.cc',
  confirmedBy: [],
  find: ({ contents }) =>
    [...new Set([...(contents?.files.keys() ?? [])].flatMap((file) => RESERVED.exec(file)?.[0] ?? []))]
      .filter((name) => name !== '__MACOSX')
      .map((name) => ({ what: `the package has "${name}", and Chromium keeps names that start with "_"`, file: name })),
};

/** Files that are part of no extension: secrets first, then what systems and tools leave behind. */
const LEFT_OVER =
  /(?:^|\/)(?:\.git|\.env(?:\.[^/]*)?|__MACOSX|\.DS_Store|Thumbs\.db|id_rsa|id_ed25519|[^/]+\.pem)(?:\/|$)/i;

export const leftOver: PreflightRule = {
  code: 'left_over',
  severity: 'warning',
  about:
    'The package has a key (`*.pem`, `id_rsa`), an `.env`, a `.git`, or what a system leaves in folders, such as `.DS_Store`.',
  source: 'https://github.com/mozilla/addons-linter/blob/master/src/const.js',
  confirmedBy: [],
  find: ({ contents }) =>
    [
      ...new Set(
        [...(contents?.files.keys() ?? [])].flatMap((file) => {
          const found = LEFT_OVER.exec(file);
          return found === null ? [] : [file.slice(0, found.index + found[0].length).replace(/\/$/, '')];
        }),
      ),
    ].map((file) => ({ what: `the package has "${file}", which users would receive. Leave it out`, file })),
};
