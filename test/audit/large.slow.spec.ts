import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource, startWorld, type World } from '../support/app.js';
import type { Tenant } from '../support/given.js';

const BATCHES = 100;
const BATCH = 10_000;
/** What the heap may grow by while it streams; the entries of the tenant are more than 300 MB. */
const MAX_GROWTH_BYTES = 20_000_000;

/** Entries of a tenant, and of another one for each third. Actors, actions, subjects and extensions are as many as a team has. */
const FILL = `
  insert into audit_entry (id, tenant_id, at, actor_kind, actor_id, actor_name, actor_role, address, action,
                           subject_type, subject_id, subject_name, extension_id, before, after)
  select (lpad(to_hex(1760000000000 + n::bigint * 30000), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid,
         case when n % 3 = 0 then $2::uuid else $1::uuid end, to_timestamp(1760000000 + n * 30), 'user',
         md5((n % 20)::text), 'ann@example.com', 'owner', '203.0.113.7', 'license.' || (n % 11), 'license_' || n % 5,
         md5((n % 5000)::text)::uuid, 'ABCDE', md5((n % 7)::text)::uuid,
         jsonb_build_object('maxActivations', n, 'notes', repeat('x', 100)),
         jsonb_build_object('maxActivations', n + 1, 'notes', repeat('y', 100))
    from generate_series($3::integer, $4::integer) as n`;

describe('an audit log of a million entries', () => {
  let world: World;
  let tenant: Tenant;
  let source: DataSource;
  beforeAll(async () => {
    world = await startWorld();
    tenant = await world.given.tenant();
    source = world.app.get(DataSource);
    const other = randomUUID();
    for (let batch = 0; batch < BATCHES; batch += 1)
      await source.query(FILL, [tenant.tenantId, other, batch * BATCH + 1, (batch + 1) * BATCH]);
    await source.query('analyze audit_entry');
  }, 600_000);
  afterAll(() => world.close());

  it('is exported whole, and takes no more memory for many than for few', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    let lines = 0;
    let sampled = 0;
    const heaps: number[] = [];
    const answer = await fetch(`${world.url}/api/v1/audit/export`, { headers: { cookie: tenant.cookie } });
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      for (const byte of chunk) if (byte === 10) lines += 1;
      if (lines < sampled) continue;
      sampled = lines + 50_000;
      heaps.push(heap());
    }
    expect(lines).toBeGreaterThanOrEqual(Math.floor((BATCHES * BATCH * 2) / 3));
    expect(heaps.length).toBeGreaterThanOrEqual(10);
    expect(Math.max(...heaps) - (heaps[0] ?? 0)).toBeLessThan(MAX_GROWTH_BYTES);
  }, 600_000);

  it.each([
    '',
    "and actor_id = md5('3')",
    "and action = 'license.3'",
    "and subject_type = 'license_3'",
    "and subject_id = md5('77')::uuid",
    "and extension_id = md5('3')::uuid",
    "and id >= '019a0000-0000-7000-8000-000000000000'",
  ])('is read page by page in the order of an index: %s', async (filter) => {
    const page = `select * from audit_entry where tenant_id = $1 ${filter} and id < $2 order by id desc limit 51`;
    for (const after of ['ffffffff-ffff-ffff-ffff-ffffffffffff', '019ab000-0000-7000-8000-000000000000']) {
      const values = [tenant.tenantId, after];
      const rows = await source.query<{ readonly 'QUERY PLAN': string }[]>(
        `explain (analyze, buffers) ${page}`,
        values,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Index Scan Backward/);
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    }
  });
});
