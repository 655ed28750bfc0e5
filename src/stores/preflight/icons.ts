import { lookedUpAs } from './absent-files.js';
import { BUTTONS, buttonIcons, buttonsOf, icons, lastOfEachSize, type NamedFile } from './named-files.js';
import type { Hit, Oracle, PackageFacts, Picture, PreflightRule } from './preflight.js';

const ICONS = 'https://developer.chrome.com/docs/extensions/reference/manifest/icons';

interface NamedPicture extends NamedFile {
  readonly picture: Picture;
}

/** The icons that the package has, with what they are. */
const known = ({ contents }: PackageFacts, named: readonly NamedFile[], oracle: Oracle): readonly NamedPicture[] =>
  named.flatMap((one) => {
    const picture = lookedUpAs(one.file, one.path, [oracle])
      .map((form) => contents?.pictures.get(form))
      .find((found) => found !== undefined);
    return picture === undefined ? [] : [{ ...one, picture }];
  });

const ofChromium = ({ manifest }: PackageFacts): readonly NamedFile[] =>
  [icons(manifest), ...buttonsOf(manifest).map((key) => buttonIcons(manifest, key))].flatMap(lastOfEachSize);

const about = ({ path, file }: NamedFile, what: string): Hit => ({
  what: `${path} names "${file}", which ${what}`,
  path,
  thing: file,
});

/** Chromium reads each icon, if only its first byte. */
export const emptyIcon: PreflightRule = {
  code: 'empty_icon',
  severity: 'refused',
  about: 'An icon of the manifest or of its button is an empty file.',
  source: ICONS,
  confirmedBy: ['chromium'],
  find: (facts) =>
    ofChromium(facts)
      .filter(({ file }) => facts.contents?.files.get(file) === 0)
      .map((one) => about(one, 'is empty')),
};

/** Formats that Chromium does not decode at an installation; it packs them, and stores take them. */
const UNREADABLE: Partial<Record<Picture['kind'], string>> = {
  svg: 'is an SVG',
  webp: 'is a WebP',
  other: 'is no image',
};

export const unreadableIcon: PreflightRule = {
  code: 'unreadable_icon',
  severity: 'warning',
  about: 'An icon is an SVG, a WebP or no image: Chromium installs no such package ("Could not decode image").',
  source: ICONS,
  confirmedBy: [],
  find: (facts) =>
    known(facts, ofChromium(facts), 'chromium').flatMap((one) => {
      const kind = facts.contents?.files.get(one.file) === 0 ? undefined : UNREADABLE[one.picture.kind];
      return kind === undefined ? [] : [about(one, `${kind}: Chromium then installs no such package. Use a PNG`)];
    }),
};

const STORE_ICON = 128;

/** Packages without any icons may have one in the store's listing alone. */
export const noStoreIcon: PreflightRule = {
  code: 'no_store_icon',
  severity: 'warning',
  about: `The manifest has \`icons\`, and none of ${STORE_ICON} pixels, or another image than a PNG there.`,
  source: 'https://developer.chrome.com/docs/webstore/images',
  confirmedBy: [],
  find: (facts) => {
    const all = icons(facts.manifest);
    if (all.length === 0) return [];
    const path = `icons.${STORE_ICON}`;
    const own = all.filter((one) => one.path === path);
    if (own.length === 0)
      return [{ what: `icons has none of ${STORE_ICON} pixels, which the store shows`, path: 'icons' }];
    return known(facts, own, 'chromium')
      .filter(({ picture: { kind } }) => kind !== 'png' && !(kind in UNREADABLE))
      .map((one) => about(one, 'is no PNG, and the store asks for one'));
  },
};

/** Browsers scale such an icon. */
export const iconSize = (oracle: Oracle): PreflightRule => ({
  code: 'icon_size',
  severity: 'note',
  about: 'An icon has another size in pixels than the manifest says.',
  source:
    oracle === 'chromium' ? ICONS : 'https://github.com/mozilla/addons-linter/blob/master/src/messages/manifestjson.js',
  confirmedBy: [],
  find: (facts) =>
    known(facts, icons(facts.manifest), oracle).flatMap((one) => {
      const { size } = one.picture;
      const named = Number(one.path.slice(one.path.lastIndexOf('.') + 1));
      if (size === null || (size.width === named && size.height === named)) return [];
      return [about(one, `has ${size.width} x ${size.height} pixels`)];
    }),
});

const LOOKED_AT = /\.(?:jpe?g|webp|gif|png)$/i;

/** It does not look at those of `action`. */
const FIREFOX_BUTTONS = [...BUTTONS.filter((key) => key !== 'action'), 'sidebar_action'];

/** Icons that addons-linter looks at. */
export const iconsInFirefox = (manifest: PackageFacts['manifest']): readonly NamedFile[] => [
  ...icons(manifest),
  ...FIREFOX_BUTTONS.flatMap((key) => buttonIcons(manifest, key)),
];

export const oblongIcon: PreflightRule = {
  code: 'oblong_icon',
  severity: 'refused',
  about: 'An icon is not square.',
  source: 'https://github.com/mozilla/addons-linter/blob/master/src/messages/manifestjson.js',
  confirmedBy: ['addons-linter'],
  find: (facts) =>
    known(facts, iconsInFirefox(facts.manifest), 'addons-linter').flatMap((one) => {
      const { kind, size } = one.picture;
      const isSquare = size === null || size.width === size.height;
      return isSquare || kind === 'svg' || kind === 'other' || !LOOKED_AT.test(one.file)
        ? []
        : [about(one, `has ${size.width} x ${size.height} pixels, and must be square`)];
    }),
};
