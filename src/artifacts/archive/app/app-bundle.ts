import { quotable } from '../../../common/net/pure.js';
import { InvalidArchive } from '../archive-errors.js';
import { dictionaryIn, parsePlist, textIn, type PlistDictionary } from './plist.js';

/** The platforms of an app, as targets name them. */
export type AppPlatform = 'macos' | 'ios';

/** The app in a signed package, by the Info.plist of its bundle. */
export interface AppBundle {
  readonly bundleId: string;
  /** `CFBundleShortVersionString`. */
  readonly version: string;
  /** `CFBundleVersion`. */
  readonly buildNumber: string;
}

/** Extension points of Safari: web extensions, and app extensions from before them. */
const EXTENSION_POINTS: ReadonlySet<string | null> = new Set([
  'com.apple.Safari.web-extension',
  'com.apple.Safari.extension',
]);

/** Where a platform keeps the properties of an app, and of the app extensions in it. */
const PLACES: Readonly<Record<AppPlatform, { readonly app: RegExp; readonly extension: RegExp }>> = {
  macos: {
    app: /^(?<folder>(?:[^/]+\/)*?[^/]+\.app)\/Contents\/Info\.plist$/,
    extension: /^(?<folder>(?:[^/]+\/)*?[^/]+\.app)\/Contents\/PlugIns\/[^/]+\.appex\/Contents\/Info\.plist$/,
  },
  ios: {
    app: /^(?<folder>Payload\/[^/]+\.app)\/Info\.plist$/,
    extension: /^(?<folder>Payload\/[^/]+\.app)\/PlugIns\/[^/]+\.appex\/Info\.plist$/,
  },
};

/** Paths of macOS packages begin with a dot. */
const plain = (path: string): string => path.replace(/^\.\//, '');

const folderIn = (path: string, place: RegExp): string | undefined => {
  const folder = place.exec(plain(path))?.groups?.['folder'];
  // Apps within apps are helpers.
  return folder === undefined || /\.app\//.test(folder) ? undefined : folder;
};

/** Whether a file tells what an app is, or what an extension in it is. */
export const isPropertyList = (path: string, platform: AppPlatform): boolean =>
  folderIn(path, PLACES[platform].app) !== undefined || folderIn(path, PLACES[platform].extension) !== undefined;

/** The folder of the one app among these files. @throws InvalidArchive unless there is one */
export function appFolder(paths: Iterable<string>, platform: AppPlatform): string {
  const folders = new Set([...paths].flatMap((path) => folderIn(path, PLACES[platform].app) ?? []));
  const [folder, ...others] = folders;
  if (folder === undefined) throw new InvalidArchive('The package contains no app.');
  if (others.length > 0)
    throw new InvalidArchive('The package contains more than one app, and the App Store takes one at a time.');
  return folder;
}

/**
 * Reads the app, and makes sure that it brings an extension of Safari.
 * @param files the property lists of a package, by path
 * @throws InvalidArchive
 */
export function readApp(files: ReadonlyMap<string, Buffer>, platform: AppPlatform): AppBundle {
  const folder = appFolder(files.keys(), platform);
  const read = (path: string, bytes: Buffer): PlistDictionary => parsePlist(bytes, quotable(plain(path)));
  let app: PlistDictionary = {};
  let hasExtension = false;
  for (const [path, bytes] of files) {
    if (folderIn(path, PLACES[platform].app) === folder) app = read(path, bytes);
    else if (folderIn(path, PLACES[platform].extension) === folder) {
      const point = textIn(dictionaryIn(read(path, bytes), 'NSExtension'), 'NSExtensionPointIdentifier');
      hasExtension ||= EXTENSION_POINTS.has(point);
    }
  }
  if (!hasExtension)
    throw new InvalidArchive(
      'The app contains no extension of Safari: none of its app extensions has the extension point com.apple.Safari.web-extension.',
    );
  return {
    bundleId: property(app, 'CFBundleIdentifier', /^[A-Za-z0-9.-]{1,255}$/, 'a bundle id'),
    version: property(app, 'CFBundleShortVersionString', VERSION, 'one to three numbers joined by dots'),
    buildNumber: property(
      app,
      'CFBundleVersion',
      BUILD_NUMBER,
      'one to three integers joined by dots, in at most 18 characters',
    ),
  };
}

/** Numbers without leading zeros, as pushed versions have them. */
const VERSION = /^(?:0|[1-9]\d{0,8})(?:\.(?:0|[1-9]\d{0,8})){0,2}$/;
/** As Apple takes it; often a time (src/stores/README.md#safari-uploads). */
const BUILD_NUMBER = /^(?=.{1,18}$)\d+(?:\.\d+){0,2}$/;

function property(app: PlistDictionary, key: string, pattern: RegExp, what: string): string {
  const value = textIn(app, key);
  if (value === null) throw new InvalidArchive(`The Info.plist of the app has no ${key}.`);
  if (!pattern.test(value))
    throw new InvalidArchive(`The ${key} in the Info.plist of the app is "${quotable(value)}", and not ${what}.`);
  return value;
}
