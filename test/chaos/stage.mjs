// What the chaos happens to: three processes of the service behind HAProxy, on a PostgreSQL with a standby, Redis, a bucket, and the sandbox.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '../../bench/fleet.mjs';
import { endLater, LEASHED, scratchFolder, serverKeys, undoLater } from '../../bench/stage.mjs';
import { ROOT } from '../../scripts/built.mjs';
import { freePort } from '../../scripts/on-sandbox.mjs';
import { HAPROXY, REDIS } from './programs.mjs';

await import('@swc-node/register/esm-register');
const { startCluster } = await import('../support/cluster.ts');

const REPLICAS = 3;
const CLOCK_AHEAD_MS = 60_000;
const POLL_MS = 100;
const START_MS = 180_000;
/** A process that says nothing for so long is asked again. */
const ANSWER_MS = 10_000;
const BUCKET = 'packages';
/** How many claims of a code one address may make in a minute: what the rate limits are tried by. */
export const CLAIMS_PER_MINUTE = 30;
const ANY_NUMBER = '1000000';

/** A program that is ended and started again. */
class Program {
  child = null;

  constructor(command, { env = process.env, log, leashed = false }) {
    Object.assign(this, { command, env, log, leashed });
  }

  async start() {
    const log = await open(this.log, 'a');
    const [program, ...args] = this.command;
    const stdio = ['ignore', log.fd, log.fd, ...(this.leashed ? ['ipc'] : [])];
    this.child = spawn(program, args, { env: this.env, stdio });
    endLater(this.child);
    await log.close();
  }

