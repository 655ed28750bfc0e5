import { asList, asRecord } from '../../common/net/pure.js';
import { insecurePolicy } from './content-security.js';
import { absentPage, forDevelopment, leftOver, reservedName, sourceMaps } from './files.js';
import { emptyIcon, iconSize, unreadableIcon } from './icons.js';
import { CHROMIUM_PERMISSIONS, FIREFOX_PERMISSIONS, unknownPermissions } from './permissions.js';
import { absentResource, remoteScripts, undecodableScript } from './resources.js';
import type { Hit, PackageFacts, PreflightRule } from './preflight.js';
import { absentInChromium, emptyLocale, locales, longText, undefinedMessages } from './rules.js';
import {
  badPatterns,
  COMMON_VALUES,
  flags,
  iconSizes,
  ignoredHosts,
  ignoredKeys,
  matching,
  onlyIn,
  pictures,
  texts,
  valuesAt,
  wrongValues,
} from './values.js';
import { isMediaKey, isShortcut, suggestionsIn } from './shortcuts.js';

const REFERENCE = 'https://developer.chrome.com/docs/extensions/reference';
const LOCALES = `${REFERENCE}/api/i18n`;
const PATTERNS = 'https://developer.chrome.com/docs/extensions/develop/concepts/match-patterns';
const MIGRATION = 'https://developer.chrome.com/docs/extensions/develop/migrate/manifest';
const PATTERN =
  /^(?:<all_urls>|file:\/\/.*|uuid-in-package:.*|(?:\*|https?|ftp):\/\/(?:\*|(?:\*\.)?[^*/]+)(?::(?:\*|\d+))?\/.*)$/s;

const refused = (
  code: string,
  about: string,
  source: string,
  find: (manifest: PackageFacts['manifest']) => readonly Hit[],
): PreflightRule => ({
  code,
  severity: 'refused',
  about,
  source,
  confirmedBy: ['chromium'],
  find: ({ manifest }) => find(manifest),
});

/** Pairs that exclude each other under Manifest V2. */
const EXCLUSIVE = [
  ['background', ['scripts', 'page', 'service_worker']],
  ['', ['browser_action', 'page_action']],
] as const;

const conflictingKeys = refused(
  'conflicting_keys',
  'A manifest of Manifest V2 has two of the keys that exclude each other, such as `background.scripts` and `background.page`.',
  MIGRATION,
  (manifest) =>
    manifest['manifest_version'] === 2
      ? EXCLUSIVE.flatMap(([parent, keys]) => {
          const members = parent === '' ? manifest : (asRecord(manifest[parent]) ?? {});
          const present = keys.filter((key) => Object.hasOwn(members, key) && !isEmptyList(members[key]));
          const [path = '', ...others] = present.map((key) => (parent === '' ? key : `${parent}.${key}`));
          return others.length > 0 ? [{ what: `${path} excludes ${others.join(' and ')}. Keep one`, path }] : [];
        })
      : [],
);

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const emptyScript = refused(
  'empty_content_script',
  'A content script has neither `js` nor `css`.',
  `${REFERENCE}/manifest/content-scripts`,
  (manifest) =>
    valuesAt(manifest, 'content_scripts[]')
      .filter(({ value }) => ['js', 'css'].every((key) => asList(asRecord(value)?.[key]).length === 0))
      .map(({ path, value }) => ({ what: `${path} has neither js nor css`, path, thing: value })),
);

const twoOverrides = refused(
  'two_overrides',
  'The manifest overrides more than one page.',
  `${REFERENCE}/manifest/chrome-url-overrides`,
  (manifest) => {
    const path = 'chrome_url_overrides';
    const pages = Object.keys(asRecord(manifest[path]) ?? {}).filter((page) =>
      ['newtab', 'history', 'bookmarks'].includes(page),
    );
    return pages.length > 1
      ? [{ what: `${path} replaces ${pages.join(' and ')}, and may replace one page`, path }]
      : [];
  },
);

const openResources = refused(
  'wrong_resources',
  'In Manifest V3, an entry of `web_accessible_resources` has no `resources`, says not to whom it is open, or names a path beyond `/*`.',
  `${REFERENCE}/manifest/web-accessible-resources`,
  (manifest) =>
    manifest['manifest_version'] === 3
      ? valuesAt(manifest, 'web_accessible_resources[]').flatMap(({ path, value }): readonly Hit[] => {
          const entry = asRecord(value);
          if (entry === undefined) return [];
          if (!Array.isArray(entry['resources']))
            return [{ what: `${path} has no list of resources`, path, thing: entry }];
          if (!['matches', 'extension_ids', 'use_dynamic_url'].some((key) => Object.hasOwn(entry, key))) {
            return [{ what: `${path} has neither matches nor extension_ids`, path, thing: entry }];
          }
          return asList(entry['matches']).flatMap((pattern, at) => {
            const isHost = typeof pattern !== 'string' || (pattern.includes('://') && pattern.endsWith('/*'));
            const place = `${path}.matches[${at}]`;
            return isHost || pattern === '<all_urls>'
              ? []
              : [{ what: `${place} must end with "/*" after the host`, path: place, thing: pattern }];
          });
        })
      : [],
);

