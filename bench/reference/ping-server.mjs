// The least that counting pings takes: bare node:http, a pool of pg, and one INSERT for each ping. Its argument: the database's URL.
import http from 'node:http';
import { randomBytes } from 'node:crypto';
import pg from 'pg';

const [connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });
const table = `bench_ping_${process.pid}_${randomBytes(3).toString('hex')}`;
await pool.query(
  `create table ${table} (extension_id text, day date, install text, version text, primary key (extension_id, day, install))`,
);

const INSERT = {
  name: 'insert',
  text: `insert into ${table} values ($1, current_date, $2, $3) on conflict do nothing`,
};
const count = ({ extensionId, installId, version }) =>
  pool.query({ ...INSERT, values: [extensionId, installId, version] });

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    void count(JSON.parse(Buffer.concat(chunks).toString())).then(() => response.writeHead(202).end());
  });
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
process.on('SIGTERM', () => void pool.query(`drop table ${table}`).finally(() => process.exit(0)));
