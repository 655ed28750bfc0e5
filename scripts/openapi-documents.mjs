// npm run docs:openapi: writes openapi.json as the service describes itself, and the types that the clients are written against.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { flagsOf } from './arguments.mjs';
import { ensureBuilt, ROOT } from './built.mjs';

flagsOf('npm run docs:openapi', 'Writes openapi.json and the types of the clients from the running service.');

/** Starts the service on an empty database, and asks it for its description. */
async function describe(dataDir) {
  const service = spawn(process.execPath, [join(ROOT, 'dist/main.js')], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, PUBLIC_URL: 'https://pierhead.example' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  try {
    for await (const line of createInterface({ input: service.stdout })) {
      const { msg, url } = JSON.parse(line);
      if (msg === 'listening') return await (await fetch(`${url}/api/openapi.json`)).json();
    }
    throw new Error('The service ended before it listened.');
  } finally {
    service.kill('SIGTERM');
    await ended;
  }
}

ensureBuilt();
const dataDir = mkdtempSync(join(tmpdir(), 'pierhead-openapi-'));
try {
  writeFileSync(join(ROOT, 'openapi.json'), `${JSON.stringify(await describe(dataDir), null, 2)}\n`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
const { status } = spawnSync('npm', ['run', '--silent', 'types', '-w', 'pierhead'], { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
