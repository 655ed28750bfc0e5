// Licenses with two seats each, made by SQL: their codes and devices follow from a number, so that whoever asks need not be told of them.
import { createHash } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHUNK = 50_000;
export const SEATS_EACH = 2;

const xored = (key, byte) => Buffer.from(Buffer.concat([key, Buffer.alloc(64 - key.length)]).map((one) => one ^ byte));

/** HMAC-SHA-256 and the check symbols of a code, as src/licensing/codes makes them, in SQL. */
const MAKE = `
  with made as (
    select gen_random_uuid() as id, n, upper(substr(md5('license ' || n), 1, 23)) as data from generate_series($4::int, $5::int) as n
  ), hashed as (
    select *, sha256(convert_to(data, 'UTF8')) as hash from made
  ), coded as (
    select id, n, convert_to(data || substr('${ALPHABET}', 1 + (get_byte(hash, 0) >> 3), 1)
             || substr('${ALPHABET}', 1 + (((get_byte(hash, 0) & 7) << 2) | (get_byte(hash, 1) >> 6)), 1), 'UTF8') as code from hashed
  ), kept as (
    insert into license (id, created_at, updated_at, tenant_id, extension_id, plan_id, buyer_email, code_digest, code_pepper, code_hint,
                         source, suspended_for)
    select id, now(), now(), $1, $2, $3, n || '@buyer.example', sha256($7::bytea || sha256($6::bytea || code)), 'k1', 'BENCH', 'manual', '{}'
      from coded
  )
  insert into seat (id, license_id, fingerprint_digest, first_seen_at, last_seen_at)
  select gen_random_uuid(), id, sha256(convert_to($2::uuid::text || E'\\n' || 'device ' || n || ' ' || k, 'UTF8')),
         now() - interval '3 days', now() - $8::interval
    from coded, generate_series(1, ${SEATS_EACH}) as k`;

/**
 * Makes licenses with seats.
 * @param {import('pg').Client} client
 * @param {{ tenantId: string, extensionId: string, planId: string }} shop
 * @param {Buffer} pepper the key under which codes are kept, its id `k1`
 * @param {number} seats
 * @param {string} idle how long ago the seats were last seen
 */
export async function makeSeats(client, { tenantId, extensionId, planId }, pepper, seats, idle = '2 days') {
  const licenses = seats / SEATS_EACH;
  await client.query('alter table license disable trigger all').catch(() => undefined);
  await client.query('alter table seat disable trigger all').catch(() => undefined);
  for (let from = 0; from < licenses; from += CHUNK)
    await client.query(MAKE, [
      tenantId,
      extensionId,
      planId,
      from,
      Math.min(licenses, from + CHUNK) - 1,
      xored(pepper, 0x36),
      xored(pepper, 0x5c),
      idle,
    ]);
  for (const table of ['license', 'seat']) {
    await client.query(`alter table ${table} enable trigger all`).catch(() => undefined);
    await client.query(`vacuum analyze ${table}`);
  }
}

/** What the device of a seat says when it checks. @param {string} extensionId @param {number} seat from 0 */
export function bodyOf(extensionId, seat) {
  const n = Math.floor(seat / SEATS_EACH);
  const data = createHash('md5').update(`license ${n}`).digest('hex').slice(0, 23).toUpperCase();
  const [first, second] = createHash('sha256').update(data).digest();
  const code = data + ALPHABET[first >> 3] + ALPHABET[((first & 7) << 2) | (second >> 6)];
  return JSON.stringify({ code, extensionId, fingerprint: `device ${n} ${1 + (seat % SEATS_EACH)}` });
}
