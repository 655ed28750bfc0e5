import { truncate } from '../../common/net/pure.js';
import { matchOf, notesForListing, type ReleaseNotes } from '../release-notes.js';
import type { VersionDetails } from './firefox.client.js';
import type { AddonVersion } from './firefox.states.js';

/** Characters of release notes in one locale (src/stores/README.md#firefox-calls). */
export const FIREFOX_MAX_NOTES = 3000;

/** The locales of addons.mozilla.org (src/stores/README.md#firefox-calls); a text in any other refuses the whole version. */
export const FIREFOX_LOCALES: readonly string[] =
  'af ar ast az bg bn bs ca cak cs da de dsb el en-CA en-GB en-US es et eu fa fi fr fy-NL ga-IE gu he hr hsb hu id it ja ka kab ko lt lv mk mn ms mt nb-NO nl nn-NO pa-IN pl pt-BR pt-PT ro ru sk sl sq sv-SE te th tr uk ur vi zh-CN zh-TW'.split(
    ' ',
  );

/** The release notes of a version by AMO's locales, always in the add-on's default locale where there is a text for it. Pure. */
export function addonNotes(notes: ReleaseNotes, defaultLocale: string): ReturnType<typeof notesForListing> {
  const known = Object.keys(notes.localizedNotes).flatMap((locale) => matchOf(locale, FIREFOX_LOCALES) ?? []);
  const { texts, leftOut } = notesForListing(notes, [...new Set([defaultLocale, ...known])], defaultLocale);
  const fitting = Object.entries(texts).map(([locale, text]) => [locale, truncate(text, FIREFOX_MAX_NOTES)]);
  return { texts: Object.fromEntries(fitting), leftOut };
}

/**
 * The changes that give a version its details, one each, as AMO may refuse one of them. Apps that the manifest names are left alone: AMO refuses to
 * change those (src/stores/README.md#firefox-calls). Pure.
 */
export const changesAfter = (
  { release_notes: notes, compatibility = [] }: VersionDetails,
  { apps }: Pick<AddonVersion, 'apps'>,
): readonly VersionDetails[] => [
  ...(notes === undefined ? [] : [{ release_notes: notes }]),
  ...(compatibility.every((app) => apps.includes(app)) ? [] : [{ compatibility }]),
];
