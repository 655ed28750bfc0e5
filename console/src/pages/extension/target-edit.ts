import type { Schemas } from '../../api';
import type { Conflict } from '../../ui';
import { platformName } from '../../ui/names';

export type Settings = Schemas['UpdateTarget'];
type Target = Schemas['Target'];

/** The settings that people change, by what they are called in the form. */
export const SETTINGS = {
  storeItemId: 'Item',
  crxId: 'Public id',
  credentialId: 'Credential',
  enabled: 'Publish to this store',
  platforms: 'Platforms',
  channel: 'Channel',
  onPending: 'When another version is in review',
  release: 'Once approved',
  rolloutPercent: 'Percent of users',
  releaseNotes: 'Release notes',
  reviewerNotes: 'Notes for reviewers',
  skipReview: 'Skip the review',
  signedUploads: 'Takes only signed packages',
  watched: 'Watch what the store serves',
  fileWatched: 'Compare the file that users get',
  preflight: 'What the store would refuse',
  encryption: 'Encryption',
  xcodeCloudWorkflow: 'Xcode Cloud workflow',
  xcodeCloudTag: 'Tag that Xcode Cloud builds',
  storefront: 'Country of the ratings',
} as const satisfies Readonly<Record<keyof Settings, string>>;

const NAMES = Object.keys(SETTINGS) as readonly (keyof Settings)[];

function shown(value: Settings[keyof Settings]): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'object' ? value.map(platformName).join(', ') : String(value);
}

/** Changes of others since a target was read, beside those of the form. */
export const conflictsOf = (before: Target, now: Target, draft: Settings): readonly Conflict<keyof Settings>[] =>
  NAMES.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name])).map((name) => ({
    name,
    label: SETTINGS[name],
    theirs: shown(now[name]),
    mine: draft[name] === undefined ? null : shown(draft[name]),
  }));

/** Ids in the address of an item, or the reason that it has none. */
export function idsIn(
  url: string,
  stores: readonly Pick<Schemas['StoreDescription'], 'id' | 'title' | 'item'>[],
  wanted: Target['store'],
): { readonly ids: Pick<Settings, 'storeItemId' | 'crxId'> } | { readonly fault: string } {
  for (const { id, title, item } of stores)
    for (const source of item.urls) {
      const groups = new RegExp(source).exec(url.trim())?.groups;
      if (groups === undefined) continue;
      if (id !== wanted) return { fault: `This is an address of ${title}.` };
      const { storeItemId, crxId, slug } = groups;
      if (storeItemId === undefined && crxId === undefined)
        return {
          fault:
            slug === undefined
              ? 'This address names no item.'
              : 'This address names the add-on without its id. Copy the id from its manifest.',
        };
      return {
        ids: {
          ...(storeItemId === undefined ? {} : { storeItemId: decodeURIComponent(storeItemId) }),
          ...(crxId === undefined ? {} : { crxId }),
        },
      };
    }
  return { fault: 'No store has such addresses. Copy the address of the listing or of the dashboard.' };
}
