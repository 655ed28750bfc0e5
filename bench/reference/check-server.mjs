// The least that a check takes without sharing statements: bare node:http, a pool of pg, one prepared statement that finds the seat of a
// code and a fingerprint and writes its sign of life. Signs nothing. Its arguments: the database's URL and the code's key.
import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import pg from 'pg';

const [connectionString, key] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });
const pepper = Buffer.from(key, 'base64');

const CHECK = {
  name: 'check',
  text: `update seat set last_seen_at = now() from license join plan on plan.id = license.plan_id
          where license.code_digest = $1 and license.extension_id = $2 and license.revoked_at is null
            and (license.expires_at is null or license.expires_at > now())
            and seat.license_id = license.id and seat.fingerprint_digest = $3 and seat.ended_at is null
          returning plan.tier`,
};

async function check({ code, extensionId, fingerprint }) {
  const digest = createHmac('sha256', pepper).update(code.replaceAll('-', '')).digest();
  const device = createHash('sha256').update(`${extensionId}\n${fingerprint}`).digest();
  const { rows } = await pool.query({ ...CHECK, values: [digest, extensionId, device] });
  return { isActive: rows.length > 0, tier: rows[0]?.tier ?? null };
}

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    void check(JSON.parse(Buffer.concat(chunks).toString())).then((answer) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
    );
  });
});

// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
