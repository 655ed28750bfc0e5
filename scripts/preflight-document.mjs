// npm run docs:preflight: writes docs/preflight.md from the rules by which the service judges packages.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ROOT } from './built.mjs';

flagsOf('npm run docs:preflight', 'Writes docs/preflight.md from the rules of the stores.');

ensureBuilt();
const { readEnvironment } = await import('../dist/common/config/index.js');
const { makeStores, preflightGuide } = await import('../dist/stores/index.js');
const stores = makeStores(readEnvironment({}), { now: () => new Date() });
writeFileSync(join(ROOT, 'docs/preflight.md'), preflightGuide(stores));
