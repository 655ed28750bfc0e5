import { createHash } from 'node:crypto';
import { quotable } from '../common/net/pure.js';
import { CHROME_RULES } from './chrome/chrome.preflight.js';
import { EDGE_RULES } from './edge/edge.preflight.js';
import { FIREFOX_RULES } from './firefox/firefox.preflight.js';
import { says } from './failures/index.js';
import { STORE_IDS, type StoreId } from './store.js';
import {
  judgeFor,
  SIZE_CODES,
  SEVERITIES,
  type Finding,
  type KeyedFinding,
  type PackageFacts,
  type PreflightRule,
} from './preflight/pure.js';

/** Rules of each store about packages, as far as they are known before one is sent. */
export const STORE_RULES: Readonly<Record<StoreId, readonly PreflightRule[]>> = {
  chrome: CHROME_RULES,
  firefox: FIREFOX_RULES,
  edge: EDGE_RULES,
  // The App Store takes signed packages, which are read when they are pushed.
  safari: [],
};

/** A fault that a store does not accept in a package. */
export interface StoreFinding extends Finding {
  /** The same for the same rule, place and thing in each package, such as `edge-has_key-1f0a77c2`. */
  readonly id: string;
  readonly store: StoreId;
}

/** The rule that foresees a store's refusal of a package, by the store's words; null where none does. Pure. */
export const ruleForeseeing = (store: StoreId, words: string): string | null =>
  STORE_RULES[store].find(({ refusedAs }) => refusedAs !== undefined && says(words, refusedAs))?.code ?? null;

const DIGEST_LENGTH = 8;
/** Of one store, the gravest; real packages have a handful. */
const MAX_FINDINGS = 50;

/** Judges a package by the rules of all stores, in their display order, the gravest findings first. Pure. */
export function preflight(facts: PackageFacts): readonly StoreFinding[] {
  const judge = judgeFor(facts);
  return STORE_IDS.flatMap((store) =>
    judge(STORE_RULES[store])
      .toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity))
      .slice(0, MAX_FINDINGS)
      .map((finding) => storeFinding(store, finding)),
  );
}

/** What `preflight` finds in the same package as a zip of another size, of which only the rules about size know. Pure. */
export function resized(found: readonly StoreFinding[], size: number): readonly StoreFinding[] {
  const judge = judgeFor({ manifest: {}, repeatedKeys: [], size, contents: null });
  return STORE_IDS.flatMap((store) => {
    const rules = STORE_RULES[store];
    const place = ({ code, severity }: Finding): number =>
      SEVERITIES.indexOf(severity) * rules.length + rules.findIndex((rule) => rule.code === code);
    return [
      ...found.filter((one) => one.store === store && !SIZE_CODES.has(one.code)),
      ...judge(rules.filter(({ code }) => SIZE_CODES.has(code))).map((finding) => storeFinding(store, finding)),
    ]
      .toSorted((one, other) => place(one) - place(other))
      .slice(0, MAX_FINDINGS);
  });
}

/** A finding of a store, as it is kept and shown. Pure. */
export const storeFinding = (store: StoreId, { key, ...finding }: KeyedFinding): StoreFinding => ({
  ...shown(finding),
  store,
  id: `${store}-${finding.code}-${digest(key)}`,
});

/** Characters of a finding's sentence, in which a package's own names may be long, and of a name. */
const MAX_SENTENCE = 400;
const MAX_NAME = 255;

/** Any program can keep and show it, whatever the package holds. */
function shown(finding: Finding): Finding {
  const { what, file, path, itemId } = finding;
  return {
    ...finding,
    what: quotable(what, MAX_SENTENCE),
    file: file === null ? null : quotable(file, MAX_NAME),
    ...(path === undefined ? {} : { path: quotable(path, MAX_NAME) }),
    ...(itemId === undefined ? {} : { itemId: quotable(itemId, MAX_NAME) }),
  };
}

const digest = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, DIGEST_LENGTH);
