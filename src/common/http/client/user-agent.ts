import Bowser from 'bowser';

/** The parts of a User-Agent that are stored; null when unknown. */
export interface Client {
  readonly browser: string | null;
  readonly browserMajor: number | null;
  readonly os: string | null;
}

const NO_CLIENT: Client = { browser: null, browserMajor: null, os: null };
/** No browser sends a longer one, and parsing takes time. */
const LONGEST = 1024;
/** The beginning of every browser's User-Agent in the last fifteen years. */
const BROWSER = /^Mozilla\/5\.0 \(/;
/** Marks of programs that imitate a browser: a contact URL, "compatible", "headless". */
const PROGRAM = /\+?https?:\/\/|\(compatible;|Headless|PhantomJS|\bLighthouse\b/i;

// Only names of these lists are stored: bowser derives a name from the text when it knows none.
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<string> = new Set(Object.values(Bowser.OS_MAP));

/** Whether a User-Agent is certainly not that of a person's browser. Pure. */
export const isBot = (userAgent: string | undefined): boolean =>
  userAgent === undefined || !BROWSER.test(userAgent) || PROGRAM.test(userAgent) || userAgent.length > LONGEST;

/**
 * Reads the browser, its major version and the family of the operating system. Pure. Brave is reported as Chrome. Windows 11 looks like 10,
 * so versions of systems are not stored.
 */
export function clientOf(userAgent: string | undefined): Client {
  if (userAgent === undefined || isBot(userAgent)) return NO_CLIENT;
  const { browser, os } = Bowser.parse(userAgent);
  const name = browser.name !== undefined && BROWSERS.has(browser.name) ? browser.name : null;
  const [, major] = /^(\d{1,4})(?:\.|$)/.exec(browser.version ?? '') ?? [];
  return {
    browser: name,
    browserMajor: name === null || major === undefined ? null : Number(major),
    os: os.name !== undefined && SYSTEMS.has(os.name) ? os.name : null,
  };
}

/** Names a browser to a person, such as “Firefox 130 on Linux”; null when neither browser nor system is known. Pure. */
export function labelOfClient({ browser, browserMajor, os }: Client): string | null {
  const name = [browser, browserMajor].filter((part) => part !== null).join(' ');
  return [name, os].filter(Boolean).join(' on ') || null;
}
