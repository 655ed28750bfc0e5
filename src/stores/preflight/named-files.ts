import { asList, asRecord, asText } from '../../common/net/pure.js';
import type { PackageFacts } from './preflight.js';

/** A file that a manifest names, and where. */
export interface NamedFile {
  readonly path: string;
  readonly file: string;
}

type Manifest = PackageFacts['manifest'];

function one(path: string, value: unknown): readonly NamedFile[] {
  const file = asText(value);
  return file === undefined ? [] : [{ path, file }];
}

const each = (path: string, value: unknown): readonly NamedFile[] =>
  asList(value).flatMap((item, at) => one(`${path}[${at}]`, item));

/** Sizes of icons that are looked at; real extensions have a handful. */
const MAX_NAMES = 1000;

/** One file, or several by their names. */
const byName = (path: string, value: unknown): readonly NamedFile[] => [
  ...one(path, value),
  ...Object.entries(asRecord(value) ?? {})
    .slice(0, MAX_NAMES)
    .flatMap(([name, file]) => one(`${path}.${name}`, file)),
];

export const icons = (manifest: Manifest): readonly NamedFile[] => byName('icons', manifest['icons']);

export const contentScripts = (manifest: Manifest): readonly NamedFile[] =>
  asList(manifest['content_scripts']).flatMap((script, at) => [
    ...each(`content_scripts[${at}].js`, asRecord(script)?.['js']),
    ...each(`content_scripts[${at}].css`, asRecord(script)?.['css']),
  ]);

/** Files that run in the background under Manifest V2, and in Firefox. */
export const backgroundPages = ({ background }: Manifest): readonly NamedFile[] => [
  ...each('background.scripts', asRecord(background)?.['scripts']),
  ...one('background.page', asRecord(background)?.['page']),
];

export const serviceWorker = ({ background }: Manifest): readonly NamedFile[] =>
  one('background.service_worker', asRecord(background)?.['service_worker']);

/** The buttons of an extension. */
export const BUTTONS = ['action', 'browser_action', 'page_action'] as const;

/** Icons of a button. */
export const buttonIcons = (manifest: Manifest, key: string): readonly NamedFile[] =>
  byName(`${key}.default_icon`, asRecord(manifest[key])?.['default_icon']);

/** Chromium reads sizes as numbers; where the manifest has one in several forms, such as "+16", the last in order counts. */
export const lastOfEachSize = (named: readonly NamedFile[]): readonly NamedFile[] => {
  const inOrder = named.toSorted((a, b) => Number(a.path > b.path) - Number(a.path < b.path));
  return [...new Map(inOrder.map((icon) => [icon.path.replace(/\.\+?0*(?=\d{1,10}$)/, '.'), icon])).values()];
};

export const themeImages = (manifest: Manifest): readonly NamedFile[] =>
  byName('theme.images', asRecord(asRecord(manifest['theme'])?.['images']));

/** Icons for dark and for light themes of Firefox. */
export const themeIcons = (manifest: Manifest): readonly NamedFile[] =>
  asList(asRecord(manifest['browser_action'])?.['theme_icons']).flatMap((icon, at) =>
    ['dark', 'light'].flatMap((theme) => one(`browser_action.theme_icons[${at}].${theme}`, asRecord(icon)?.[theme])),
  );

/** Pages that are opened later. */
export const otherPages = (manifest: Manifest): readonly NamedFile[] => [
  ...[...BUTTONS, 'sidebar_action'].flatMap((key) =>
    ['default_popup', 'default_panel'].flatMap((page) => one(`${key}.${page}`, asRecord(manifest[key])?.[page])),
  ),
  ...each('sandbox.pages', asRecord(manifest['sandbox'])?.['pages']),
  ...one('devtools_page', manifest['devtools_page']),
  ...one('user_scripts.api_script', asRecord(manifest['user_scripts'])?.['api_script']),
];

/** The pages that an extension can replace. */
const OVERRIDES = ['newtab', 'history', 'bookmarks'];

/** The buttons of a Manifest Version; Chromium ignores the others. */
export const buttonsOf = (manifest: Manifest): readonly string[] =>
  manifest['manifest_version'] === 2 ? ['browser_action', 'page_action'] : ['action'];

/** The other files without which Chromium does not load an extension. */
export const pagesAndRules = (manifest: Manifest): readonly NamedFile[] => [
  ...buttonsOf(manifest).flatMap((key) => lastOfEachSize(buttonIcons(manifest, key))),
  ...one('options_page', manifest['options_page']),
  ...one('options_ui.page', asRecord(manifest['options_ui'])?.['page']),
  ...OVERRIDES.flatMap((key) => one(`chrome_url_overrides.${key}`, asRecord(manifest['chrome_url_overrides'])?.[key])),
  ...(manifest['manifest_version'] === 2
    ? []
    : one('side_panel.default_path', asRecord(manifest['side_panel'])?.['default_path'])),
  ...one('storage.managed_schema', asRecord(manifest['storage'])?.['managed_schema']),
  ...asList(asRecord(manifest['declarative_net_request'])?.['rule_resources']).flatMap((resource, at) =>
    one(`declarative_net_request.rule_resources[${at}].path`, asRecord(resource)?.['path']),
  ),
];

/** Every file that a manifest names. */
export const allNamed = (manifest: Manifest): readonly NamedFile[] => [
  ...iconFiles(manifest),
  ...themeImages(manifest),
  ...contentScripts(manifest),
  ...backgroundPages(manifest),
  ...serviceWorker(manifest),
  ...otherPages(manifest),
  ...pagesAndRules(manifest),
];

/** Every icon that a manifest names. */
export const iconFiles = (manifest: Manifest): readonly NamedFile[] => [
  ...icons(manifest),
  ...[...BUTTONS, 'sidebar_action'].flatMap((key) => buttonIcons(manifest, key)),
  ...themeIcons(manifest),
];
