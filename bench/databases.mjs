// Databases that a benchmark makes for itself on the server at DATABASE_URL or the local one, and that go with it.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { note, undoLater } from './stage.mjs';

const SERVER = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const PREFIX = 'pierhead_bench_';
const ANSWER_MS = 3000;
/** Held on the server between the making of a database and the first connection to it, and while left ones are dropped. */
const LOCK = 7_041_776;

const LEFT = `
  select datname as name from pg_database
   where datname like '${PREFIX.replaceAll('_', String.raw`\_`)}%'
     and not exists (select from pg_stat_activity where pg_stat_activity.datname = pg_database.datname)`;

/** @type {Promise<pg.Client> | null} */
let administrator = null;

/**
 * @param {string} url
 * @returns {Promise<pg.Client>} that says nothing when its database is dropped under it
 */
async function connect(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MS });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** One connection for all that is done to databases as a whole, made when it is first needed. It drops what earlier runs left behind. */
function admin() {
  administrator ??= connect(SERVER).then(async (client) => {
    undoLater(() => client.end());
    await dropLeft(client);
    return client;
  });
  return administrator;
}

/** Databases of runs that were killed: every run that is alive has a connection to each of its own. @param {pg.Client} client */
async function dropLeft(client) {
  await client.query('select pg_advisory_lock($1)', [LOCK]);
  const { rows } = await client.query(LEFT);
  for (const { name } of rows) {
    note(`Dropping ${name}, which an earlier run left…`);
    await client.query(`drop database ${name}`).catch((error) => note(String(error)));
  }
  await client.query('select pg_advisory_unlock($1)', [LOCK]);
}

/** Whether there is a server to measure on. @throws when DATABASE_URL is given and nothing answers there */
export async function serverAnswers() {
  const answers = await admin().then(
    () => true,
    () => false,
  );
  if (!answers && process.env.DATABASE_URL !== undefined) throw new Error('Nothing answers at DATABASE_URL');
  return answers;
}

/**
 * An empty database on the server, dropped when the benchmark ends.
 * @returns {Promise<{ url: string, client: pg.Client }>} with a connection to it, which also tells other runs to leave it alone
 */
export async function newDatabase() {
  const name = `${PREFIX}${randomBytes(4).toString('hex')}`;
  const url = Object.assign(new URL(SERVER), { pathname: `/${name}` }).href;
  const server = await admin();
  await server.query('select pg_advisory_lock($1)', [LOCK]);
  try {
    await server.query(`create database ${name}`);
    undoLater(() => server.query(`drop database ${name} with (force)`));
    return { url, client: await connect(url) };
  } finally {
    await server.query('select pg_advisory_unlock($1)', [LOCK]);
  }
}

/**
 * A connection that is closed when the benchmark ends.
 * @param {string} url
 * @returns {Promise<pg.Client>}
 */
export async function connection(url) {
  const client = await connect(url);
  undoLater(() => client.end());
  return client;
}

/** What the server is, as far as it decides how fast it is. */
export async function serverFacts() {
  const server = await admin();
  const names = ['server_version', 'shared_buffers', 'synchronous_commit', 'fsync', 'max_wal_size', 'autovacuum'];
  const facts = {};
  for (const name of names) facts[name] = Object.values((await server.query(`show ${name}`)).rows[0])[0];
  const { server_version: version, ...rest } = facts;
  const settings = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  return `PostgreSQL ${version.split(' ')[0]} (${settings.join(', ')})`;
}

/**
 * One of the processes of the server, by which the others are found.
 * @returns {Promise<number | null>} its id; null when the server is on another machine
 */
export async function serverProcess() {
  const server = await admin();
  const { rows } = await server.query(
    'select pg_backend_pid() as pid, coalesce(inet_client_addr() = inet_server_addr(), true) as "isHere"',
  );
  return rows[0].isHere ? rows[0].pid : null;
}

/** Whether a process of the server works for somebody else's database, by the title that it gives itself. @param {string} title */
export const isForOthers = (title) => /\[local\]|\(\d+\)/.test(title) && !title.includes(PREFIX);
