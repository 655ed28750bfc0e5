// An activation as it is usually written, on bare node:http and a pool of pg: a transaction of six round trips that begins, locks the
// license, looks for the seat, counts those that are held, inserts one, and commits. Signs nothing. Its arguments: the database's
// URL and the code's key.
import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import pg from 'pg';
import { v7 as newId } from 'uuid';

const [connectionString, key] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });
const pepper = Buffer.from(key, 'base64');

const LOCK = {
  name: 'lock',
  text: `select license.id, coalesce(license.max_activations, plan.max_activations) as seats, plan.tier
           from license join plan on plan.id = license.plan_id
          where license.code_digest = $1 and license.extension_id = $2 and license.revoked_at is null
            and (license.expires_at is null or license.expires_at > now())
            for update of license`,
};
const FIND = {
  name: 'find',
  text: 'select id from seat where license_id = $1 and fingerprint_digest = $2 and ended_at is null',
};
const COUNT = {
  name: 'count',
  text: 'select count(*)::int as used from seat where license_id = $1 and ended_at is null',
};
const INSERT = {
  name: 'insert',
  text: `insert into seat (id, license_id, fingerprint_digest, first_seen_at, last_seen_at) values ($1, $2, $3, now(), now())`,
};

/** @param {pg.PoolClient} client @returns {Promise<object>} */
async function seat(client, { code, extensionId, fingerprint }) {
  const digest = createHmac('sha256', pepper).update(code.replaceAll('-', '')).digest();
  const device = createHash('sha256').update(`${extensionId}\n${fingerprint}`).digest();
  const { rows: licenses } = await client.query({ ...LOCK, values: [digest, extensionId] });
  const [license] = licenses;
  if (license === undefined) return { success: false };
  const { rows: held } = await client.query({ ...FIND, values: [license.id, device] });
  if (held.length > 0) return { success: true, tier: license.tier };
  const { rows: counted } = await client.query({ ...COUNT, values: [license.id] });
  if (counted[0].used >= license.seats) return { success: false };
  await client.query({ ...INSERT, values: [newId(), license.id, device] });
  return { success: true, tier: license.tier };
}

async function activate(asked) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const answer = await seat(client, asked);
    await client.query('commit');
    return answer;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    activate(JSON.parse(Buffer.concat(chunks).toString())).then(
      (answer) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
      (error) => response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error)),
    );
  });
});

// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
