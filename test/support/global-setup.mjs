// Prepares one migrated database, and hands out copies of it to the test files: snapshots of an embedded PostgreSQL, or
// clones of a template when TEST_DATABASE_URL names a server.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { migrate, servePostgres } from '../../dist/common/database/index.js';

async function onServer(serverUrl) {
  const admin = new pg.Pool({ connectionString: serverUrl, max: 4 });
  const prefix = `pierhead_test_${process.pid}`;
  const urlOf = (name) => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  const template = `${prefix}_template`;
  await admin.query(`drop database if exists ${template}`);
  await admin.query(`create database ${template}`);
  await migrate(urlOf(template));
  let made = 0;
  const copies = new Map();
  return {
    copy: async () => {
      const name = `${prefix}_${(made += 1)}`;
      await admin.query(`create database ${name} template ${template} strategy file_copy`);
      copies.set(name, () => admin.query(`drop database if exists ${name} with (force)`));
      return { id: name, url: urlOf(name) };
    },
    drop: async (id) => copies.get(id)?.(),
    close: async () => {
      for (const drop of copies.values()) await drop();
      await admin.query(`drop database if exists ${template} with (force)`);
      await admin.end();
    },
  };
}

async function embedded() {
  const original = await PGlite.create();
  const served = await servePostgres(original);
  await migrate(served.url);
  const snapshot = await original.dumpDataDir('none');
  await served.stop();
  const copies = new Map();
  return {
    copy: async () => {
      const copy = await servePostgres(await PGlite.create({ loadDataDir: snapshot }));
      copies.set(copy.url, copy);
      return { id: copy.url, url: copy.url };
    },
    drop: async (id) => {
      await copies.get(id)?.stop();
      copies.delete(id);
    },
    close: async () => {
      for (const copy of copies.values()) await copy.stop();
    },
  };
}

const newRsaKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });

export default async function setUp() {
  const serverUrl = process.env.TEST_DATABASE_URL;
  const databases = await (serverUrl === undefined || serverUrl === '' ? embedded() : onServer(serverUrl));
  const server = createServer((request, response) => {
    // A client that re-uses a connection just when it is closed for idleness sees a failure that is nobody's fault.
    response.setHeader('connection', 'close');
    const id = decodeURIComponent(request.url.slice(1));
    const done = request.method === 'POST' ? databases.copy() : databases.drop(id).then(() => ({}));
    done.then(
      (answer) => response.end(JSON.stringify(answer)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  process.env.TEST_SERVICE_ACCOUNT_KEY = newRsaKey();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.TEST_DATABASES = `http://127.0.0.1:${server.address().port}`;
  globalThis.stopTestDatabases = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await databases.close();
  };
}
