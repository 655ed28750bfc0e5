import { SEVERITIES, type Severity, type StoreFinding } from '../../../stores/pure.js';
import { quotable } from '../../../common/net/pure.js';
import { HostAccess, opensSites } from './host-access.js';
import type { PackageManifest } from '../manifest.js';
import { newWarnings, readsAllSites, type RequestedAccess } from './permission-warnings.js';

/** A target that a push concerns, by what matters about its store. */
export interface PushTarget {
  /** The store's own name, for sentences. */
  readonly title: string;
  readonly enabled: boolean;
  /** Reasons for which its store does not accept the package. */
  readonly findings: readonly StoreFinding[];
  /** Locales of the release notes in which the store has no listings. */
  readonly unknownLocales: readonly string[];
  /** The most characters of release notes that the store takes, where these have more; null where they fit. */
  readonly cutsNotesAt: number | null;
  /** The store refuses an update without release notes, there was a version before, and the target has no notes for all versions. */
  readonly needsNotes: boolean;
}

/** The facts by which a push is judged. */
export interface Push {
  readonly manifest: PackageManifest;
  /** The manifest of the version that users have now, where Pierhead knows it. */
  readonly previous: (RequestedAccess & Pick<PackageManifest, 'version'>) | null;
  readonly destinations: readonly PushTarget[];
  /** Null while that is not known. */
  readonly hasNotes: boolean | null;
}

const MAX_NAMED = 8;

/** Subject of a warning: a reason for which a store does not accept the package, by its severity, or something else. */
export const WARNING_KINDS = [...SEVERITIES, 'wider_access', 'no_target', 'no_notes', 'notes'] as const;

/** A problem to expect with a version, in one sentence. */
export interface Warning {
  readonly kind: (typeof WARNING_KINDS)[number];
  readonly message: string;
}

/** Returns the warnings about the push of a package. */
export function pushWarnings(push: Push): readonly Warning[] {
  const concerned = concernedBy(push);
  return inOrder([
    ...SEVERITIES.flatMap((severity) => found(concerned, severity).map((sentence) => [severity, sentence] as const)),
    ['wider_access', widerAccess(push)],
    ['no_target', noTarget(push)],
    ['no_notes', noNotes(push)],
    ...notesLeftOut(push).map((sentence) => ['notes', sentence] as const),
  ]);
}

/** Returns the warnings about the push of a version without a package. */
export const versionWarnings = (push: Pick<Push, 'destinations' | 'hasNotes'>): readonly Warning[] =>
  inOrder([
    ['no_target', noTarget(push)],
    ['no_notes', noNotes(push)],
    ...notesLeftOut(push).map((sentence) => ['notes', sentence] as const),
  ]);

const inOrder = (sentences: readonly (readonly [Warning['kind'], string | undefined])[]): readonly Warning[] =>
  sentences.flatMap(([kind, message]) => (message === undefined ? [] : [{ kind, message }]));

/** While nothing is enabled yet, the warnings of all stores help; later those of unused ones are noise. */
export function concernedBy<Target extends Pick<PushTarget, 'enabled'>>({
  destinations,
}: {
  readonly destinations: readonly Target[];
}): readonly Target[] {
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

/** Release notes that stores do not show, each store once. */
function notesLeftOut(push: Pick<Push, 'destinations'>): readonly string[] {
  const sentences = concernedBy(push).flatMap(({ title, unknownLocales, cutsNotesAt }) => [
    ...(unknownLocales.length === 0
      ? []
      : [
          `${title} has no listings in ${listed(unknownLocales)}, and gets no release notes for ${unknownLocales.length === 1 ? 'it' : 'them'}.`,
        ]),
    ...(cutsNotesAt === null ? [] : [`${title} gets only the first ${cutsNotesAt} characters of the release notes.`]),
  ]);
  return [...new Set(sentences)];
}

/** Warnings as one text; `undefined` when there is nothing to warn about. */
export const inOneText = (warnings: readonly Warning[]): string | undefined =>
  warnings.length === 0 ? undefined : warnings.map(({ message }) => message).join(' ');

/** Returns the faults that stores do not accept, each once with all its stores. */
function found(concerned: readonly PushTarget[], severity: Severity): readonly string[] {
  const byWhat = new Map<string, PushTarget[]>();
  for (const target of concerned)
    for (const { what } of target.findings.filter((finding) => finding.severity === severity))
      byWhat.set(what, [...(byWhat.get(what) ?? []), target]);
  const sentences = [...byWhat].map(([what, stores]) => {
    const verb = new Set(stores.map(({ title }) => title)).size === 1 ? 'refuses' : 'refuse';
    const judgement = severity === 'refused' ? ` ${verb} this package` : '';
    return `${titles(stores)}${judgement}: ${what}.`;
  });
  const more = sentences.length - MAX_NAMED;
  return more > 0 ? [...sentences.slice(0, MAX_NAMED), `${more} more findings like these.`] : sentences;
}

function widerAccess({ manifest, previous }: Push): string | undefined {
  if (previous === null) return undefined;
  const { permissions, warnings } = newWarnings(previous, manifest);
  const hosts = newSites(previous, manifest);
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

const NO_ACCESS: RequestedAccess = { permissions: [], hostPermissions: [], grantingKeys: [] };

/** Lists what a new user has to accept, in the words of the warnings about updates. Pure. */
export const accessOf = (manifest: RequestedAccess): readonly string[] => newAccessOf(NO_ACCESS, manifest);

/** Lists what users of one version have to accept when they get another, in the same words. Pure. */
export function newAccessOf(previous: RequestedAccess, manifest: RequestedAccess): readonly string[] {
  // The question about all sites covers each of them.
  const hosts = readsAllSites(manifest) ? [] : newSites(previous, manifest);
  return [...newWarnings(previous, manifest).warnings, ...(hosts.length > 0 ? [`Access to ${named(hosts)}`] : [])];
}

/** The patterns of sites that another version does not open, by name or through a permission. */
function newSites(previous: RequestedAccess, { hostPermissions }: RequestedAccess): readonly string[] {
  const open = new HostAccess([...previous.hostPermissions, ...(readsAllSites(previous) ? ['<all_urls>'] : [])]);
  return hostPermissions.filter((each) => opensSites(each) && !open.covers(each));
}

const inWords = (warnings: readonly string[]): string => (warnings.length === 0 ? '' : ` ${named(warnings)}`);

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
