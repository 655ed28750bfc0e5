import { asRecord } from '../../common/net/pure.js';
import type { Oracle, PackageFacts, PreflightRule } from './preflight.js';

type Manifest = PackageFacts['manifest'];

/** A value of the manifest, and where it stands. */
export interface Placed {
  readonly path: string;
  readonly value: unknown;
}

/** Many rules look at the same places, of which a manifest may fill one with a hundred thousand values. */
const valuesByPlace = new WeakMap<Manifest, Map<string, readonly Placed[]>>();

/** The values at a place such as `content_scripts[].matches[]` or `icons.*`. */
export function valuesAt(manifest: Manifest, place: string): readonly Placed[] {
  const known = valuesByPlace.get(manifest) ?? new Map<string, readonly Placed[]>();
  valuesByPlace.set(manifest, known);
  const values = known.get(place) ?? find(manifest, place);
  known.set(place, values);
  return values;
}

const find = (manifest: Manifest, place: string): readonly Placed[] =>
  place
    .replaceAll('[]', '.[]')
    .split('.')
    .reduce<readonly Placed[]>(
      (found, step) => found.flatMap((each) => within(each, step)),
      [{ path: '', value: manifest }],
    );

function within({ path, value }: Placed, step: string): readonly Placed[] {
  if (step === '[]') {
    return Array.isArray(value) ? value.map((item: unknown, at) => ({ path: `${path}[${at}]`, value: item })) : [];
  }
  const members = asRecord(value) ?? {};
  const names = step === '*' ? Object.keys(members) : Object.hasOwn(members, step) ? [step] : [];
  return names.map((name) => ({ path: path === '' ? name : `${path}.${name}`, value: members[name] }));
}

/** Values that a place of the manifest accepts. */
export interface Expectation {
  readonly at: string;
  /** The only Manifest Version in which it is expected; both when absent. */
  readonly version?: 2 | 3;
  /** As a noun that can follow "must be". */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const kind =
  (expected: string, accepts: (value: unknown) => boolean) =>
  (...places: readonly string[]): readonly Expectation[] =>
    places.map((at) => ({ at, expected, accepts }));

export const texts = kind('a string', (value) => typeof value === 'string');
export const objects = kind('an object', (value) => asRecord(value) !== undefined);
export const lists = kind('a list', Array.isArray);
export const flags = kind('true or false', (value) => typeof value === 'boolean');
/** A text of some form. */
export const matching = (expected: string, form: RegExp, ...places: readonly string[]): readonly Expectation[] =>
  kind(expected, (value) => typeof value === 'string' && form.test(value))(...places);
export const oneOf = (at: string, ...values: readonly string[]): readonly Expectation[] =>
  kind(`one of ${values.join(', ')}`, (value) => values.some((each) => each === value))(at);
/** Limits expectations to one Manifest Version. */
export const onlyIn = (version: 2 | 3, expectations: readonly Expectation[]): readonly Expectation[] =>
  expectations.map((each) => ({ ...each, version }));

/** Icons by their sizes. */
export const iconSizes = (form: RegExp, ...places: readonly string[]): readonly Expectation[] =>
  kind('an object whose keys are sizes in pixels', (value) =>
    Object.keys(asRecord(value) ?? {}).every((size) => form.test(size)),
  )(...places);

/** A file, or several by their sizes. */
export const pictures = kind('the name of a file, or an object with names of files', (value) =>
  typeof value === 'string'
    ? value !== ''
    : Object.values(asRecord(value) ?? [null]).every((file) => typeof file === 'string'),
);

/** Values that browser programs refuse alike. */
export const COMMON_VALUES: readonly Expectation[] = [
  ...texts('short_name', 'description', 'devtools_page', 'minimum_chrome_version'),
  ...objects('icons', 'commands'),
  ...texts('icons.*', 'chrome_url_overrides.newtab', 'chrome_url_overrides.history', 'chrome_url_overrides.bookmarks'),
  ...onlyIn(3, [...objects('action'), ...texts('action.default_title', 'action.default_popup')]),
  ...onlyIn(2, texts('browser_action.default_title')),
  ...oneOf('incognito', 'spanning', 'split', 'not_allowed'),
  ...oneOf('content_scripts[].run_at', 'document_start', 'document_end', 'document_idle'),
  ...oneOf('content_scripts[].world', 'ISOLATED', 'MAIN'),
  ...flags('content_scripts[].all_frames'),
  ...lists('content_scripts[].include_globs', 'sandbox.pages', 'web_accessible_resources'),
  ...kind('a list with a pattern', (value) => Array.isArray(value) && value.length > 0)('content_scripts[].matches'),
  ...onlyIn(3, [
    ...texts('background.service_worker'),
    ...oneOf('background.type', 'classic', 'module'),
    ...objects('content_security_policy', 'web_accessible_resources[]'),
    ...texts('content_security_policy.extension_pages'),
    ...matching(
      'a policy with the directive sandbox, and without allow-same-origin',
      /^(?=.*\bsandbox\b)(?!.*allow-same-origin)/is,
      'content_security_policy.sandbox',
    ),
  ]),
  ...onlyIn(2, [...flags('background.persistent'), ...texts('content_security_policy', 'web_accessible_resources[]')]),
];

/** Values of another type or form than the store's program accepts. */
export const wrongValues = (
  expectations: readonly Expectation[],
  source: string,
  confirmedBy: readonly Oracle[],
): PreflightRule => ({
  code: 'wrong_value',
  severity: 'refused',
  about: 'A key of the manifest has a value of a wrong type or form.',
  source,
  confirmedBy,
  find: ({ manifest }) =>
    expectations
      .filter(({ version = manifest['manifest_version'] }) => version === manifest['manifest_version'])
      .flatMap(({ at, expected, accepts }) =>
        valuesAt(manifest, at)
          .filter(({ value }) => !accepts(value))
          .map(({ path, value }) => ({ what: `${path} must be ${expected}`, path, thing: value })),
      ),
});

const MAX_QUOTED = 100;

/** Match patterns that the store's program cannot read. */
export const badPatterns = (
  form: RegExp,
  places: readonly string[],
  source: string,
  confirmedBy: readonly Oracle[],
): PreflightRule => ({
  code: 'bad_pattern',
  severity: 'refused',
  about: `A match pattern in ${places.map((place) => `\`${place.replace(/\[\]$/, '')}\``).join(', ')} is not valid.`,
  source,
  confirmedBy,
  find: ({ manifest }) =>
    places
      .flatMap((place) => valuesAt(manifest, place))
      .filter(({ value }) => typeof value === 'string' && !form.test(value))
      .map(({ path, value }) => ({
        what: `${path} is "${String(value).slice(0, MAX_QUOTED)}", which is no match pattern such as https://example.com/*`,
        path,
        thing: value,
      })),
});

