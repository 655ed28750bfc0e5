// Prepares one migrated database when a test file first wants one, and hands out copies of it: snapshots of an embedded PostgreSQL, or
// clones of a template when TEST_DATABASE_URL names a server, behind a pooler when TEST_POOLER names one. A copy that is given back
// is emptied and handed out again.
import { createServer } from 'node:http';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { cleaned, emptied, shapeOf } from './clean-database.mjs';

async function onServer(serverUrl, { migrate }) {
  const admin = new pg.Pool({ connectionString: serverUrl, max: 4 });
  const prefix = `pierhead_test_${process.pid}`;
  const urlOf = (name) => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const lentUrlOf = (name) => {
    const lent = new URL(urlOf(name));
    if (process.env.TEST_POOLER) Object.assign(lent, { host: process.env.TEST_POOLER, search: '?pgbouncer=true' });
    return lent.href;
  };
  const template = `${prefix}_template`;
  await admin.query(`drop database if exists ${template}`);
  await admin.query(`create database ${template}`);
  await migrate(urlOf(template));
  const shape = await shapeOf(urlOf(template));
  let made = 0;
  return {
    shape,
    make: async () => {
      const name = `${prefix}_${(made += 1)}`;
      await admin.query(`create database ${name} template ${template} strategy file_copy`);
      // No test cuts the server's power, so that no commit need wait for its disk.
      await admin.query(`alter database ${name} set synchronous_commit = off`);
      return {
        id: name,
        url: lentUrlOf(name),
        own: urlOf(name),
        end: () => admin.query(`drop database if exists ${name} with (force)`),
      };
    },
    close: async () => {
      await admin.query(`drop database if exists ${template} with (force)`);
      await admin.end();
    },
  };
}

async function embedded({ migrate, servePostgres }) {
  const original = await PGlite.create();
  const served = await servePostgres(original);
  await migrate(served.url);
  const shape = await shapeOf(served.url);
  const snapshot = await original.dumpDataDir('none');
  await served.stop();
  return {
    shape,
    make: async () => {
      const copy = await servePostgres(await PGlite.create({ loadDataDir: snapshot }));
      return { id: copy.url, url: copy.url, own: copy.url, end: () => copy.stop() };
    },
    close: async () => {},
  };
}

/** Hands out databases, each to one holder at a time. */
function lending({ shape, make, close }) {
  const all = new Map();
  const idle = [];
  return {
    copy: async () => {
      const database = idle.pop() ?? (await make());
      all.set(database.id, database);
      return { id: database.id, url: database.url };
    },
    empty: async (id) => {
      const database = all.get(id);
      return { isEmpty: database !== undefined && (await emptied(database.own, shape)) };
    },
    drop: async (id) => {
      const database = all.get(id);
      if (database === undefined) return;
      // Cleaning ends the connections, and a pooler may lend one before it has noticed.
      if (!process.env.TEST_POOLER && (await cleaned(database.own, shape))) {
        idle.push(database);
        return;
      }
      all.delete(id);
      await database.end();
    },
    close: async () => {
      for (const database of all.values()) await database.end();
      await close();
    },
  };
}

/**
 * Lends databases over HTTP. Nothing is made before one is wanted, which a specification of pure functions never does.
 * @param loadDatabase loads `src/common/database`
 * @returns the address, and a way to end them all
 */
export async function lendDatabases(loadDatabase) {
  const serverUrl = process.env.TEST_DATABASE_URL;
  let databases;
  const lent = () =>
    (databases ??= loadDatabase()
      .then((database) => (serverUrl ? onServer(serverUrl, database) : embedded(database)))
      .then(lending));
  const answerTo = async (method, path) => {
    const all = await lent();
    if (method === 'POST') return all.copy();
    return method === 'PUT' ? all.empty(path) : all.drop(path).then(() => ({}));
  };
  const server = createServer((request, response) => {
    // A client that re-uses a connection just when it is closed for idleness sees a failure that is nobody's fault.
    response.setHeader('connection', 'close');
    answerTo(request.method, decodeURIComponent(request.url.slice(1))).then(
      (answer) => response.end(JSON.stringify(answer)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (databases !== undefined) await (await databases).close();
    },
  };
}
