// The least that counting pings takes: bare node:http, a pool of pg, and one INSERT for each ping (`single`), or for all that have gathered
// while two statements are under way (`batches`). Its arguments: the mode and the database's URL.
import http from 'node:http';
import { randomBytes } from 'node:crypto';
import pg from 'pg';

const [mode, connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: mode === 'single' ? 10 : 2 });
const table = `bench_ping_${process.pid}_${randomBytes(3).toString('hex')}`;
await pool.query(
  `create table ${table} (extension_id text, day date, install text, version text, primary key (extension_id, day, install))`,
);

const SINGLE = {
  name: 'single',
  text: `insert into ${table} values ($1, current_date, $2, $3) on conflict do nothing`,
};
const BATCH = {
  name: 'batch',
  text: `insert into ${table} select e, current_date, i, v from unnest($1::text[], $2::text[], $3::text[]) as p (e, i, v)
          order by e, i on conflict do nothing`,
};

let waiting = [];
let inFlight = 0;
function flush() {
  while (inFlight < 2 && waiting.length > 0) {
    const batch = waiting.splice(0, Math.min(32, Math.max(8, waiting.length >> 1)));
    inFlight += 1;
    const columns = ['extensionId', 'installId', 'version'].map((name) => batch.map(({ ping }) => ping[name]));
    void pool.query({ ...BATCH, values: columns }).then(() => {
      inFlight -= 1;
      for (const { done } of batch) done();
      flush();
    });
  }
}
function count(ping) {
  if (mode === 'single') return pool.query({ ...SINGLE, values: [ping.extensionId, ping.installId, ping.version] });
  return new Promise((done) => {
    waiting.push({ ping, done });
    if (waiting.length >= 8) flush();
    else setImmediate(flush);
  });
}

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