const rulesWithoutPermission = refused(
  'wrong_rules',
  'The manifest has `declarative_net_request` without its permission, or two sets of rules with the same id.',
  `${REFERENCE}/api/declarativeNetRequest`,
  (manifest) => {
    const path = 'declarative_net_request';
    const ids = valuesAt(manifest, `${path}.rule_resources[].id`).map(({ value }) => value);
    if (ids.length === 0) return [];
    const permissions = asList(manifest['permissions']);
    const isAllowed = permissions.some((each) => typeof each === 'string' && each.startsWith('declarativeNetRequest'));
    return [
      ...(isAllowed ? [] : [{ what: `${path} needs the permission declarativeNetRequest`, path }]),
      ...(new Set(ids).size < ids.length ? [{ what: `${path} has two sets of rules with the same id`, path }] : []),
    ];
  },
);

/** Shortcuts that Chromium suggests at most. */
const MAX_SHORTCUTS = 4;

const wrongCommands = refused(
  'wrong_command',
  'A command has no description or an invalid shortcut, or more than four suggest one.',
  `${REFERENCE}/api/commands`,
  (manifest) => {
    const own = valuesAt(manifest, 'commands.*').filter(({ path }) => !path.startsWith('commands._execute_'));
    const suggesting = valuesAt(manifest, 'commands.*.suggested_key');
    const counted = suggesting.filter(({ value }) =>
      suggestionsIn(value).some((one) => one.platform === 'default' && !isMediaKey(one)),
    );
    return [
      ...own
        .filter(({ value }) => typeof (asRecord(value) ?? { description: '' })['description'] !== 'string')
        .map(({ path }) => ({ what: `${path} has no description`, path })),
      ...suggesting.flatMap(({ path, value }) =>
        suggestionsIn(value)
          .filter((one) => !isShortcut(one, path.startsWith('commands._execute_')))
          .map(({ platform }) => (asRecord(value) === undefined ? path : `${path}.${platform}`))
          .map((place) => ({ what: `${place} is no shortcut such as Ctrl+Shift+Y`, path: place })),
      ),
      ...(counted.length > MAX_SHORTCUTS
        ? [{ what: `${counted.length} commands suggest a shortcut, and at most 4 may`, path: 'commands' }]
        : []),
    ];
  },
);

/** Chromium never runs the background of another browser. */
const backgroundForOthers: PreflightRule = {
  code: 'no_service_worker',
  severity: 'warning',
  about: 'A manifest of Manifest V3 has a `background` without `service_worker`.',
  source: MIGRATION,
  confirmedBy: [],
  find: ({ manifest }) => {
    const background = asRecord(manifest['background']);
    if (manifest['manifest_version'] !== 3 || background === undefined) return [];
    if (Object.hasOwn(background, 'service_worker') || Object.keys(background).length === 0) return [];
    return [{ what: 'background has no service_worker, and nothing else runs in Manifest V3', path: 'background' }];
  },
};

/** Up to 2048 pixels. */
const SIZE = /^\+?0*(?!0)(?:\d{1,3}|1\d{3}|20[0-3]\d|204[0-8])$/;
const V3_ICONS = 'action.default_icon';
const V2_ICONS = ['browser_action.default_icon', 'page_action.default_icon'];

const VALUES = [
  ...COMMON_VALUES,
  ...iconSizes(SIZE, 'icons'),
  ...onlyIn(3, [...iconSizes(SIZE, V3_ICONS), ...pictures(V3_ICONS)]),
  ...onlyIn(2, [...iconSizes(SIZE, ...V2_ICONS), ...pictures(...V2_ICONS)]),
  ...matching('an address with http or https, or a message', /^(?:https?:\/\/.|__MSG_)/i, 'homepage_url'),
  ...matching('a version such as 120 or 120.0', /^(?:0|[1-9]\d*)(?:\.\d+)*$/, 'minimum_chrome_version'),
  ...matching('a locale such as en or pt_BR', /^[a-z]{2,3}(?:_[A-Z][A-Za-z]*|_\d+)*$/, 'default_locale'),
  ...onlyIn(3, texts('side_panel.default_path')),
  ...flags('declarative_net_request.rule_resources[].enabled', 'offline_enabled'),
];

/** Rules that the Chrome Web Store and Edge Add-ons share. */
export const CHROMIUM_RULES: readonly PreflightRule[] = [
  longText('description', 132, `${REFERENCE}/manifest/description`),
  ...locales(LOCALES, ['chromium']),
  emptyLocale(LOCALES, 'chromium'),
  undefinedMessages(LOCALES, ['chromium']),
  absentInChromium,
  emptyIcon,
  wrongValues(VALUES, `${REFERENCE}/manifest`, ['chromium']),
  badPatterns(PATTERN, ['content_scripts[].matches[]', 'content_scripts[].exclude_matches[]'], PATTERNS, ['chromium']),
  insecurePolicy,
  conflictingKeys,
  emptyScript,
  undecodableScript,
  twoOverrides,
  openResources,
  rulesWithoutPermission,
  wrongCommands,
  backgroundForOthers,
  ignoredKeys(
    {
      2: { action: 'browser_action', host_permissions: 'permissions' },
      3: { browser_action: 'action', page_action: 'action' },
    },
    MIGRATION,
  ),
  ignoredHosts(PATTERNS),
  absentPage,
  absentResource,
  unreadableIcon,
  iconSize('chromium'),
  ...unknownPermissions(CHROMIUM_PERMISSIONS, FIREFOX_PERMISSIONS),
  remoteScripts('https://developer.chrome.com/docs/webstore/troubleshooting'),
  reservedName,
  leftOver,
  forDevelopment,
  sourceMaps,
];
