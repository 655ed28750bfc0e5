import { asRecord } from '../../common/net/pure.js';
import {
  BUTTONS,
  backgroundPages,
  contentScripts,
  icons,
  pagesAndRules,
  serviceWorker,
  type NamedFile,
} from './named-files.js';
import type { Hit, Messages, Oracle, PackageFacts, PreflightRule, Severity } from './preflight.js';

type Manifest = PackageFacts['manifest'];

const MESSAGE = /^__MSG_([\w@]+)__$/;
const messageKey = (text: unknown): string | undefined =>
  typeof text === 'string' ? MESSAGE.exec(text)?.[1]?.toLowerCase() : undefined;

/** Undefined where they are not known. */
const textsIn = (messages: Messages | undefined): ReadonlyMap<string, string> | undefined =>
  messages === undefined || messages === 'not read' || 'fault' in messages ? undefined : messages;

/** A key that a store does not accept at the top of the manifest. */
export const forbiddenKey = (key: string, severity: Severity, source: string): PreflightRule => ({
  code: `has_${key}`,
  severity,
  about: `The manifest has the key \`${key}\`.`,
  source,
  confirmedBy: [],
  find: ({ manifest }) =>
    Object.hasOwn(manifest, key)
      ? [
          {
            what: `the manifest has the key "${key}"${severity === 'refused' ? '' : ', which may be refused'}. Remove it`,
            path: key,
          },
        ]
      : [],
});

/** A text of the manifest in each language in which the package has it. */
function localizedTexts(
  { manifest, contents }: PackageFacts,
  key: string,
): readonly { readonly file: string; readonly text: unknown }[] {
  const message = messageKey(manifest[key]);
  return message === undefined
    ? [{ file: 'manifest.json', text: manifest[key] }]
    : [...(contents?.locales ?? [])].map(([locale, messages]) => ({
        file: messagesOf(locale),
        text: textsIn(messages)?.get(message),
      }));
}

const messagesOf = (locale: string): string => `_locales/${locale}/messages.json`;

/** A text of the manifest that is longer than the store accepts, in any language. */
export const longText = (
  key: string,
  most: number,
  source: string,
  confirmedBy: readonly Oracle[] = [],
): PreflightRule => ({
  code: `long_${key}`,
  refusedAs: new RegExp(`${key}\\b.* (?:is )?too long`, 'is'),
  severity: 'refused',
  about: `The \`${key}\` has more than ${most} characters in one of the languages.`,
  source,
  confirmedBy,
  find: (facts) =>
    localizedTexts(facts, key).flatMap(({ file, text }) => {
      const length = typeof text === 'string' ? [...text].length : 0;
      const where = file === 'manifest.json' ? `the ${key}` : `the ${key} in ${file}`;
      const what = `${where} has ${length} characters, and at most ${most} are accepted`;
      return length > most ? [{ what, file, path: key }] : [];
    }),
});

const absent = (
  named: (manifest: Manifest) => readonly NamedFile[],
  about: string,
  source: string,
  confirmedBy: readonly Oracle[],
): PreflightRule => ({
  code: 'absent_file',
  severity: 'refused',
  about,
  source,
  confirmedBy,
  find: ({ manifest, contents }) =>
    contents === null
      ? []
      : named(manifest)
          .filter(({ file }) => !contents.files.has(plain(file)) && !contents.files.has(decoded(plain(file))))
          .map(({ path, file }) => ({ what: `${path} names "${file}", which the package does not have`, path })),
});

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
  'The manifest names an icon, a script, a page or a file of rules that the package does not have.',
  'https://developer.chrome.com/docs/extensions/reference/manifest',
  ['chromium'],
);

/** What addons-linter, which AMO runs, looks for. */
export const absentInFirefox = absent(
  (manifest) => [...icons(manifest), ...backgroundPages(manifest), ...contentScripts(manifest)],
  'The manifest names an icon, a background script or page, or a content script that the package does not have.',
  'https://github.com/mozilla/addons-linter/blob/master/src/messages/manifestjson.js',
  ['addons-linter'],
);

