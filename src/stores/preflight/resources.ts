import { asText } from '../../common/net/pure.js';
import { lookedUpAs } from './absent-files.js';
import type { PackageFacts, PreflightRule } from './preflight.js';
import { valuesAt, type Placed } from './values.js';

/** Patterns with `*` that are looked for, each of them in all names of files. */
const MAX_PATTERNS = 20;

/** The text between the `*` of a pattern; several in a row are one, so that each part takes a character of a name. */
const partsOf = (pattern: string): readonly string[] => pattern.split(/\*+/);

/** Whether a name fits a pattern in which `*` stands for any characters. Linear in the name, unlike a regular expression. */
function fits(name: string, parts: readonly string[]): boolean {
  const start = parts[0] ?? '';
  const end = parts.at(-1) ?? '';
  if (!name.startsWith(start) || !name.endsWith(end)) return false;
  let at = start.length;
  // By index: a copy of the parts for each name would take longer than the search.
  for (let next = 1; next < parts.length - 1; next += 1) {
    const part = parts[next] ?? '';
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= name.length - end.length;
}

const resourcesOf = ({ manifest }: PackageFacts): readonly Placed[] =>
  manifest['manifest_version'] === 2
    ? valuesAt(manifest, 'web_accessible_resources[]')
    : valuesAt(manifest, 'web_accessible_resources[].resources[]');

/** Pages cannot load what the package does not have. */
export const absentResource: PreflightRule = {
  code: 'absent_resource',
  severity: 'warning',
  about: '`web_accessible_resources` names what fits no file of the package.',
  source: 'https://developer.chrome.com/docs/extensions/reference/manifest/web-accessible-resources',
  confirmedBy: [],
  find: (facts) => {
    const { contents } = facts;
    if (contents === null) return [];
    const names = [...contents.files.keys()];
    const all = resourcesOf(facts).flatMap(({ path, value }) => {
      const pattern = asText(value)?.replace(/^\/+/, '') ?? '';
      return pattern === '' ? [] : [{ path, pattern, parts: partsOf(pattern) }];
    });
    const isAbsent = ({ path, pattern, parts }: (typeof all)[number]): boolean =>
      parts.length === 1
        ? !lookedUpAs(pattern, path, []).some((form) => contents.files.has(form))
        : !names.some((name) => fits(name, parts));
    const patterns = all.filter(({ parts }) => parts.length > 1).slice(0, MAX_PATTERNS);
    return [...all.filter(({ parts }) => parts.length === 1), ...patterns]
      .filter(isAbsent)
      .map(({ path, pattern }) => ({ what: `${path} is "${pattern}", which fits no file`, path, thing: pattern }));
  },
};

/** Chromium loads no extension with such a content script; minifiers leave noncharacters in regular expressions. */
export const undecodableScript: PreflightRule = {
  code: 'undecodable_script',
  severity: 'refused',
  refusedAs: /isn't UTF-8 encoded/i,
  about: 'A content script or its style sheet is not UTF-8, or has noncharacters such as U+FFFF.',
  source: 'https://github.com/chromium/chromium/blob/main/extensions/common/script_constants.h',
  confirmedBy: ['chromium'],
  find: ({ contents }) =>
    [...(contents?.undecodable ?? [])].map((file) => ({
      what: `${file} is not UTF-8, or has noncharacters such as U+FFFF. Save it as UTF-8, with such characters escaped`,
      file,
    })),
};

/** Reviewers reject code that is not in the package; pages in a sandbox may load it. */
export const remoteScripts = (source: string): PreflightRule => ({
  code: 'remote_script',
  severity: 'warning',
  about: 'A page of a package of Manifest V3 loads a script from another host.',
  source,
  confirmedBy: [],
  find: ({ manifest, contents }) => {
    const isolated = new Set(
      valuesAt(manifest, 'sandbox.pages[]').flatMap(({ value, path }) => lookedUpAs(String(value), path, [])),
    );
    return manifest['manifest_version'] !== 3
      ? []
      : [...(contents?.remoteScripts ?? [])]
          .filter(([file]) => !isolated.has(file))
          .map(([file, [script = '']]) => ({
            what: `${file} loads ${script}, and the package must have all code. Bring it with you`,
            file,
          }));
  },
});
