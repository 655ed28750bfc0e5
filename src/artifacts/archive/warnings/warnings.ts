import type { Finding } from '../../../stores/pure.js';
import { quotable } from '../archive-errors.js';
import { HostAccess, opensSites } from './host-access.js';
import type { PackageManifest } from '../manifest.js';
import { newWarnings, readsAllSites, warningsOf, type RequestedAccess } from './permission-warnings.js';

/** A target that a push concerns, by what matters about its store. */
export interface PushTarget {
  readonly store: string;
  /** The store's own name, for sentences. */
  readonly title: string;
  readonly enabled: boolean;
  readonly capabilities: { readonly maxPackageBytes: number | null };
  readonly requiresManifestV3: boolean;
  readonly manifestV2EndsOn: string | null;
  readonly needsGeckoId: boolean;
  /** The item of the target, where the id in the manifest belongs to another one. */
  readonly otherItem: string | null;
  readonly needsDataCollectionPermissions: boolean;
  /** Reasons for which its store does not accept the package. */
  readonly findings: readonly Finding[];
  /** The store refuses an update without release notes, there was a version before, and the target has no notes for all versions. */
  readonly needsNotes: boolean;
}

/** The facts by which a push is judged. */
export interface Push {
  readonly manifest: PackageManifest;
  /** Bytes of the zip. */
  readonly size: number;
  /** The manifest of the version that users have now, where Pierhead knows it. */
  readonly previous: (RequestedAccess & Pick<PackageManifest, 'version'>) | null;
  readonly destinations: readonly PushTarget[];
  /** Null while that is not known. */
  readonly hasNotes: boolean | null;
}

const NEAR_LIMIT = 0.9;
const MEGABYTE = 1_000_000;
const MAX_NAMED = 8;
/** Characters of one finding, in which a package's own names may be long. */
const MAX_FINDING = 400;

/** Subject of a warning. */
export const WARNING_KINDS = [
  'refused',
  'may_be_refused',
  'wider_access',
  'no_target',
  'manifest_v2',
  'manifest_v2_ends',
  'no_gecko_id',
  'other_gecko_id',
  'no_data_collection_permissions',
  'no_notes',
  'size',
] as const;

/** A problem to expect with a version, in one sentence. */
export interface Warning {
  readonly kind: (typeof WARNING_KINDS)[number];
  readonly message: string;
}

/** Returns the warnings about the push of a package. */
export function pushWarnings(push: Push): readonly Warning[] {
  const concerned = concernedBy(push);
  return inOrder([
    ...found(concerned, 'refused').map((sentence) => ['refused', sentence] as const),
    ...found(concerned, 'warning').map((sentence) => ['may_be_refused', sentence] as const),
    ['wider_access', widerAccess(push)],
    ['no_target', noTarget(push)],
    ['manifest_v2', manifestV2(push.manifest, concerned)],
    ['manifest_v2_ends', manifestV2Ending(push.manifest, concerned)],
    ['no_gecko_id', noGeckoId(push.manifest, concerned)],
    ...concerned.map((each) => ['other_gecko_id', otherGeckoId(push.manifest, each)] as const),
    ['no_data_collection_permissions', noDataCollectionPermissions(push.manifest, concerned)],
    ['no_notes', noNotes(push)],
    ...concerned.map((each) => ['size', nearLimit(push.size, each)] as const),
  ]);
}

/** Returns the warnings about the push of a version without a package. */
export const versionWarnings = (push: Pick<Push, 'destinations' | 'hasNotes'>): readonly Warning[] =>
  inOrder([
    ['no_target', noTarget(push)],
    ['no_notes', noNotes(push)],
  ]);

const inOrder = (sentences: readonly (readonly [Warning['kind'], string | undefined])[]): readonly Warning[] =>
  sentences.flatMap(([kind, message]) => (message === undefined ? [] : [{ kind, message }]));

/** While nothing is enabled yet, the warnings of all stores help; later those of unused ones are noise. */
function concernedBy({ destinations }: Pick<Push, 'destinations'>): readonly PushTarget[] {
  const enabled = destinations.filter((each) => each.enabled);
  return enabled.length > 0 ? enabled : destinations;
}

const noTarget = ({ destinations }: Pick<Push, 'destinations'>): string | undefined =>
  destinations.some(({ enabled }) => enabled) ? undefined : 'No enabled target will receive this version.';

function noNotes(push: Pick<Push, 'destinations' | 'hasNotes'>): string | undefined {
  const stores = concernedBy(push).filter((each) => each.needsNotes);
  if (push.hasNotes !== false || stores.length === 0) return undefined;
  return `This push has no release notes, and ${titles(stores)} refuses an update without them. Push with notes, or give the target some for all versions.`;
}

/** Warnings as one text; `undefined` when there is nothing to warn about. */
export const inOneText = (warnings: readonly Warning[]): string | undefined =>
  warnings.length === 0 ? undefined : warnings.map(({ message }) => message).join(' ');

