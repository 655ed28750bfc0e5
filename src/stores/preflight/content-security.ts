import { asRecord } from '../../common/net/pure.js';
import type { Hit, PackageFacts, PreflightRule } from './preflight.js';

const PATH = 'content_security_policy.extension_pages';
const SAFE = /^(?:'self'|'none'|'wasm-unsafe-eval'|http:\/\/(?:localhost|127\.0\.0\.1)(?:[:/].*)?)$/;

/** The directives of a policy in lower case; of repeated ones, the first counts. */
function directivesOf(policy: string): ReadonlyMap<string, readonly string[]> {
  const directives = new Map<string, readonly string[]>();
  for (const part of policy.toLowerCase().split(';')) {
    const [name, ...values] = part.split(/\s+/).filter((each) => each !== '');
    if (name !== undefined && !directives.has(name)) directives.set(name, values);
  }
  return directives;
}

/** Chromium lets pages of an extension run only what is in the package. */
export const insecurePolicy: PreflightRule = {
  code: 'insecure_csp',
  severity: 'refused',
  about: `In Manifest V3, \`${PATH}\` allows code from elsewhere, \`unsafe-eval\` or inline scripts, or sets no \`script-src\`.`,
  source: 'https://developer.chrome.com/docs/extensions/reference/manifest/content-security-policy',
  confirmedBy: ['chromium'],
  find: ({ manifest }) => {
    const policy = asRecord(manifest['content_security_policy'])?.['extension_pages'];
    if (manifest['manifest_version'] !== 3 || typeof policy !== 'string') return [];
    const directives = directivesOf(policy);
    const scripts = directives.has('script-src') ? 'script-src' : 'default-src';
    if (!directives.has(scripts)) return [{ what: `${PATH} has neither script-src nor default-src`, path: PATH }];
    return [scripts, 'object-src', 'worker-src'].flatMap((name) =>
      (directives.get(name) ?? [])
        .filter((value) => !SAFE.test(value))
        .map((value): Hit => ({ what: `${PATH} allows ${value} in ${name}, and Manifest V3 does not`, path: PATH })),
    );
  },
};

/** The policy of an extension's own pages, in either form. */
function ownPolicy({ manifest }: PackageFacts): string | undefined {
  const policy = manifest['content_security_policy'];
  const own = asRecord(policy)?.['extension_pages'] ?? policy;
  return typeof own === 'string' ? own : undefined;
}

/** AMO takes such a package, and its reviewers reject the version. */
export const evalInFirefox: PreflightRule = {
  code: 'unsafe_eval',
  severity: 'warning',
  about: "The policy of the extension's pages allows `unsafe-eval`, or scripts from other hosts.",
  source: 'https://extensionworkshop.com/documentation/publish/add-on-policies/',
  confirmedBy: [],
  find: (facts) => {
    const directives = directivesOf(ownPolicy(facts) ?? '');
    const scripts = directives.get('script-src') ?? directives.get('default-src') ?? [];
    return scripts
      .filter((value) => value === "'unsafe-eval'" || /^(?:https?:|\*|data:|blob:)/.test(value))
      .filter((value) => !SAFE.test(value))
      .map((value) => ({
        what: `content_security_policy allows scripts from ${value}, for which reviewers reject versions`,
        path: 'content_security_policy',
      }));
  },
};
