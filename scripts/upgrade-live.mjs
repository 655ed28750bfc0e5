// npm run upgrade:live -- <commit>: replaces two processes of a commit by two of this clone while they serve, and kills the first new one in the
// middle of its migrations. Fails if a request failed, or if something that was acknowledged is gone. Needs PostgreSQL.
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { ensureBuilt, ROOT } from './built.mjs';
import { freePort, startService, stopService, untilReady } from './on-sandbox.mjs';
import { findServer } from './vitest.mjs';

const USAGE = `Usage: npm run upgrade:live -- <commit>
Replaces two processes of a commit by two of this clone, while they serve. Fails if a request fails.
`;
const EXIT_USAGE = 64;
const CLIENTS = 4;
const SEATS = 50;
/** A balancer asks the next process when one does not answer, and gives up after so many rounds. */
const ROUNDS = 40;
const ROUND_MS = 250;
const LOOK_MS = 3;
const SETTLE_MS = 3000;

/** Whether a migration changes the schema just now: it holds the lock of migrations and a table, which others lock alone at times. */
const IS_MIGRATING = `
  select exists (select from pg_locks held join pg_class on pg_class.oid = held.relation join pg_locks lock using (pid)
    where held.granted and held.mode = 'AccessExclusiveLock' and relnamespace = 'public'::regnamespace
      and lock.granted and lock.locktype = 'advisory'
      and held.database = (select oid from pg_database where datname = current_database())) as yes`;

const say = (text) => process.stdout.write(`${text}\n`);

/** Runs a program to its end. @throws Error when it fails */
function run(program, args, cwd) {
  const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed.`);
}

/** The processes that serve, and a client that asks them in turn, as a balancer does. */
class Fleet {
  running = [];
  requests = 0;
  failures = [];
  longestMs = 0;

  constructor(env, scratch) {
    Object.assign(this, { env, scratch });
  }

  async start(name, folder) {
    const port = await freePort();
    const log = createWriteStream(join(this.scratch, `${name}.log`), { flags: 'a' });
    const child = startService({ ...this.env, PORT: String(port) }, log, folder);
    return { name, child, origin: `http://127.0.0.1:${port}` };
  }

  /** Starts a process and lets it serve. @throws Error when it ends before it is ready */
  async serve(name, folder) {
    const started = await this.start(name, folder);
    await untilReady(started.child, started.origin).catch(() => {
      throw new Error(`${name} did not start. See ${join(this.scratch, `${name}.log`)}`);
    });
    this.running.push(started);
    say(`${name} serves.`);
    return started;
  }

  /** Ends a process as an update does. */
  async stop(served, signal = 'SIGTERM') {
    await stopService(served.child, signal);
    this.running = this.running.filter((one) => one !== served);
    say(`${served.name} was ended by ${signal}.`);
  }

  /** Asks a process, and another one if it is gone. @returns the answer's body, or null after a failure, which it notes */
  async ask(method, path, body, headers = {}) {
    const began = performance.now();
    this.requests += 1;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { origin } of [...this.running].sort(() => Math.random() - 0.5)) {
        const answer = await fetch(`${origin}/api/v1${path}`, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          body: body === undefined ? null : JSON.stringify(body),
        }).catch(() => null);
        if (answer === null) continue;
        this.longestMs = Math.max(this.longestMs, performance.now() - began);
        const said = await answer.json().catch(() => null);
        if (answer.ok) return { body: said, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] };
        this.failures.push(`${method} ${path}: ${answer.status} ${said?.detail ?? ''}`);
        return null;
      }
      await pause(ROUND_MS);
    }
    this.failures.push(`${method} ${path}: no answer`);
    return null;
  }

  end() {
    for (const { child } of this.running) child.kill('SIGKILL');
  }
}

/** What a tenant, its buyers and its devices do, and what was acknowledged to them. */
class Load {
  issued = new Set();
  activated = new Set();
  isOver = false;

  static async on(fleet) {
    const password = randomBytes(12).toString('hex');
    const account = { email: 'author@example.com', password, tenantName: 'Author' };
    const { cookie } = await fleet.ask('POST', '/auth/signup', account);
    const wanted = { name: 'CI', scopes: ['*'] };
    const { body } = await fleet.ask('POST', '/access-tokens', wanted, { cookie });
    const token = { authorization: `Bearer ${body.token}` };
    const extension = await fleet.ask('POST', '/extensions', { name: 'Owl' }, token);
    const extensionId = extension.body.id;
    const plan = { extensionId, tier: 'pro', maxActivations: SEATS };
    const planId = (await fleet.ask('POST', '/plans', plan, token)).body.id;
    return new Load(fleet, { token, cookie, extensionId, planId });
  }

  constructor(fleet, tenant) {
    Object.assign(this, { fleet, tenant });
    this.running = Array.from({ length: CLIENTS }, () => this.loop());
  }

  async loop() {
    const { fleet, tenant } = this;
    while (!this.isOver) {
      const license = await fleet.ask(
        'POST',
        '/licenses',
        { planId: tenant.planId, buyerEmail: 'buyer@example.com' },
        tenant.token,
      );
      if (license !== null) await this.use(license.body);
      await fleet.ask('GET', '/licenses?limit=20', undefined, tenant.token);
      await fleet.ask('GET', '/auth/me', undefined, { cookie: tenant.cookie });
    }
  }

