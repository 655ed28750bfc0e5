/** What a browser got: the last page, or where a step led. */
export interface Page {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser of one person: it keeps cookies per origin and follows redirects only when a test says so. */
export class Browser {
  private readonly jars = new Map<string, Map<string, string>>();

  /** @param origins under which a service is reached, by the origin that it believes to be its own */
  constructor(private readonly origins: Readonly<Record<string, string>>) {}

  /** Opens a page, or sends a form to it. */
  async open(address: string, form?: Readonly<Record<string, string>>): Promise<Page> {
    const { origin } = new URL(address);
    const url = address.replace(origin, this.origins[origin] ?? origin);
    const jar = this.jarOf(url);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/Expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    return { status: response.status, url, headers: response.headers, text: await response.text() };
  }

  /** The address that a page leads to. */
  static target({ status, url, headers, text }: Page): string {
    const location = headers.get('location');
    if (location === null) throw new Error(`${url} answered ${status}: ${text}`);
    return new URL(location, url).href;
  }

  /** The cookies of an origin. */
  cookies(url: string): ReadonlyMap<string, string> {
    return this.jarOf(url);
  }

  /** Takes over a cookie. */
  setCookie(url: string, name: string, value: string): void {
    this.jarOf(url).set(name, value);
  }

  private jarOf(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar);
    return jar;
  }
}
