import Bowser from 'bowser';

/** What is kept of a User-Agent; null where it does not say. */
export interface Client {
  readonly browser: string | null;
  readonly browserMajor: number | null;
  readonly os: string | null;
}

const NOTHING: Client = { browser: null, browserMajor: null, os: null };
/** Longer ones are no browser's, and cost time. */
const LONGEST = 1024;
/** Every browser of the last fifteen years begins so. */
const BROWSER = /^Mozilla\/5\.0 \(/;
/** How programs that call themselves a browser say that they are none: an address to complain at, "compatible", "headless". */
const PROGRAM = /\+?https?:\/\/|\(compatible;|Headless|PhantomJS|\bLighthouse\b/i;

// Only names of these lists are kept: bowser makes one up from the text where it knows none.
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));

/** Whether no browser that a person uses could have sent this; in doubt it could. Pure. */
export const isBot = (userAgent: string | undefined): boolean =>
  userAgent === undefined || !BROWSER.test(userAgent) || PROGRAM.test(userAgent) || userAgent.length > LONGEST;

/**
 * The browser, its major version and the family of the operating system. Pure. Brave looks like Chrome, and Windows 11 like 10, which is
 * why versions of systems are not kept (facts D3).
 */
export function clientOf(userAgent: string | undefined): Client {
  if (userAgent === undefined || isBot(userAgent)) return NOTHING;
  const { browser, os } = Bowser.parse(userAgent);
  const name = browser.name !== undefined && BROWSERS.has(browser.name) ? browser.name : null;
  const [, major] = /^(\d{1,4})(?:\.|$)/.exec(browser.version ?? '') ?? [];
  return {
    browser: name,
    browserMajor: name === null || major === undefined ? null : Number(major),
    os: os.name !== undefined && SYSTEMS.has(os.name) ? os.name : null,
  };
}
