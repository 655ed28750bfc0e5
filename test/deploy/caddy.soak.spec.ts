import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/app.js';

const CADDY = '/usr/bin/caddy';
const CADDYFILE = fileURLToPath(new URL('../../deploy/caddy/Caddyfile', import.meta.url));
const isInstalled = existsSync(CADDY);
if (!isInstalled) process.stderr.write(`Skipped: operators' paths behind Caddy, because there is no ${CADDY}.\n`);

/** Ways to write the paths of operators that a proxy, a router or a file system might take for the same. */
const spellings = (path: string): readonly string[] => [
  path,
  `${path}/`,
  `${path}//`,
  `${path}?x=1`,
  `${path}/.`,
  `${path}/x/..`,
  `${path};x=1`,
  `${path}%2F`,
  `${path}%20`,
  `/${path}`,
  `/.${path}`,
  `/x/..${path}`,
  `/%2e${path}`,
  path.toUpperCase(),
  path.replace('/m', '/M').replace('/h', '/H'),
  path.replace('e', '%65'),
  path.replace('/', '/%2F'),
  path.replaceAll('/', '\\'),
];
const PATHS = ['/metrics', '/health/live', '/health/ready', '/health'].flatMap(spellings);

/** The answer to a path that is sent as it is written, which `fetch` would tidy up. */
async function statusOf(url: string, path: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: close\r\n\r\n`);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  const answer = Buffer.concat(chunks).toString('utf8');
  const reveals = /"status":"ok"|process_cpu|"info":/.test(answer);
  return `${path}: ${answer.slice(9, 12)}${reveals ? ' with what is for operators' : ''}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

describe('the paths of operators', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it('answer in their one spelling', async () => {
    const answers = await Promise.all(PATHS.map((path) => statusOf(world.url, path)));
    const revealing = answers.filter((answer) => answer.endsWith('operators'));
    const expected = ['/metrics', '/health/live', '/health/ready'].flatMap((path) => [path, `${path}?x=1`]);
    expect(revealing).toEqual(expected.map((path) => `${path}: 200 with what is for operators`));
  });

  (isInstalled ? describe : describe.skip)('behind the Caddyfile of deploy/', () => {
    let folder: string;
    let url: string;
    let caddy: ChildProcess;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'pierhead-caddy-'));
      url = `http://127.0.0.1:${await freePort()}`;
      const shipped = await readFile(CADDYFILE, 'utf8');
      const here = shipped.replace('pierhead:3000', new URL(world.url).host);
      expect(here).not.toBe(shipped);
      // No second service of this machine may answer for its administration.
      await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${here}`);
      caddy = spawn(CADDY, ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
        env: { ...process.env, DOMAIN: url, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      // Read to its end: a program whose log nobody takes is ended by the system.
      await new Promise<void>((resolve, reject) => {
        caddy.stderr?.on('data', (chunk: Buffer) => {
          said += chunk.toString();
          if (said.includes('serving initial configuration')) resolve();
        });
        caddy.once('close', () => reject(new Error(said)));
      });
    });
    afterAll(async () => {
      caddy.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    });

    it('answer nobody, however they are spelled', async () => {
      const answers = await Promise.all(PATHS.map((path) => statusOf(url, path)));
      expect(answers.filter((answer) => /: 2\d\d| operators$/.test(answer))).toEqual([]);
      expect(await statusOf(url, '/api/v1/auth/methods')).toBe('/api/v1/auth/methods: 200');
    });
  });
});
