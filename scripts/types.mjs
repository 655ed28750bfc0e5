// npm run types: the compiler, strict. Tests are left out where what they import is not installed.
import { once } from 'node:events';
import { join } from 'node:path';
import { hasTestTools, ROOT } from './built.mjs';
import { startChild } from './children.mjs';

const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');
async function passes(project) {
  const child = startChild(process.execPath, [TSC, '--noEmit', '-p', join(ROOT, project)], { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return code === 0;
}

const service = hasTestTools() ? 'tsconfig.json' : 'tsconfig.shipped.json';
if (!hasTestTools())
  process.stdout.write('Tests are not checked: their tools are missing. `npm test` installs them.\n');
const results = [await passes(service), await passes('console/tsconfig.json')];
process.exit(results.every(Boolean) ? 0 : 1);
