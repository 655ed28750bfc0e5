// npm run docs:openapi: writes openapi.json as the service describes itself, and the types and facts that the clients are written against.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { flagsOf } from './arguments.mjs';
import { startChild } from './children.mjs';
import { ensureBuilt, ROOT } from './built.mjs';
import { catalogsOf } from './client-catalog.mjs';

flagsOf(
  'npm run docs:openapi',
  'Writes openapi.json, and the types and facts of the clients, from the running service.',
);

/** Requests a route of the API. */
async function request(origin, method, path, headers, body) {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return { answer: await response.json(), cookie: response.headers.getSetCookie()[0]?.split(';')[0] };
}

/** Asks the service for its description, and as its first user for those of the stores and the processors. */
async function ask(origin) {
  const document = await (await fetch(`${origin}/api/openapi.json`)).json();
  const account = { email: 'author@pierhead.example', password: 'a heron counts seven reeds', tenantName: 'Author' };
  const { cookie } = await request(origin, 'POST', '/auth/signup', {}, account);
  const { token } = (await request(origin, 'POST', '/auth/token', { cookie }, {})).answer;
  const stores = (await request(origin, 'GET', '/stores')).answer.items;
  const { processors } = (await request(origin, 'GET', '/webhooks/processors', { authorization: `Bearer ${token}` }))
    .answer;
  return { document, stores, processors };
}

/** Starts the service on an empty database, and asks it. */
async function describe(dataDir) {
  const service = startChild(process.execPath, [join(ROOT, 'dist/main.js')], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, PUBLIC_URL: 'https://pierhead.example' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  try {
    for await (const line of createInterface({ input: service.stdout })) {
      const { msg, url } = JSON.parse(line);
      if (msg === 'listening') return await ask(url);
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
  const described = await describe(dataDir);
  writeFileSync(join(ROOT, 'openapi.json'), `${JSON.stringify(described.document, null, 2)}\n`);
  for (const [name, source] of Object.entries(catalogsOf(described)))
    writeFileSync(join(ROOT, 'clients/cli/src/api', name), source);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
const { status } = spawnSync('npm', ['run', '--silent', 'types', '-w', 'pierhead'], { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;