/** `default_locale` and the folders of locales need each other, and every file of messages must be readable. */
export function locales(source: string, confirmedBy: readonly Oracle[]): readonly PreflightRule[] {
  const rule = (code: string, about: string, find: (facts: PackageFacts) => readonly Hit[]): PreflightRule => ({
    code,
    severity: 'refused',
    about,
    source,
    confirmedBy,
    find,
  });
  return [
    rule('broken_messages', 'A `messages.json` cannot be read, or has an entry without a message.', ({ contents }) =>
      [...(contents?.locales ?? [])].flatMap(([locale, messages]) => {
        const file = messagesOf(locale);
        return typeof messages === 'object' && 'fault' in messages ? [{ what: `${file} ${messages.fault}`, file }] : [];
      }),
    ),
    rule('no_default_locale', 'The package has `_locales`, and the manifest no `default_locale`.', (facts) => {
      const hasFolders = [...(facts.contents?.files.keys() ?? [])].some((file) => file.startsWith('_locales/'));
      const what = 'the package has _locales, and the manifest no default_locale';
      return hasFolders && typeof facts.manifest['default_locale'] !== 'string'
        ? [{ what, path: 'default_locale' }]
        : [];
    }),
    rule('no_messages', 'The package has no `messages.json` for its `default_locale`.', ({ manifest, contents }) => {
      const main = manifest['default_locale'];
      if (contents === null || typeof main !== 'string' || contents.locales.has(main)) return [];
      const what = `default_locale is "${main}", and the package has no ${messagesOf(main)}`;
      return [{ what, path: 'default_locale' }];
    }),
  ];
}

/** The texts in which browsers put messages. */
const localizedIn = (manifest: Manifest): readonly (readonly [path: string, text: unknown])[] => [
  ...['name', 'short_name', 'description'].map((key) => [key, manifest[key]] as const),
  ...BUTTONS.map((key) => [`${key}.default_title`, asRecord(manifest[key])?.['default_title']] as const),
  ...Object.entries(asRecord(manifest['commands']) ?? {}).map(
    ([name, command]) => [`commands.${name}.description`, asRecord(command)?.['description']] as const,
  ),
];

/** Chromium knows those with @@ by itself. */
export const undefinedMessages = (source: string, confirmedBy: readonly Oracle[]): PreflightRule => ({
  code: 'undefined_message',
  severity: 'refused',
  about: 'The manifest uses a message that the `default_locale` does not define.',
  source,
  confirmedBy,
  find: ({ manifest, contents }) => {
    const main = manifest['default_locale'];
    const messages = typeof main === 'string' ? textsIn(contents?.locales.get(main)) : undefined;
    if (messages === undefined) return [];
    return localizedIn(manifest).flatMap(([path, text]) => {
      const key = messageKey(text);
      if (key === undefined || key.startsWith('@@') || messages.has(key)) return [];
      return [{ what: `${path} is ${String(text)}, which ${messagesOf(String(main))} does not have`, path }];
    });
  },
});

const MEGABYTE = 1_000_000;
const NEAR_LIMIT = 0.9;

/** Rounded up, so that a package just beyond a limit does not read as if it were the limit. */
const megabytes = (bytes: number): string => `${Math.ceil((bytes / MEGABYTE) * 10) / 10} MB`;

/** A package that is larger than the store accepts, or nearly. @param most bytes */
export const size = (most: number, source: string): readonly PreflightRule[] => [
  {
    code: 'too_large',
    severity: 'refused',
    about: `The zip is larger than ${megabytes(most)}.`,
    source,
    confirmedBy: [],
    find: (facts) =>
      facts.size > most
        ? [
            {
              what: `the package is ${megabytes(facts.size)}, more than the ${megabytes(most)} that are accepted`,
              file: null,
            },
          ]
        : [],
  },
  {
    code: 'nearly_too_large',
    severity: 'note',
    about: `The zip is larger than ${megabytes(most * NEAR_LIMIT)}, and at most ${megabytes(most)} are accepted.`,
    source,
    confirmedBy: [],
    find: (facts) =>
      facts.size >= most * NEAR_LIMIT && facts.size <= most
        ? [
            {
              what: `the package is ${megabytes(facts.size)}, close to the ${megabytes(most)} that are accepted`,
              file: null,
            },
          ]
        : [],
  },
];