/** Returns the faults that stores do not accept, each once with all its stores. */
function found(concerned: readonly PushTarget[], severity: Finding['severity']): readonly string[] {
  const byWhat = new Map<string, PushTarget[]>();
  for (const target of concerned)
    for (const { what } of target.findings.filter((finding) => finding.severity === severity))
      byWhat.set(what, [...(byWhat.get(what) ?? []), target]);
  const sentences = [...byWhat].map(([what, stores]) => {
    const isOne = new Set(stores.map(({ title }) => title)).size === 1;
    const verb = severity === 'warning' ? 'may refuse' : isOne ? 'refuses' : 'refuse';
    return `${titles(stores)} ${verb} this package: ${quotable(what, MAX_FINDING)}.`;
  });
  const more = sentences.length - MAX_NAMED;
  return more > 0 ? [...sentences.slice(0, MAX_NAMED), `${more} more findings like these.`] : sentences;
}

function widerAccess({ manifest, previous }: Push): string | undefined {
  if (previous === null) return undefined;
  const { permissions, warnings } = newWarnings(previous, manifest);
  const hosts = sitesBeyond(
    [...previous.hostPermissions, ...(readsAllSites(previous) ? ['<all_urls>'] : [])],
    manifest,
  );
  const parts = [
    ...(permissions.length > 0 ? [`the ${plural('permission', permissions)} ${named(permissions)}`] : []),
    ...(hosts.length > 0 ? [`access to ${named(hosts)}`] : []),
  ];
  if (parts.length === 0) return undefined;
  return (
    `Unlike version ${previous.version}, which is live, this one asks for ${parts.join(' and ')}: ` +
    `browsers disable the extension, or hold the update back, until the user accepts${inWords(warnings)}.`
  );
}

/** Lists the permissions that a new user has to accept, in the words of the warnings about updates. Pure. */
export function accessOf(manifest: RequestedAccess): readonly string[] {
  const hosts = sitesBeyond(readsAllSites(manifest) ? ['<all_urls>'] : [], manifest);
  return [...warningsOf(manifest).keys(), ...(hosts.length > 0 ? [`Access to ${named(hosts)}`] : [])];
}

/** The patterns of sites that the given ones do not open. */
function sitesBeyond(open: readonly string[], { hostPermissions }: RequestedAccess): readonly string[] {
  const access = new HostAccess(open);
  return hostPermissions.filter((each) => opensSites(each) && !access.covers(each));
}

const inWords = (warnings: readonly string[]): string => (warnings.length === 0 ? '' : ` ${named(warnings)}`);

function manifestV2(manifest: PackageManifest, concerned: readonly PushTarget[]): string | undefined {
  const stores = concerned.filter((each) => each.requiresManifestV3);
  if (manifest.manifestVersion === 3 || stores.length === 0) return undefined;
  return `This is a Manifest V2 package, and ${titles(stores)} accepts only Manifest V3.`;
}

function manifestV2Ending(manifest: PackageManifest, concerned: readonly PushTarget[]): string | undefined {
  const stores = concerned.filter((each) => each.manifestV2EndsOn !== null);
  if (manifest.manifestVersion === 3 || stores.length === 0) return undefined;
  const ends = stores.map(({ title, manifestV2EndsOn }) => `${title} ends on ${manifestV2EndsOn}`);
  return `This is a Manifest V2 package, whose support at ${listed([...new Set(ends)])}.`;
}

/** Only Manifest V3 needs one (https://extensionworkshop.com/documentation/develop/extensions-and-the-add-on-id/). */
function noGeckoId(manifest: PackageManifest, concerned: readonly PushTarget[]): string | undefined {
  const stores = concerned.filter((each) => each.needsGeckoId);
  if (manifest.geckoId !== null || manifest.manifestVersion !== 3 || stores.length === 0) return undefined;
  return `The manifest has no browser_specific_settings.gecko.id, which ${titles(stores)} requires.`;
}

function otherGeckoId({ geckoId }: PackageManifest, { title, otherItem }: PushTarget): string | undefined {
  if (geckoId === null || otherItem === null) return undefined;
  return `The manifest's browser_specific_settings.gecko.id is ${named([geckoId])}, but the target at ${title} is ${named([otherItem])}, which refuses the package.`;
}

function noDataCollectionPermissions(manifest: PackageManifest, concerned: readonly PushTarget[]): string | undefined {
  const stores = concerned.filter((each) => each.needsDataCollectionPermissions);
  if (manifest.declaresDataCollection || stores.length === 0) return undefined;
  return `The manifest has no browser_specific_settings.gecko.data_collection_permissions, which ${titles(stores)} requires of new add-ons and will require of all.`;
}

function nearLimit(size: number, { title, capabilities }: PushTarget): string | undefined {
  const limit = capabilities.maxPackageBytes;
  if (limit === null || size < limit * NEAR_LIMIT) return undefined;
  const relation = size > limit ? 'more than' : 'close to';
  return `The package is ${megabytes(size)}, ${relation} the ${megabytes(limit)} that ${title} accepts.`;
}

/** Rounded up, so that a package just beyond a limit does not read as if it were the limit. */
function megabytes(bytes: number): string {
  return `${Math.ceil((bytes / MEGABYTE) * 10) / 10} MB`;
}

function titles(stores: readonly PushTarget[]): string {
  return listed([...new Set(stores.map((each) => each.title))]);
}

function named(items: readonly string[]): string {
  const first = items.slice(0, MAX_NAMED).map((each) => `"${quotable(each)}"`);
  const more = items.length - first.length;
  return listed(more > 0 ? [...first, `${more} more`] : first);
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

function plural(word: string, items: readonly unknown[]): string {
  return items.length === 1 ? word : `${word}s`;
}
