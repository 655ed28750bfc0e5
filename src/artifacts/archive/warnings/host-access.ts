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

function parsePattern(text: string): HostPattern | null {
  const [, scheme, host] = PATTERN.exec(text) ?? [];
  return scheme === undefined || host === undefined ? null : { scheme: scheme.toLowerCase(), host: host.toLowerCase() };
}

/** Every way to write a host that includes this one: `a.b.c` is in `a.b.c`, `*.a.b.c`, `*.b.c`, `*.c` and `*`. */
function coveringHosts(host: string): string[] {
  const labels = host.replace(/^\*\./, '').split('.');
  return [host, '*', ...labels.map((_, at) => `*.${labels.slice(at).join('.')}`)];
}
