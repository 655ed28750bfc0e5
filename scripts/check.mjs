// npm run check: everything that is checked without running it, at once, and then the tests.
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { flagsOf } from './arguments.mjs';
import { ensureTestTools, ROOT } from './built.mjs';
import { startChild } from './children.mjs';

flagsOf('npm run check', 'Runs all checks and then the tests, and fails when one of them fails.');
const CHECKS = ['format:check', 'lint', 'types', 'boundaries', 'unused'];

/** Runs a check, and shows what it printed once it has ended, so that two do not mix. @returns whether it passed */
async function passes(name) {
  const since = performance.now();
  const child = startChild('npm', ['run', '--silent', name], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], ...printed] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  const took = ((performance.now() - since) / 1000).toFixed(1);
  process.stdout.write(`\n${printed.join('')}${name} ${code === 0 ? 'passed' : 'failed'} after ${took} s.\n`);
  return code === 0;
}

// The compiler, and knip, look into them.
ensureTestTools();
const results = await Promise.all(CHECKS.map(passes));
if (results.includes(false)) process.exit(1);
const [code] = await once(startChild('npm', ['test'], { cwd: ROOT, stdio: 'inherit' }), 'exit');
process.exit(code ?? 1);
