/** What a package shows without being run. */
export interface PackageFacts {
  /** The parsed `manifest.json`. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Keys that one object of `manifest.json` has more than once, by their paths. */
  readonly repeatedKeys: readonly string[];
  /** Bytes of the zip. */
  readonly size: number;
  /** What the archive holds besides; null where only the manifest is known. */
  readonly contents: PackageContents | null;
}

export interface PackageContents {
  /** Bytes of each file once unpacked, by its name. */
  readonly files: ReadonlyMap<string, number>;
  /** What each `_locales/…/messages.json` says, by locale. */
  readonly locales: ReadonlyMap<string, Messages>;
}

/** The texts that the manifest names, by lower-cased key; or what is wrong with the file, in a few words; or that it is too large to be read. */
export type Messages = ReadonlyMap<string, string> | { readonly fault: string } | 'not read';

/** `refused`: the store refuses such a package every time, as the source shows. `warning`: likely, or it costs users. `note`: good to know. */
export const SEVERITIES = ['refused', 'warning', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Programs of the browsers that judge a package as a store does. */
export const ORACLES = ['chromium', 'addons-linter'] as const;
export type Oracle = (typeof ORACLES)[number];

/** What a rule finds in one place. */
export interface Hit {
  /** What is wrong and what to change, as a clause that can follow a colon, without a full stop. */
  readonly what: string;
  /** The file that has it; null for the package as a whole, `manifest.json` when absent. */
  readonly file?: string | null;
  /** The place in that file, such as `background.service_worker`; absent for all of it. */
  readonly path?: string;
  /** The store's channels in which it matters; all of them when absent. */
  readonly channels?: readonly string[];
  /** It matters only to a target whose item is not the one with this id. */
  readonly itemId?: string;
}

/** Something that a store does not accept in a package. */
export interface PreflightRule {
  /** Stable, such as `absent_file`. */
  readonly code: string;
  readonly severity: Severity;
  /** What it looks for, as a sentence for the documentation. */
  readonly about: string;
  /** A page that shows it. */
  readonly source: string;
  /** The programs that refuse such a package too. */
  readonly confirmedBy: readonly Oracle[];
  /** The words in which the store refuses such a package, where they are known. */
  readonly refusedAs?: RegExp;
  /** Pure. */
  readonly find: (facts: PackageFacts) => readonly Hit[];
}

/** What a rule found in a package. */
export interface Finding extends Hit, Pick<PreflightRule, 'code' | 'severity' | 'source'> {
  readonly file: string | null;
}

/** The part of a target on which it depends whether a finding matters. */
export interface PreflightTarget {
  /** Null where the store has none. */
  readonly channel: string | null;
  /** Null while the target has no item. */
  readonly storeItemId: string | null;
}

/** Findings of one rule; a package may break it in each of thousands of files. */
const MAX_HITS = 20;

/** Judges a package by rules, in their order. Pure. */
export const judge = (rules: readonly PreflightRule[], facts: PackageFacts): readonly Finding[] =>
  rules.flatMap(({ code, severity, source, find }) =>
    mergedByPlace(find(facts).slice(0, MAX_HITS)).map((hit) => ({
      code,
      severity,
      source,
      file: 'manifest.json',
      ...hit,
    })),
  );

/** One hit for each place, which names all that is wrong there. */
function mergedByPlace(hits: readonly Hit[]): readonly Hit[] {
  const places = new Map<string, Hit>();
  for (const hit of hits) {
    const place = JSON.stringify([hit.file, hit.path]);
    const before = places.get(place);
    places.set(place, before === undefined ? hit : { ...before, what: `${before.what}; ${hit.what}` });
  }
  return [...places.values()];
}