  async stop(signal) {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** A process of the service, on a port that it keeps. */
class Replica extends Program {
  constructor(port, options) {
    super([process.execPath, ...LEASHED, join(ROOT, 'dist/main.js')], { ...options, leashed: true });
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** Whether it answers; one that gave up while it started is started again, as systemd and Kubernetes do. */
  async isLive() {
    if (this.child.exitCode !== null) await this.start();
    return answers(`${this.origin}/health/live`);
  }
}

const answers = (url) =>
  fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

export async function until(what, holds) {
  for (const began = Date.now(); !(await holds()); await pause(POLL_MS))
    if (Date.now() - began > START_MS) throw new Error(`${what} did not start`);
}

/** Waits until all processes answer, and HAProxy has noticed. */
async function untilServed(origin, replicas) {
  for (const replica of replicas) await until('A process', () => replica.isLive());
  await until('HAProxy', () => answers(`${origin}/health/live`));
}

const answersAt = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

const balancer = ({ control, http, database, replicas, cluster }) => `
global
  stats socket ${control} level admin
defaults
  timeout connect 2s
  timeout check 5s
  timeout client 60s
  timeout server 60s
  retries 3
  option redispatch
listen http
  mode http
  bind 127.0.0.1:${http}
  option forwardfor
  option httpchk GET /health/live
  retry-on conn-failure
  default-server check inter 500 fall 2 rise 1
${replicas.map((port, at) => `  server replica${at} 127.0.0.1:${port}`).join('\n')}
listen database
  mode tcp
  bind 127.0.0.1:${database}
  server primary 127.0.0.1:${new URL(cluster.primary.url).port}
  server standby 127.0.0.1:${new URL(cluster.standby.url).port} disabled
`;

/** Tells HAProxy something while it runs. */
async function tell(control, command) {
  const socket = connect(control);
  socket.end(`${command}\n`);
  const said = (await text(socket)).trim();
  if (said !== '') throw new Error(`HAProxy refused "${command}": ${said}`);
}

async function startBucket(folder, port) {
  const program = join(ROOT, 'test/node_modules/s3rver/bin/s3rver.js');
  const args = [
    '--directory',
    join(folder, 'bucket'),
    '--port',
    port,
    '--address',
    '127.0.0.1',
    '--configure-bucket',
    BUCKET,
  ];
  const bucket = new Program([process.execPath, program, ...args.map(String)], { log: join(folder, 'bucket.log') });
  await bucket.start();
  await until('The bucket', () => answersAt(port));
  return bucket;
}

async function startRedis(folder, port) {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const redis = new Program([REDIS, ...args], { log: join(folder, 'redis.log') });
  await redis.start();
  await until('Redis', () => answersAt(port));
  return redis;
}

const settingsOf = ({ sandbox, cluster, ports, folder }) => ({
  PATH: process.env.PATH,
  ...sandbox.env,
  ...serverKeys(),
  DATABASE_URL: `postgres://postgres@127.0.0.1:${ports.database}/postgres`,
  DATABASE_READ_URL: cluster.standby.url,
  REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
  S3_BUCKET: BUCKET,
  S3_ENDPOINT: `http://127.0.0.1:${ports.bucket}`,
  S3_ACCESS_KEY_ID: 'S3RVER',
  S3_SECRET_ACCESS_KEY: 'S3RVER',
  PUBLIC_URL: `http://127.0.0.1:${ports.http}`,
  TRUST_PROXY: '1',
  LOG_LEVEL: 'warn',
  SIGNUP: 'open',
  TENANT_QUOTAS: 'unlimited:0',
  DEFAULT_TENANT_QUOTA: 'unlimited',
  RECONCILE_EVERY_SECONDS: '1',
  REVIEW_CHECK_SECONDS: '1',
  ANALYTICS_INSTALLS_PER_ADDRESS: '60000',
  RATE_LIMIT_CLAIM_PER_ADDRESS: String(CLAIMS_PER_MINUTE),
  RATE_LIMIT_CHECK_PER_ADDRESS: ANY_NUMBER,
  RATE_LIMIT_ACTIVATE_PER_ADDRESS: ANY_NUMBER,
  RATE_LIMIT_ACTIVATE_PER_CODE: ANY_NUMBER,
  RATE_LIMIT_PING_PER_ADDRESS: ANY_NUMBER,
  DATA_DIR: join(folder, 'data'),
});

/** The settings of a process that takes it to be later than it is. */
const clockAhead = (ms) => ({
  NODE_OPTIONS: `--import=${new URL('../support/later.mjs', import.meta.url).href}`,
  CLOCK_AHEAD_MS: String(ms),
});

/**
 * Starts everything; it goes with this process.
 * @param {{ isSynchronous: boolean }} how whether a commit waits until the standby has it on its disk
 */
export async function setStage({ isSynchronous }) {
  const folder = await scratchFolder();
  const cluster = await startCluster();
  undoLater(async () => cluster.remove());
  await cluster.waitForStandby(isSynchronous);
  const [http, database, redisPort, bucketPort] = await Promise.all(Array.from({ length: 4 }, freePort));
  const ports = { http, database, redis: redisPort, bucket: bucketPort };
  const sandbox = await startSandbox();
  const [redis, bucket] = [await startRedis(folder, ports.redis), await startBucket(folder, ports.bucket)];
  const settings = settingsOf({ sandbox, cluster, ports, folder });
  await mkdir(settings.DATA_DIR, { recursive: true });
  const places = await Promise.all(Array.from({ length: REPLICAS }, freePort));
  const control = join(folder, 'haproxy.sock');
  const configuration = join(folder, 'haproxy.cfg');
  await writeFile(configuration, balancer({ control, ...ports, replicas: places, cluster }));
  const haproxy = new Program([HAPROXY, '-db', '-f', configuration], { log: join(folder, 'haproxy.log') });
  await haproxy.start();
  await until('HAProxy', () => answersAt(ports.database));
  const replicas = places.map(
    (port, at) =>
      new Replica(port, {
        env: { ...settings, ...(at === REPLICAS - 1 ? clockAhead(CLOCK_AHEAD_MS) : {}), PORT: String(port) },
        log: join(folder, `replica-${at}.log`),
      }),
  );
  for (const replica of replicas) await replica.start();
  await untilServed(settings.PUBLIC_URL, replicas);
  const stage = {
    origin: settings.PUBLIC_URL,
    sim: sandbox.sim,
    replicas,
    redis,
    bucket,
    cluster,
    primary: cluster.primary,
    logs: () => Promise.all(replicas.map(({ log }) => readFile(log, 'utf8'))),
    /** Kills all processes, and starts them as much later, by their clocks and those of the stores. */
    letPass: async (minutes) => {
      // First, since a store refuses what is signed by a clock that is a quarter of an hour behind its own.
      for (const replica of replicas) await replica.stop('SIGKILL');
      await sandbox.sim('POST', '/clock', { advanceSeconds: minutes * 60 });
      for (const replica of replicas) {
        Object.assign(replica.env, clockAhead(minutes * 60_000));
        await replica.start();
      }
      await untilServed(settings.PUBLIC_URL, replicas);
    },
    /** Loses the primary for good, and makes the standby the primary. */
    failOver: async () => {
      cluster.primary.stop('immediate');
      await tell(control, 'set server database/primary state maint');
      cluster.standby.promote();
      stage.primary = cluster.standby;
      await tell(control, 'set server database/standby state ready');
    },
  };
  return stage;
}
