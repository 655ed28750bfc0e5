import { countCharacters } from '../../common/net/pure.js';
import { isHostPattern, type PackageManifest } from './manifest.js';

/** Questions of Chrome's and Edge's privacy pages about data, by the names of their check boxes (src/stores/README.md#chrome-privacy-page). */
export const DATA_USES = {
  personallyIdentifiable: 'Personally identifiable information',
  health: 'Health information',
  financial: 'Financial and payment information',
  authentication: 'Authentication information',
  personalCommunications: 'Personal communications',
  location: 'Location',
  webHistory: 'Web history',
  userActivity: 'User activity',
  websiteContent: 'Website content',
} as const;

/** Most characters of one answer there. */
export const MAX_JUSTIFICATION = 1000;

/** The name of the reason for each host that has none of its own. */
const ANY_HOST = '*';

/** Why an extension asks for what it asks for. */
export interface Justifications {
  readonly singlePurpose?: string | undefined;
  /** By permission, optional ones included. */
  readonly permissions?: Readonly<Record<string, string>> | undefined;
  /** By match pattern; `*` for each without a reason of its own. */
  readonly hosts?: Readonly<Record<string, string>> | undefined;
  /** Reasons for collecting data, by key of `DATA_USES`. */
  readonly dataUses?: Readonly<Record<string, string>> | undefined;
}

/** A field of a store's privacy page. */
export interface PrivacyField {
  readonly title: string;
  /** Null where the author has given none. */
  readonly text: string | null;
}

type Requested = Pick<PackageManifest, 'permissions' | 'optionalPermissions' | 'hostPermissions'>;

const permissionsOf = ({ permissions, optionalPermissions }: Requested): readonly string[] => [
  ...new Set([...permissions, ...optionalPermissions.filter((each) => !isHostPattern(each))]),
];
const hostsOf = ({ hostPermissions, optionalPermissions }: Requested): readonly string[] => [
  ...new Set([...hostPermissions, ...optionalPermissions.filter(isHostPattern)]),
];

/** Own members alone: a manifest may name a permission `constructor`. */
const textOf = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;

type Kind = 'permission' | 'host';
const missing = (kind: Kind, names: readonly string[]): readonly string[] => {
  if (names.length === 0) return [];
  return [
    names.length === 1 ? `The ${kind} ${names[0]} has no reason.` : `The ${kind}s ${names.join(', ')} have no reason.`,
  ];
};
const gone = (kind: Kind, names: readonly string[]): readonly string[] =>
  names.map((name) => `There is a reason for the ${kind} ${name}, which the manifest does not request.`);

function tooLong(what: string, text: string): readonly string[] {
  const length = countCharacters(text);
  return length > MAX_JUSTIFICATION ? [`${what} has ${length} characters; its field takes ${MAX_JUSTIFICATION}.`] : [];
}

/** Justifications that a manifest still needs, or no longer needs, one sentence each. Pure. */
export function justificationFaults(requested: Requested, given: Justifications): readonly string[] {
  const { singlePurpose, permissions = {}, hosts = {}, dataUses = {} } = given;
  const [asked, opened] = [permissionsOf(requested), hostsOf(requested)];
  const hasForAny = textOf(hosts, ANY_HOST) !== undefined;
  const isUnused = (host: string): boolean => (host === ANY_HOST ? opened.length === 0 : !opened.includes(host));
  const length = countCharacters(hostText(opened, hosts) ?? '');
  const long = `The reasons for hosts have ${length} characters together; the one field for them takes ${MAX_JUSTIFICATION}.`;
  return [
    ...(singlePurpose === undefined ? ['The single purpose of the extension is not stated.'] : []),
    ...missing(
      'permission',
      asked.filter((each) => textOf(permissions, each) === undefined),
    ),
    ...missing('host', hasForAny ? [] : opened.filter((each) => textOf(hosts, each) === undefined)),
    ...gone(
      'permission',
      Object.keys(permissions).filter((each) => !asked.includes(each)),
    ),
    ...gone('host', Object.keys(hosts).filter(isUnused)),
    ...(length > MAX_JUSTIFICATION ? [long] : []),
    ...tooLong('The single purpose', singlePurpose ?? ''),
    ...Object.entries(permissions).flatMap(([name, text]) => tooLong(`The reason for ${name}`, text)),
    ...Object.entries(dataUses).flatMap(([use, text]) => tooLong(`The text for ${use}`, text)),
    ...Object.keys(dataUses)
      .filter((use) => !Object.hasOwn(DATA_USES, use))
      .map((use) => `${use} is no kind of data; they are ${Object.keys(DATA_USES).join(', ')}.`),
  ];
}

/** All hosts share one field: a reason for all of them, and those of some. */
function hostText(opened: readonly string[], hosts: Readonly<Record<string, string>>): string | null {
  const forAny = textOf(hosts, ANY_HOST);
  const own = opened.flatMap((each) => {
    const text = textOf(hosts, each);
    return text === undefined ? [] : [`${each}: ${text}`];
  });
  const lines = [...(forAny === undefined ? [] : [forAny]), ...own];
  return lines.length === 0 ? null : lines.join('\n');
}

/** The fields of the privacy pages, in their order, with the text for each. Pure. */
export function privacyFields(requested: Requested, given: Justifications): readonly PrivacyField[] {
  const { singlePurpose, permissions = {}, hosts = {}, dataUses = {} } = given;
  const opened = hostsOf(requested);
  return [
    { title: 'Single purpose', text: singlePurpose ?? null },
    ...permissionsOf(requested).map((each) => ({
      title: `Permission ${each}`,
      text: textOf(permissions, each) ?? null,
    })),
    ...(opened.length === 0 ? [] : [{ title: 'Host permissions', text: hostText(opened, hosts) }]),
    ...Object.entries(DATA_USES).flatMap(([use, title]) => {
      const text = textOf(dataUses, use);
      return text === undefined ? [] : [{ title: `Data: ${title}`, text }];
    }),
  ];
}
