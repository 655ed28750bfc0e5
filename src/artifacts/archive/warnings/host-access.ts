import { parse } from 'tldts';

interface HostPattern {
  /** One scheme, or `*` for http and https. */
  readonly scheme: string;
  readonly host: string;
}

/** No host name is longer than 253 characters; the rest is room for a wildcard and a port. */
const PATTERN = /^(\*|[a-z][a-z0-9+.-]*):\/\/([^/]{0,265})(?:\/|$)/i;
const ALL_URLS = '<all_urls>';
const GRANTED_BY_ANY = ['http', 'https', 'ws', 'wss'];
const ASKED_BY_ANY = ['http', 'https'];

/**
 * The sites that a set of match patterns opens, as browsers judge it when they decide whether to ask the user again:
 * by scheme and host. Paths do not count there.
 */
export class HostAccess {
  private readonly texts: ReadonlySet<string>;
  /** `scheme://host`, the host as the pattern has it. */
  private readonly granted = new Set<string>();

  constructor(patterns: readonly string[]) {
    this.texts = new Set(patterns);
    for (const pattern of patterns.map(parsePattern)) {
      if (pattern === null) continue;
      for (const scheme of pattern.scheme === '*' ? GRANTED_BY_ANY : [pattern.scheme]) {
        this.granted.add(`${scheme}://${pattern.host}`);
      }
    }
  }

  /** Whether everything that `pattern` opens is open already. */
  covers(pattern: string): boolean {
    if (this.texts.has(pattern) || this.texts.has(ALL_URLS)) return true;
    const parsed = parsePattern(pattern);
    if (parsed === null) return false;
    const schemes = parsed.scheme === '*' ? ASKED_BY_ANY : [parsed.scheme];
    const covering = coveringHosts(parsed.host);
    return schemes.every((scheme) => covering.some((host) => this.granted.has(`${scheme}://${host}`)));
  }
}

const WEB_SCHEMES: ReadonlySet<string> = new Set(['*', 'http', 'https', 'ftp', 'ws', 'wss']);

/** Whether a pattern is about sites, and not about files or pages of the browser, about which users are asked elsewhere or never. */
export const opensSites = (pattern: string): boolean =>
  pattern === ALL_URLS || WEB_SCHEMES.has(parsePattern(pattern)?.scheme ?? '');

/** Whether Chromium judges a pattern as access to every site: any host, or every host below a public suffix such as `*.com`. */
export function opensAllSites(pattern: string): boolean {
  if (pattern === ALL_URLS) return true;
  const parsed = parsePattern(pattern);
  if (parsed === null || !WEB_SCHEMES.has(parsed.scheme)) return false;
  const host = parsed.host.replace(/:(?:\d+|\*)$/, '');
  if (host === '*') return true;
  if (!host.startsWith('*.')) return false;
  // A name below the host tells whether the host itself is a public suffix, also where only names below a suffix are one.
  const { publicSuffix, isIcann } = parse(`a.${host.slice(2)}`);
  return isIcann === true && publicSuffix === host.slice(2);
}

function parsePattern(text: string): HostPattern | null {
  const [, scheme, host] = PATTERN.exec(text) ?? [];
  return scheme === undefined || host === undefined ? null : { scheme: scheme.toLowerCase(), host: host.toLowerCase() };
}

/** Every way to write a host that includes this one: `a.b.c` is in `a.b.c`, `*.a.b.c`, `*.b.c`, `*.c` and `*`. */
function coveringHosts(host: string): string[] {
  const labels = host.replace(/^\*\./, '').split('.');
  return [host, '*', ...labels.map((_, at) => `*.${labels.slice(at).join('.')}`)];
}
