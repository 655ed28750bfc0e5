import { absent } from './absent-files.js';
import { allNamed, otherPages } from './named-files.js';
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

/** Secrets, and what systems and tools leave behind. */
const LEFT_OVER =
  /(?:^|\/)(?:\.git|\.svn|\.hg|\.env(?:rc|\.[^/]*)?|\.npmrc|\.netrc|__MACOSX|\.DS_Store|Thumbs\.db|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]+\.(?:pem|p12|pfx|key|jks|keystore|env))(?:\/|$)/i;

/** Files that serve development alone. */
const FOR_DEVELOPMENT =
  /(?:^|\/)(?:node_modules|bower_components|tests?|__tests__|__mocks__|\.github|\.idea|\.vscode|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|[^/]+\.(?:test|spec)\.[cm]?[jt]sx?)(?:\/|$)/i;

/** The outermost files and folders with such a name on the paths of files. */
const outermost = (files: Iterable<string>, form: RegExp): ReadonlySet<string> =>
  new Set(
    [...files].flatMap((file) => {
      const found = form.exec(file);
      return found === null ? [] : [file.slice(0, found.index + found[0].length).replace(/\/$/, '')];
    }),
  );

/** Files that are part of no extension. */
export const leftOver: PreflightRule = {
  code: 'left_over',
  severity: 'warning',
  about:
    'The package has a key (such as `*.pem`, `*.p12`, `id_rsa`), an `.env`, an `.npmrc`, a `.git`, or what a system leaves in folders, such as `.DS_Store`.',
  source: 'https://github.com/mozilla/addons-linter/blob/master/src/const.js',
  confirmedBy: [],
  find: ({ contents }) =>
    [...outermost(contents?.files.keys() ?? [], LEFT_OVER)].map((file) => ({
      what: `the package has "${file}", which users would receive. Leave it out`,
      file,
    })),
};

const DEVELOPMENT = 'https://extensionworkshop.com/documentation/develop/web-ext-command-reference/';

/** A file that the manifest names is there on purpose. */
export const forDevelopment: PreflightRule = {
  code: 'for_development',
  severity: 'warning',
  about: 'The package has `node_modules`, tests, a lock file such as `package-lock.json`, or settings of an editor.',
  source: DEVELOPMENT,
  confirmedBy: [],
  find: ({ manifest, contents }) => {
    const named = allNamed(manifest).map(({ file }) => file.replace(/^(?:\.?\/)+/, ''));
    const needed = outermost(named, FOR_DEVELOPMENT);
    return [...outermost(contents?.files.keys() ?? [], FOR_DEVELOPMENT)]
      .filter((found) => !needed.has(found))
      .map((file) => ({
        what: `the package has "${file}", which is for development. Leave out what the extension does not load`,
        file,
      }));
  },
};

/** They show reviewers the sources, and make updates larger for users. */
export const sourceMaps: PreflightRule = {
  code: 'source_maps',
  severity: 'warning',
  about: 'The package has source maps (`*.js.map`, `*.css.map`).',
  source: DEVELOPMENT,
  confirmedBy: [],
  find: ({ contents }) => {
    const maps = [...(contents?.files ?? [])].filter(([file]) => /\.(?:[cm]?js|css)\.map$/i.test(file));
    const [first] = maps;
    if (first === undefined) return [];
    const kilobytes = Math.ceil(maps.reduce((sum, [, size]) => sum + size, 0) / KILOBYTE);
    const which =
      maps.length === 1 ? `the source map "${first[0]}"` : `${maps.length} source maps, such as "${first[0]}"`;
    return [{ what: `the package has ${which}: ${kilobytes} kB that browsers read only for debugging`, file: null }];
  },
};

const KILOBYTE = 1000;
