import { asRecord, countCharacters } from '../../common/net/pure.js';
import { absent } from './absent-files.js';
import { iconsInFirefox } from './icons.js';
import {
  BUTTONS,
  backgroundPages,
  contentScripts,
  icons,
  lastOfEachSize,
  pagesAndRules,
  serviceWorker,
  themeIcons,
  themeImages,
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

/** A package of Manifest V2 at a store that takes none, or not for long. @param what follows as a clause */
export const manifestV2 = (
  rule: Pick<PreflightRule, 'code' | 'severity' | 'about' | 'source'>,
  what: string,
): PreflightRule => ({
  ...rule,
  confirmedBy: [],
  find: ({ manifest }) =>
    manifest['manifest_version'] === 2
      ? [{ what: `this is a Manifest V2 package, ${what}`, path: 'manifest_version' }]
      : [],
});

/** Chromium ignores folders with other names. */
const CHROMIUM_LOCALES: ReadonlySet<string> = new Set(
  'ar am bg bn ca cs da de el en en_AU en_GB en_US es es_419 et fa fi fil fr gu he hi hr hu id it ja kn ko lt lv ml mr ms nl no pl pt_BR pt_PT ro ru sk sl sr sv sw ta te th tr uk vi zh_CN zh_TW'.split(
    ' ',
  ),
);

/** The locales that a browser reads: Chromium ignores folders with other names, unless one is the default. */
const localesRead = (
  { manifest, contents }: PackageFacts,
  isChromium: boolean,
): readonly (readonly [locale: string, messages: Messages])[] =>
  [...(contents?.locales ?? [])].filter(
    ([locale]) => !isChromium || CHROMIUM_LOCALES.has(locale) || locale === manifest['default_locale'],
  );

/** A text of the manifest in each language in which the package has it. */
function localizedTexts(
  facts: PackageFacts,
  key: string,
): readonly { readonly file: string; readonly text: unknown }[] {
  const message = messageKey(facts.manifest[key]);
  return message === undefined
    ? [{ file: 'manifest.json', text: facts.manifest[key] }]
    : localesRead(facts, true).map(([locale, messages]) => ({
        file: messagesOf(locale),
        text: textsIn(messages)?.get(message),
      }));
}

const messagesOf = (locale: string): string => `_locales/${locale}/messages.json`;

/** A text of the manifest that is longer than the store accepts, in any language. */
export const longText = (key: string, most: number, source: string, severity: Severity = 'refused'): PreflightRule => ({
  code: `long_${key}`,
  refusedAs: new RegExp(`${key}\\b.* (?:is )?too long`, 'is'),
  severity,
  about: `The \`${key}\` has more than ${most} characters in one of the languages.`,
  source,
  confirmedBy: [],
  find: (facts) =>
    localizedTexts(facts, key).flatMap(({ file, text }) => {
      const length = typeof text === 'string' ? countCharacters(text) : 0;
      const where = file === 'manifest.json' ? `the ${key}` : `the ${key} in ${file}`;
      const what = `${where} has ${length} characters, and ${severity === 'note' ? `only ${most} are shown` : `at most ${most} are accepted`}`;
      return length > most ? [{ what, file, path: key }] : [];
    }),
});

/** Manifest V3 takes the worker, V2 pages and scripts. Chromium packs no extension that lacks one of these files. */
export const absentInChromium = absent(
  (manifest) => [
    ...lastOfEachSize(icons(manifest)),
    ...(manifest['manifest_version'] === 2 ? backgroundPages(manifest) : serviceWorker(manifest)),
    ...contentScripts(manifest),
    ...pagesAndRules(manifest),
    ...themeImages(manifest),
  ],
  'The manifest names an icon, a script, a page or a file of rules that the package does not have.',
  'https://developer.chrome.com/docs/extensions/reference/manifest',
  ['chromium'],
);

/** Rules of addons-linter, which AMO runs. */
export const absentInFirefox = absent(
  (manifest) => [
    ...iconsInFirefox(manifest),
    ...themeIcons(manifest),
    ...backgroundPages(manifest),
    ...contentScripts(manifest),
    ...themeImages(manifest),
  ],
  'The manifest names an icon, a background script or page, a content script, or an image of a theme that the package does not have.',
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
    rule('broken_messages', 'A `messages.json` cannot be read, or has an entry without a message.', (facts) =>
      localesRead(facts, !confirmedBy.includes('addons-linter')).flatMap(([locale, messages]) => {
        const file = messagesOf(locale);
        return typeof messages === 'object' && 'fault' in messages ? [{ what: `${file} ${messages.fault}`, file }] : [];
      }),
    ),
    rule('no_default_locale', 'The package has `_locales`, and the manifest no `default_locale`.', (facts) => {
      const { files, locales: found } = facts.contents ?? { files: new Map(), locales: new Map() };
      // addons-linter looks for messages, Chromium for the folder.
      const hasLocales = confirmedBy.includes('addons-linter')
        ? found.size > 0
        : [...files.keys()].some((file) => file.startsWith('_locales/'));
      const what = 'the package has _locales, and the manifest no default_locale';
      return hasLocales && typeof facts.manifest['default_locale'] !== 'string'
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

/** A folder of a locale without its messages. */
export const emptyLocale = (source: string, oracle: Oracle): PreflightRule => ({
  code: 'empty_locale',
  severity: 'refused',
  about: 'A folder in `_locales` has no `messages.json`.',
  source,
  confirmedBy: [oracle],
  find: ({ manifest, contents }) => {
    if (contents === null || typeof manifest['default_locale'] !== 'string') return [];
    const folders = new Set([...contents.files.keys()].flatMap((file) => /^_locales\/([^/]+)\//.exec(file)?.[1] ?? []));
    return [...folders]
      .filter((locale) => !contents.locales.has(locale) && locale !== manifest['default_locale'])
      .filter((locale) => oracle !== 'chromium' || CHROMIUM_LOCALES.has(locale))
      .map((locale) => ({ what: `_locales/${locale} has no messages.json`, file: `_locales/${locale}` }));
  },
});

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
  about: 'The manifest uses a message that no locale defines.',
  source,
  confirmedBy,
  find: ({ manifest, contents }) => {
    const main = manifest['default_locale'];
    const messages = typeof main === 'string' ? textsIn(contents?.locales.get(main)) : undefined;
    if (messages === undefined) return [];
    // Which locale counts depends on the browser's language.
    const defined = [...(contents?.locales.values() ?? [])].flatMap((one) => textsIn(one) ?? []);
    return localizedIn(manifest).flatMap(([path, text]) => {
      const key = messageKey(text);
      if (key === undefined || key.startsWith('@@') || defined.some((one) => one.has(key))) return [];
      return [{ what: `${path} is ${String(text)}, which ${messagesOf(String(main))} does not have`, path }];
    });
  },
});

const MEGABYTE = 1_000_000;
const NEAR_LIMIT = 0.9;

/** The rules of `size`. */
export const SIZE_CODES: ReadonlySet<string> = new Set(['too_large', 'nearly_too_large']);

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
