// npm run types: the compiler, strict. Tests are left out where what they import is not installed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { hasTestTools, ROOT } from './built.mjs';

const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');
const passes = (project) =>
  spawnSync(process.execPath, [TSC, '--noEmit', '-p', join(ROOT, project)], { stdio: 'inherit' }).status === 0;

const service = hasTestTools() ? 'tsconfig.json' : 'tsconfig.shipped.json';
if (!hasTestTools())
  process.stdout.write('Tests are not checked: their tools are missing. `npm test` installs them.\n');
const isGood = [service, 'console/tsconfig.json'].map(passes).every(Boolean);
process.exit(isGood ? 0 : 1);
