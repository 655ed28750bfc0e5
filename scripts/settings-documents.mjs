// npm run docs:settings: writes .env.example and docs/configuration.md from the settings that the service itself reads.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ROOT } from './built.mjs';

flagsOf('npm run docs:settings', 'Writes .env.example and docs/configuration.md from the settings of the service.');

ensureBuilt();
const { configurationGuide, envExample } = await import('../dist/common/config/index.js');
writeFileSync(join(ROOT, '.env.example'), envExample());
writeFileSync(join(ROOT, 'docs/configuration.md'), configurationGuide());
