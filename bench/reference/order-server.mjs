// The least that a paid order takes: bare node:http, Stripe's signature, and one transaction of a pool of pg that keeps the event once and
// adds a row for its license. Its arguments: the database's URL and the secret.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import pg from 'pg';

const [connectionString, secret] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });
const table = `bench_order_${process.pid}_${randomBytes(3).toString('hex')}`;
await pool.query(`create table ${table} (event_id text primary key, payload jsonb)`);
await pool.query(`create table ${table}_license (code_digest bytea primary key, buyer_email text, source text unique)`);

const KEEP = { name: 'keep', text: `insert into ${table} values ($1, $2) on conflict do nothing` };
const ISSUE = { name: 'issue', text: `insert into ${table}_license values ($1, $2, $3)` };

function isSigned(header, body) {
  const [, seconds, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (digest === undefined) return false;
  const mac = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest();
  return timingSafeEqual(mac, Buffer.from(digest, 'hex'));
}

async function take(body) {
  const { id, data } = JSON.parse(body.toString());
  const client = await pool.connect();
  await client.query('begin');
  const { rowCount } = await client.query({ ...KEEP, values: [id, body.toString()] });
  const { customer_details: buyer, payment_intent: source } = data.object;
  if (rowCount === 1) await client.query({ ...ISSUE, values: [randomBytes(32), buyer.email, source] });
  await client.query('commit');
  client.release();
}

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (!isSigned(request.headers['stripe-signature'], body)) {
      response.writeHead(401).end();
      return;
    }
    void take(body).then(() =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"outcome":"handled"}'),
    );
  });
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
process.on('SIGTERM', () => void pool.query(`drop table ${table}, ${table}_license`).finally(() => process.exit(0)));
