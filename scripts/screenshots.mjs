// npm run screenshots: plays a studio with five extensions in a real browser, and writes the pictures of the documents to docs/images.
import { join } from 'node:path';
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ensureConsoleBuilt, ROOT } from './built.mjs';
import { EMBEDDED, findServer, finish, runJest } from './jest.mjs';

flagsOf(
  'npm run screenshots',
  'Writes docs/images from the console, with made-up data. Needs Chromium at /usr/bin/chromium.',
);
ensureBuilt();
ensureConsoleBuilt();
process.env.CONSOLE_IMAGES = join(ROOT, 'docs/images');
finish([await runJest('The pictures', (await findServer()) ?? EMBEDDED, ['test/console/pictures'])]);
