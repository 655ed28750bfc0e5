// npm run env:example: writes .env.example from the settings that the service itself reads.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ROOT } from './built.mjs';

flagsOf('npm run env:example', 'Writes .env.example from the settings that the service reads.');

ensureBuilt();
const { envExample } = await import('../dist/common/config/index.js');
writeFileSync(join(ROOT, '.env.example'), envExample());