/** Keys that a Manifest Version ignores, each with the key that counts instead. */
export const ignoredKeys = (
  keys: Readonly<Record<2 | 3, Readonly<Record<string, string>>>>,
  source: string,
): PreflightRule => ({
  code: 'ignored_key',
  severity: 'warning',
  about: 'The manifest has a key of the other Manifest Version, which is ignored.',
  source,
  confirmedBy: [],
  find: ({ manifest }) => {
    const version = manifest['manifest_version'] === 2 ? 2 : 3;
    return Object.entries(keys[version])
      .filter(([key]) => Object.hasOwn(manifest, key))
      .map(([key, instead]) => ({
        what: `${key} is ignored in Manifest V${version}. Use ${instead}`,
        path: key,
      }));
  },
});

const HOST = /^(?:<all_urls>|(?:\*|https?|file|ftp|wss?|chrome|chrome-extension|moz-extension|resource|about|data):)/;

/** Hosts that browsers ignore, because they stand at the wrong place or cannot be read. */
export const ignoredHosts = (source: string): PreflightRule => ({
  code: 'ignored_host',
  severity: 'warning',
  about: 'A host is among the `permissions` of Manifest V3, or in `host_permissions` is no match pattern.',
  source,
  confirmedBy: [],
  find: ({ manifest }) => {
    if (manifest['manifest_version'] !== 3) return [];
    const misplaced = valuesAt(manifest, 'permissions[]').filter(
      ({ value }) => typeof value === 'string' && (value === '<all_urls>' || value.includes('://')),
    );
    const broken = valuesAt(manifest, 'host_permissions[]').filter(
      ({ value }) => typeof value === 'string' && (!HOST.test(value) || /^https?:\/\/[^/]*$/.test(value)),
    );
    return [
      ...misplaced.map(({ path, value }) => ({
        what: `${path} is a host, which belongs in host_permissions`,
        path,
        thing: value,
      })),
      ...broken.map(({ path, value }) => ({
        what: `${path} is ignored, because it is no match pattern such as https://example.com/*`,
        path,
        thing: value,
      })),
    ];
  },
});
