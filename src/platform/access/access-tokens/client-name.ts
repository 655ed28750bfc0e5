const MAX_NAME = 200;

/** Names the client of a request by the first product of its User-Agent, such as `curl/8.5.0`; null when there is none. Pure. */
export const clientNameIn = (userAgent: string | undefined): string | null =>
  /^[\w!#$%&'*+.^`|~-]+(\/[\w!#$%&'*+.^`|~-]+)?/.exec(userAgent?.trim() ?? '')?.[0].slice(0, MAX_NAME) ?? null;
