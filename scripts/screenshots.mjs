// npm run screenshots: takes the pictures of the documents, and those that the states of the console are compared with, in a real browser.
import { join } from 'node:path';
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ensureConsoleBuilt, ensureTestTools, ROOT } from './built.mjs';
import { EMBEDDED, findServer, finish, runVitest } from './vitest.mjs';

flagsOf(
  'npm run screenshots',
  'Writes docs/images and test/console/references from the console, with made-up data. Needs Chromium at /usr/bin/chromium.',
);
ensureTestTools();
ensureBuilt();
ensureConsoleBuilt();
process.env.CONSOLE_IMAGES = join(ROOT, 'docs/images');
finish([
  await runVitest('The pictures', (await findServer()) ?? EMBEDDED, ['test/console/pictures', 'test/console/states']),
]);
