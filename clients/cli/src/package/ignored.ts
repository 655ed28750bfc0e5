import picomatch from 'picomatch';

/**
 * What never belongs into a package: the defaults of `web-ext build` (hidden files, `node_modules`, other packages, its own artifacts), private
 * keys, and Pierhead's own settings.
 */
const DEFAULTS: readonly string[] = [
  '**/.*',
  '**/node_modules',
  '**/*.{zip,xpi,crx}',
  '**/*.{pem,p8}',
  'web-ext-artifacts',
  'pierhead.json',
];

/**
 * Says of a path whether it stays out of the package.
 * @param ignoreFiles patterns as `web-ext` takes them, relative to the folder, in the order in which they apply; `!` takes a path back in
 * @returns a function of the path of a file or folder, relative to the folder and with `/`
 */
export function ignoring(ignoreFiles: readonly string[] = []): (path: string) => boolean {
  const rules = [...DEFAULTS, ...ignoreFiles].map((pattern) => {
    const isException = pattern.startsWith('!');
    const matches = picomatch((isException ? pattern.slice(1) : pattern).replace(/^\.?\//, ''), { dot: true });
    return { isException, matches };
  });
  return (path) => rules.reduce((ignored, { isException, matches }) => (matches(path) ? !isException : ignored), false);
}
