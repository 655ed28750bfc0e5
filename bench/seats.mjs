// Licenses with two seats each, made by SQL. Codes and devices follow from a number, so that the sender computes them too.
import { createHash } from 'node:crypto';

/** @typedef {{ tenantId: string, extensionId: string, planId: string }} Shop */

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHUNK = 100_000;
/** From here on it is quicker to rebuild the indexes than to maintain them while rows come in. */
const MANY = 20_000;
const SEATS_EACH = 2;
/** Sorts the keys of an index of millions in memory; the server's own is for everyday. */
const SORT_MEMORY = '512MB';

/** When seats were last seen: so that a heartbeat is due, or is not due however long a benchmark takes. */
export const DUE = "now() - interval '2 days'";
export const FRESH = "now() + interval '2 days'";

const xored = (key, byte) => Buffer.from(Buffer.concat([key, Buffer.alloc(64 - key.length)]).map((one) => one ^ byte));

/** An id that sorts by when it was made, as the service's do: milliseconds of Unix time, and digits that follow from a text. */
const idAt = (milliseconds, text) =>
  `(lpad(to_hex(${milliseconds}), 12, '0') || '7' || substr(md5(${text}), 1, 3) || 'a' || substr(md5(${text}), 4, 15))::uuid`;

/** HMAC-SHA-256 and the check symbols of a code, as src/licensing/codes makes them, in SQL. */
const make = (lastSeenAt) => `
  with made as (
    select n, ${idAt('$6::bigint + n', "'id ' || n")} as id, upper(substr(md5('license ' || n), 1, 23)) as data
      from generate_series($4::int, $5::int) as n
  ), hashed as (
    select *, sha256(convert_to(data, 'UTF8')) as hash from made
  ), coded as (
    select id, n, convert_to(data || substr('${ALPHABET}', 1 + (get_byte(hash, 0) >> 3), 1)
             || substr('${ALPHABET}', 1 + (((get_byte(hash, 0) & 7) << 2) | (get_byte(hash, 1) >> 6)), 1), 'UTF8') as code from hashed
  ), kept as (
    insert into license (id, created_at, updated_at, tenant_id, extension_id, plan_id, buyer_email, code_digest, code_pepper, code_hint,
                         source, suspended_for)
    select id, now(), now(), $1, $2, $3, n || '@buyer.example', sha256($8::bytea || sha256($7::bytea || code)), 'k1', 'BENCH', 'manual', '{}'
      from coded
  )
  insert into seat (id, license_id, fingerprint_digest, first_seen_at, last_seen_at)
  select ${idAt('$6::bigint + n', "k || ' of ' || n")}, id,
         sha256(convert_to($2::uuid::text || E'\\n' || 'device ' || n || ' ' || k, 'UTF8')), now() - interval '3 days', ${lastSeenAt}
    from coded, generate_series(1, ${SEATS_EACH}) as k`;

const CONSTRAINTS = `
  select contype as kind, conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
   where conrelid = any($1::regclass[]) or (contype = 'f' and confrelid = any($1::regclass[]))
   order by contype = 'f', conname`;
const INDEXES = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
   where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)
   order by 1`;

/**
 * Has rows made while nothing has to be kept in order, and makes keys, indexes and references as they were afterwards; all or nothing.
 * @param {import('pg').Client} client
 * @param {readonly string[]} tables
 * @param {() => Promise<void>} work
 */
async function withoutIndexes(client, tables, work) {
  await client.query('begin');
  await client.query(`set local maintenance_work_mem = '${SORT_MEMORY}'`);
  const { rows: constraints } = await client.query(CONSTRAINTS, [tables]);
  const { rows: indexes } = await client.query(INDEXES, [tables]);
  for (const { of, name } of constraints.toReversed()) await client.query(`alter table ${of} drop constraint ${name}`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await work();
  for (const { of, name, definition } of constraints)
    await client.query(`alter table ${of} add constraint ${name} ${definition}`);
  for (const { definition } of indexes) await client.query(definition);
  await client.query('commit');
}

/**
 * Makes licenses with seats, and leaves the tables vacuumed.
 * @param {import('pg').Client} client
 * @param {Shop} shop
 * @param {Buffer} pepper the key under which codes are kept, its id `k1`
 * @param {number} seats
 * @param {string} lastSeenAt when they were last seen: DUE or FRESH
 */
export async function makeSeats(client, { tenantId, extensionId, planId }, pepper, seats, lastSeenAt) {
  const licenses = Math.ceil(seats / SEATS_EACH);
  const keys = [xored(pepper, 0x36), xored(pepper, 0x5c)];
  const text = make(lastSeenAt);
  const madeFrom = Date.now() - licenses;
  const insert = async () => {
    for (let from = 0; from < licenses; from += CHUNK) {
      const to = Math.min(licenses, from + CHUNK) - 1;
      await client.query(text, [tenantId, extensionId, planId, from, to, madeFrom, ...keys]);
    }
  };
  const tables = ['license', 'seat'];
  await (seats < MANY ? insert() : withoutIndexes(client, tables, insert));
  for (const table of tables) await client.query(`vacuum analyze ${table}`);
}

/**
 * Has the server write down now what it would write down during a run, and count from here how long it may wait with the next time.
 * A user who may not ask for that goes without.
 * @param {import('pg').Client} client
 */
export const flush = (client) => client.query('checkpoint').catch(() => undefined);

/**
 * Makes a heartbeat due again at every seat that has had one. Pages that a run is about to change are then in the log already.
 * @param {import('pg').Client} client
 */
export async function makeDue(client) {
  await flush(client);
  await client.query(`update seat set last_seen_at = ${DUE} where last_seen_at > now() - interval '1 day'`);
  await client.query('vacuum seat');
}

/** The code of a license. @param {number} n from 0 */
function codeOf(n) {
  const data = createHash('md5').update(`license ${n}`).digest('hex').slice(0, 23).toUpperCase();
  const [first, second] = createHash('sha256').update(data).digest();
  return data + ALPHABET[first >> 3] + ALPHABET[((first & 7) << 2) | (second >> 6)];
}

/** What the device of a seat says when it checks. @param {string} extensionId @param {number} seat from 0 */
export function seatedBody(extensionId, seat) {
  const n = Math.floor(seat / SEATS_EACH);
  return JSON.stringify({ code: codeOf(n), extensionId, fingerprint: `device ${n} ${1 + (seat % SEATS_EACH)}` });
}

/** What a device says that no license has a seat for yet. @param {string} extensionId @param {number} license from 0 @param {string} device */
export const newBody = (extensionId, license, device) =>
  JSON.stringify({ code: codeOf(license), extensionId, fingerprint: device });

/** @param {number} seats */
export const licensesOf = (seats) => Math.ceil(seats / SEATS_EACH);