  async use({ id, code }) {
    const { fleet, tenant } = this;
    this.issued.add(id);
    const device = { code, extensionId: tenant.extensionId, fingerprint: randomUUID() };
    const activated = await fleet.ask('POST', '/licensing/activate', device);
    if (activated?.body.success) this.activated.add(id);
    else if (activated !== null) fleet.failures.push(`A new code was refused: ${activated.body.reason}`);
    const checked = await fleet.ask('POST', '/licensing/check', device);
    if (checked !== null && !checked.body.isActive) fleet.failures.push(`A seated device: ${checked.body.reason}`);
    await fleet.ask('POST', '/analytics/ping', { ...device, installId: randomUUID(), version: '1.0.0' });
  }

  async end() {
    this.isOver = true;
    await Promise.all(this.running);
  }
}

/** Starts a process of this clone and kills it as soon as it changes the schema. @returns whether that was seen before it was ready */
async function killedWhileMigrating(fleet, client) {
  const started = await fleet.start('the first new process', ROOT);
  const ready = untilReady(started.child, started.origin);
  const over = ready.then(
    () => true,
    () => true,
  );
  let isSeen = false;
  while (!isSeen && !(await Promise.race([over, pause(LOOK_MS, false)])))
    isSeen = (await client.query(IS_MIGRATING)).rows[0].yes;
  await fleet.stop(started, 'SIGKILL');
  await ready.catch(() => undefined);
  return isSeen;
}

async function upgrade(commit, { url }, scratch) {
  const old = join(scratch, 'old');
  say(`Building ${commit}…`);
  run('git', ['worktree', 'add', '--quiet', '--detach', old, commit], ROOT);
  run('npm', ['ci', '--no-audit', '--no-fund', '--silent'], old);
  run(process.execPath, ['--eval', "import('./scripts/built.mjs').then(({ ensureBuilt }) => ensureBuilt())"], old);
  ensureBuilt();
  const name = `pierhead_upgrade_${process.pid}`;
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const client = new pg.Client(own.href);
  await client.connect();
  const key = `k1:${randomBytes(32).toString('base64')}`;
  const secrets = { ENCRYPTION_KEYS: key, CODE_PEPPERS: key, TOKEN_SECRET: randomBytes(32).toString('hex') };
  const settings = { DATABASE_URL: own.href, DATA_DIR: join(scratch, 'data'), SIGNUP: 'open', RATE_LIMITS: 'off' };
  const fleet = new Fleet({ ...secrets, ...settings }, scratch);
  try {
    await fleet.serve('the first old process', old);
    const second = await fleet.serve('the second old process', old);
    const load = await Load.on(fleet);
    await pause(SETTLE_MS);
    const migrations = async () => (await client.query('select name from migration order by timestamp')).rows.length;
    const before = await migrations();
    say(
      (await killedWhileMigrating(fleet, client))
        ? 'It was killed in the middle of a migration.'
        : 'It was killed as it began to serve: no migration was seen.',
    );
    await fleet.serve('the first new process', ROOT);
    say(`${(await migrations()) - before} migrations have run.`);
    await fleet.stop(second);
    const again = await fleet.serve('the second old process, started again,', old);
    await pause(SETTLE_MS);
    await fleet.serve('the second new process', ROOT);
    await fleet.stop(again);
    await fleet.stop(fleet.running[0]);
    await pause(SETTLE_MS);
    await load.end();
    const { rows } = await client.query(
      'select l.id, count(s.id)::int as seats from license l left join seat s on s.license_id = l.id group by l.id',
    );
    const seats = new Map(rows.map(({ id, seats: taken }) => [id, taken]));
    for (const id of load.issued) if (!seats.has(id)) fleet.failures.push(`License ${id} is gone.`);
    for (const id of load.activated) if (seats.get(id) !== 1) fleet.failures.push(`License ${id} lost its seat.`);
    say(
      `${fleet.requests} requests, ${fleet.failures.length} failed; the longest took ${fleet.longestMs.toFixed(0)} ms; ${load.issued.size} licenses and ${load.activated.size} seats are there.`,
    );
    return fleet.failures;
  } finally {
    fleet.end();
    await client.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
    run('git', ['worktree', 'remove', '--force', old], ROOT);
  }
}

const [commit, ...more] = process.argv.slice(2);
if (commit === undefined || commit.startsWith('-') || more.length > 0) {
  process.stderr.write(USAGE);
  process.exit(EXIT_USAGE);
}
const server = await findServer();
if (server === null) {
  process.stderr.write('No PostgreSQL answers at TEST_DATABASE_URL or postgres@127.0.0.1:5432.\n');
  process.exit(1);
}
const scratch = mkdtempSync(join(tmpdir(), 'pierhead-upgrade-'));
try {
  const failures = await upgrade(commit, server, scratch);
  for (const failure of failures.slice(0, 20)) process.stderr.write(`${failure}\n`);
  process.exitCode = failures.length > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
if (process.exitCode === 0) rmSync(scratch, { recursive: true, force: true });
