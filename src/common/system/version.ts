import { existsSync, readFileSync } from 'node:fs';

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

const { name, version } = read('../../../package.json') as { readonly name: string; readonly version: string };

/** Pierhead's version. */
export const VERSION = version;

/** The commit that this program was built from, 40 hexadecimal digits; null when it runs from its sources, or was built outside of a repository. */
export const COMMIT = existsSync(new URL('../../build.json', import.meta.url))
  ? (read('../../build.json') as { readonly commit: string | null }).commit
  : null;

const SHORT = 12;

/** Version and commit for people, such as `1.0.0 (3fa9c1d2e4b5)`. Pure. */
export const withCommit = (of: string, commit: string | null): string =>
  commit === null ? of : `${of} (${commit.slice(0, SHORT)})`;

export const FULL_VERSION = withCommit(VERSION, COMMIT);

/** The `User-Agent` of all calls to others. */
export const USER_AGENT = `Pierhead/${FULL_VERSION}`;

/**
 * How an operator types a command such as `backup`: by the package where it is installed, by a script of npm in a clone.
 * @param args what follows it; '' where options may
 */
export function typed(command: string, args?: string): string {
  const isPackage = name === 'pierhead-service';
  const [plain, withArgs] = isPackage
    ? [`npx pierhead-service ${command}`, `npx pierhead-service ${command}`]
    : [`npm run ${command}`, `npm run --silent ${command} --`];
  return args === undefined ? plain : `${withArgs} ${args}`.trim();
}
