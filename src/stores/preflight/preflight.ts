/** What a package shows without being run. */
export interface PackageFacts {
  /** The parsed `manifest.json`. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Keys that one object of `manifest.json` has more than once, by their paths. */
  readonly repeatedKeys: readonly string[];
  /** What the archive holds besides; null where only the manifest is known. */
  readonly contents: PackageContents | null;
}

export interface PackageContents {
  /** Names of the files. */
  readonly files: ReadonlySet<string>;
  /** What each `_locales/…/messages.json` says, by locale. */
  readonly locales: ReadonlyMap<string, Messages>;
}

/** The texts that the manifest names, by lower-cased key; or what is wrong with the file, in a few words; or that it is too large to be read. */
export type Messages = ReadonlyMap<string, string> | { readonly fault: string } | 'not read';

/** `refused`: the store refuses such a package every time, as the source shows. `warning`: it may. */
export type Severity = 'refused' | 'warning';

/** Something in a package that a store does not accept. */
export interface Finding {
  /** Stable, such as `absent_file`. */
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong, as a clause that can follow a colon. */
  readonly what: string;
  /** Where: a path in the manifest, or a file. */
  readonly path: string;
  /** A page that shows it. */
  readonly source: string;
}

/** The part of a target that rules depend on. */
export interface PreflightTarget {
  readonly channel: string | null;
}

/** Judges a package. Pure. */
export type PreflightRule = (facts: PackageFacts, target: PreflightTarget) => readonly Finding[];
