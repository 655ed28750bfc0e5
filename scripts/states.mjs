// npm run states: the console with each state that is rarely seen, such as a rejected version, on a service and stores of its own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { compiled } from '../test/support/compiled.mjs';
import { lendDatabases } from '../test/support/databases.mjs';
import { flagsOf } from './arguments.mjs';
import { ensureConsoleBuilt } from './built.mjs';

flagsOf('npm run states', 'Serves a page that leads to the console in each of its states, until Ctrl-C.');
ensureConsoleBuilt();
const { folder, remove } = await compiled(['test/console/support', 'test/reconcile', 'test/analytics']);
const databases = await lendDatabases(() => import(join(folder, 'src/common/database/index.js')));
process.env.TEST_DATABASES = databases.url;
const child = fork(join(folder, 'test/console/support/states-main.js'), { execArgv: ['--no-warnings'] });
const ended = once(child, 'exit');
child.once('message', ({ url }) => void process.stdout.write(`The states are at ${url}. Ctrl-C ends it.\n`));
const stopped = new Promise((stop) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
});
await Promise.race([stopped, ended]);
child.kill();
await ended;
await databases.close();
await remove();
process.exit(child.exitCode ?? 0);
