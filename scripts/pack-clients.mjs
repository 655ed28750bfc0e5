// Packs the clients as npm publishes them into clients/dist/, from which the service gives them away. Expects the command line to be built.
import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './built.mjs';

const CLIENTS = ['pierhead', '@pierhead/licensing', '@pierhead/action'];
const FOLDER = join(ROOT, 'clients/dist');

// Another process may build at the same time.
const draft = `${FOLDER}.${process.pid}`;
mkdirSync(draft);
const { status, stderr } = spawnSync(
  'npm',
  ['pack', '--ignore-scripts', '--pack-destination', draft, ...CLIENTS.map((name) => `--workspace=${name}`)],
  { cwd: ROOT, encoding: 'utf8', shell: process.platform === 'win32' },
);
if (status === 0) {
  rmSync(FOLDER, { recursive: true, force: true });
  renameSync(draft, FOLDER);
} else {
  process.stderr.write(stderr);
  rmSync(draft, { recursive: true });
  process.exitCode = 1;
}
