import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Listening } from '../overview/listening.js';
import { startWorld, type World } from '../support/app.js';
import { manifestOf, zipOf } from '../support/packages.js';

const DEPLOY = fileURLToPath(new URL('../../deploy', import.meta.url));

interface Start {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A proxy that deploy/ has a file for. */
interface Proxy {
  readonly name: string;
  readonly program: string;
  /** In deploy/. */
  readonly file: string;
  /** The service's address in that file. */
  readonly service: string;
  /** Writes the file's text, which names the service of the test, into a folder. @returns how to start the program at the URL */
  prepare(folder: string, text: string, url: string): Promise<Start>;
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'Caddy',
    program: '/usr/bin/caddy',
    file: 'caddy/Caddyfile',
    service: 'pierhead:3000',
    prepare: async (folder, text, url) => {
      // No second service of this machine may answer for its administration.
      await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n}\n${text}`);
      return {
        args: ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
        env: { DOMAIN: url, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      };
    },
  },
  {
    name: 'nginx',
    program: '/usr/sbin/nginx',
    file: 'nginx/pierhead.conf',
    service: '127.0.0.1:3000',
    prepare: async (folder, text, url) => {
      const here = text.replace('listen 80;', `listen ${new URL(url).host};`);
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${join(folder, name)};`,
      );
      await writeFile(
        join(folder, 'nginx.conf'),
        `daemon off;\nmaster_process off;\npid ${join(folder, 'pid')};\nerror_log stderr notice;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${here}}\n`,
      );
      return { args: ['-p', folder, '-c', join(folder, 'nginx.conf')] };
    },
  },
];

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

/** Waits until a proxy passes on what it is asked. @throws Error with what it said when it ends instead */
async function answering(running: ChildProcess, url: string): Promise<void> {
  let said = '';
  const state = { hasEnded: false };
  // Read to its end: a program whose log nobody takes is ended by the system.
  running.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  running.once('close', () => (state.hasEnded = true));
  for (;;) {
    if (state.hasEnded) throw new Error(said);
    const answer = await fetch(`${url}/api/v1/auth/methods`).catch(() => null);
    if (answer?.status === 200) return;
  }
}

describe('Pierhead', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it('answers the paths of operators in their one spelling', async () => {
    const answers = await Promise.all(PATHS.map((path) => statusOf(world.url, path)));
    const revealing = answers.filter((answer) => answer.endsWith('operators'));
    const expected = ['/metrics', '/health/live', '/health/ready'].flatMap((path) => [path, `${path}?x=1`]);
    expect(revealing).toEqual(expected.map((path) => `${path}: 200 with what is for operators`));
  });

  describe.each(PROXIES.map((proxy) => [proxy.name, proxy] as const))('behind %s', (name, proxy) => {
    const isInstalled = existsSync(proxy.program);
    if (!isInstalled) process.stderr.write(`Skipped: Pierhead behind ${name}, because there is no ${proxy.program}.\n`);
    const proxied = isInstalled ? it : it.skip;
    let folder: string;
    let url: string;
    let running: ChildProcess | undefined;
    beforeAll(async () => {
      if (!isInstalled) return;
      folder = await mkdtemp(join(tmpdir(), 'pierhead-proxy-'));
      url = `http://127.0.0.1:${await freePort()}`;
      const shipped = await readFile(join(DEPLOY, proxy.file), 'utf8');
      const here = shipped.replace(proxy.service, new URL(world.url).host);
      expect(here).not.toBe(shipped);
      const { args, env } = await proxy.prepare(folder, here, url);
      running = spawn(proxy.program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
      await answering(running, url);
    });
    afterAll(async () => {
      if (running === undefined) return;
      running.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    });

    proxied('the paths of operators answer nobody, however they are spelled', async () => {
      const answers = await Promise.all(PATHS.map((path) => statusOf(url, path)));
      expect(answers.filter((answer) => /: 2\d\d| operators$/.test(answer))).toEqual([]);
      expect(await statusOf(url, '/api/v1/auth/methods')).toBe('/api/v1/auth/methods: 200');
    });

    proxied('a package of several megabytes is pushed', async () => {
      const author = await world.given.publishable();
      const zip = await zipOf({ 'manifest.json': JSON.stringify(manifestOf('1.0.0')), noise: randomBytes(3_000_000) });
      const pushed = await fetch(`${url}/api/v1/artifacts?extension=${author.extensionId}&version=1.0.0`, {
        method: 'POST',
        headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/zip' },
        body: new Uint8Array(zip),
      });
      expect([pushed.status, await pushed.text()]).toEqual([201, expect.stringContaining('"version":"1.0.0"')]);
    });

    proxied('events reach an open page at once', async () => {
      const { token } = await world.given.tenant();
      // Throws unless the first event comes within five seconds.
      await (await Listening.to({ url }, token)).leave();
    });
  });
});
