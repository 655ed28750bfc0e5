// npm run env:example: writes .env.example from the settings that the service itself reads.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ROOT } from './built.mjs';

ensureBuilt();
const { envExample } = await import('../dist/common/config/index.js');
writeFileSync(join(ROOT, '.env.example'), envExample());
