/** Facts that a package shows without being run. */
export interface PackageFacts {
  /** The parsed `manifest.json`. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Keys that one object of `manifest.json` has more than once, by their paths. */
  readonly repeatedKeys: readonly string[];
  /** Bytes of the zip. */
  readonly size: number;
  /** The archive's other files; null where only the manifest is known. */
  readonly contents: PackageContents | null;
}

export interface PackageContents {
  /** Bytes of each file once unpacked, by its name. */
  readonly files: ReadonlyMap<string, number>;
  /** Content of each `_locales/…/messages.json`, by locale. */
  readonly locales: ReadonlyMap<string, Messages>;
  /** The manifest's icons, by file; very large ones are left out. */
  readonly pictures: ReadonlyMap<string, Picture>;
  /** Scripts from elsewhere that a page of Manifest V3 loads, by file. */
  readonly remoteScripts: ReadonlyMap<string, readonly string[]>;
  /** Content scripts, with their style sheets, whose text is not what Chromium takes for UTF-8; very large ones are left out. */
  readonly undecodable: ReadonlySet<string>;
}

/** Kind and size of an image file, by its first bytes. */
export interface Picture {
  /** `other` for a file that is no image that browsers know. */
  readonly kind: 'png' | 'jpeg' | 'gif' | 'bmp' | 'ico' | 'webp' | 'svg' | 'other';
  /** In pixels; null for an SVG, and where the file does not say. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/** The texts that the manifest names, by lower-cased key; or what is wrong with the file, in a few words; or that it is too large to be read. */
export type Messages = ReadonlyMap<string, string> | { readonly fault: string } | 'not read';

/** `refused`: the store refuses such a package every time, as the source shows. `warning`: likely, or it costs users. `note`: good to know. */
export const SEVERITIES = ['refused', 'warning', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Programs of the browsers that judge a package as a store does. */
export const ORACLES = ['chromium', 'addons-linter'] as const;
export type Oracle = (typeof ORACLES)[number];

/** A fault that a rule finds in one place. */
export interface Hit {
  /** The fault and its remedy, as a clause that can follow a colon, without a full stop. */
  readonly what: string;
  /** The file that has it; null for the package as a whole, `manifest.json` when absent. */
  readonly file?: string | null;
  /** The place in that file, such as `background.service_worker`; absent for all of it. */
  readonly path?: string;
  /** The value at the place, by which a finding stays the same after a list is reordered; absent where the place says enough. */
  readonly thing?: unknown;
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
  /** The fault, as a sentence for the documentation. */
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

/** A rule's finding in a package. */
export interface Finding extends Omit<Hit, 'thing'>, Pick<PreflightRule, 'code' | 'severity' | 'source'> {
  readonly file: string | null;
}

/** A finding as the rules give it. */
export interface KeyedFinding extends Finding {
  /** Names the place and what stands there, wherever in a list that is. */
  readonly key: string;
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

/** Judges a package by rules, in their order, and runs each rule once, however many stores share it. Pure. */
export function judgeFor(facts: PackageFacts): (rules: readonly PreflightRule[]) => readonly KeyedFinding[] {
  const found = new Map<PreflightRule, readonly KeyedFinding[]>();
  const findingsOf = (rule: PreflightRule): readonly KeyedFinding[] => {
    const known = found.get(rule) ?? judgeBy(rule, facts);
    found.set(rule, known);
    return known;
  };
  return (rules) => rules.flatMap(findingsOf);
}

/** One finding for each place and thing, which says all that is wrong there. */
function judgeBy({ code, severity, source, find }: PreflightRule, facts: PackageFacts): readonly KeyedFinding[] {
  const findings = new Map<string, KeyedFinding>();
  for (const { thing, ...hit } of find(facts).slice(0, MAX_HITS)) {
    const file = hit.file === undefined ? 'manifest.json' : hit.file;
    const key = JSON.stringify([file, hit.path?.replaceAll(INDEX, '[]') ?? '', thing ?? null]);
    const before = findings.get(key);
    const what = before === undefined ? hit.what : `${before.what}; ${hit.what}`;
    findings.set(key, { code, severity, source, ...(before ?? { ...hit, file, key }), what });
  }
  return [...findings.values()];
}

const INDEX = /\[\d+\]/g;
