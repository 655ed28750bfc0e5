import { asRecord } from '../../common/net/index.js';
import {
  BUTTONS,
  backgroundPages,
  contentScripts,
  icons,
  pagesAndRules,
  serviceWorker,
  type NamedFile,
} from './named-files.js';
import type { Finding, Messages, PackageFacts, PreflightRule, Severity } from './preflight.js';

type Manifest = PackageFacts['manifest'];

const MESSAGE = /^__MSG_([\w@]+)__$/;
const messageKey = (text: unknown): string | undefined =>
  typeof text === 'string' ? MESSAGE.exec(text)?.[1]?.toLowerCase() : undefined;

/** Undefined where they are not known. */
const textsIn = (messages: Messages | undefined): ReadonlyMap<string, string> | undefined =>
  messages === undefined || messages === 'not read' || 'fault' in messages ? undefined : messages;

/** A key that a store does not accept at the top of the manifest. */
export const forbiddenKey =
  (key: string, severity: Severity, source: string): PreflightRule =>
  ({ manifest }) =>
    Object.hasOwn(manifest, key)
      ? [{ code: `has_${key}`, severity, what: `the manifest has the key "${key}". Remove it`, path: key, source }]
      : [];

/** The description in each language. */
export const longDescription =
  (most: number, source: string): PreflightRule =>
  ({ manifest: { description }, contents }) => {
    const key = messageKey(description);
    const texts: readonly (readonly [path: string, text: unknown])[] =
      key === undefined
        ? [['description', description]]
        : [...(contents?.locales ?? [])].map(([locale, messages]) => [
            `_locales/${locale}/messages.json`,
            textsIn(messages)?.get(key),
          ]);
    return texts.flatMap(([path, text]) => {
      const length = typeof text === 'string' ? [...text].length : 0;
      const where = path === 'description' ? 'the description' : `the description in ${path}`;
      const what = `${where} has ${length} characters, and at most ${most} are accepted`;
      return length > most ? [{ code: 'long_description', severity: 'refused', what, path, source }] : [];
    });
  };

const absent =
  (named: (manifest: Manifest) => readonly NamedFile[], source: string): PreflightRule =>
  ({ manifest, contents }) =>
    contents === null
      ? []
      : named(manifest)
          .filter(({ file }) => !contents.files.has(plain(file)) && !contents.files.has(decoded(plain(file))))
          .map(({ path, file }) => ({
            code: 'absent_file',
            severity: 'refused',
            what: `${path} names "${file}", which the package does not have`,
            path,
            source,
          }));

/** As browsers look a file up: from the root, with or without a slash. */
const plain = (file: string): string => file.replace(/[?#].*$/s, '').replace(/^(?:\.?\/)+/, '');

/** Pages are named by addresses. */
function decoded(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

/** Manifest V3 takes the worker, V2 pages and scripts. Chromium packs no extension that lacks one of these files. */
export const absentInChromium = absent(
  (manifest) => [
    ...icons(manifest),
    ...(manifest['manifest_version'] === 2 ? backgroundPages(manifest) : serviceWorker(manifest)),
    ...contentScripts(manifest),
    ...pagesAndRules(manifest),
  ],
  'https://developer.chrome.com/docs/extensions/reference/manifest',
);

/** What addons-linter, which AMO runs, looks for. */
export const absentInFirefox = absent(
  (manifest) => [...icons(manifest), ...backgroundPages(manifest), ...contentScripts(manifest)],
  'https://github.com/mozilla/addons-linter/blob/master/src/messages/manifestjson.js',
);

/** `default_locale` and the folders of locales need each other, and every file of messages must be readable. */
export const locales =
  (source: string): PreflightRule =>
  ({ manifest: { default_locale: main }, contents }) => {
    if (contents === null) return [];
    const finding = (code: string, what: string, path: string): Finding => ({
      code,
      severity: 'refused',
      what,
      path,
      source,
    });
    const found = [...contents.locales].flatMap(([locale, messages]) => {
      const path = `_locales/${locale}/messages.json`;
      return typeof messages === 'object' && 'fault' in messages
        ? [finding('broken_messages', `${path} ${messages.fault}`, path)]
        : [];
    });
    if (typeof main !== 'string') {
      const hasFolders = [...contents.files].some((file) => file.startsWith('_locales/'));
      const what = 'the package has _locales, and the manifest no default_locale';
      return hasFolders ? [finding('no_default_locale', what, 'default_locale'), ...found] : found;
    }
    if (contents.locales.has(main)) return found;
    const what = `default_locale is "${main}", and the package has no _locales/${main}/messages.json`;
    return [finding('no_messages', what, 'default_locale'), ...found];
  };

/** The texts in which browsers put messages. */
const localizedIn = (manifest: Manifest): readonly (readonly [path: string, text: unknown])[] => [
  ...['name', 'short_name', 'description'].map((key) => [key, manifest[key]] as const),
  ...BUTTONS.map((key) => [`${key}.default_title`, asRecord(manifest[key])?.['default_title']] as const),
  ...Object.entries(asRecord(manifest['commands']) ?? {}).map(
    ([name, command]) => [`commands.${name}.description`, asRecord(command)?.['description']] as const,
  ),
];

/** Chromium knows those with @@ by itself. */
export const undefinedMessages =
  (source: string): PreflightRule =>
  ({ manifest, contents }) => {
    const main = manifest['default_locale'];
    const messages = typeof main === 'string' ? textsIn(contents?.locales.get(main)) : undefined;
    if (messages === undefined) return [];
    return localizedIn(manifest).flatMap(([path, text]) => {
      const key = messageKey(text);
      if (key === undefined || key.startsWith('@@') || messages.has(key)) return [];
      const what = `${path} is ${String(text)}, which _locales/${String(main)}/messages.json does not have`;
      return [{ code: 'undefined_message', severity: 'refused', what, path, source }];
    });
  };
