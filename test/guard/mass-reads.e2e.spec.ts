import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { DataSource, ExportWorker, ROLES, startWorld, type World } from '../support/app.js';
import { expectStatus, type Publishable } from '../support/given.js';

/** What the audit log calls each read that hands out more than a page, or all of one person. A new one wants a line here, or below. */
const READS = {
  'GET /api/v1/licenses/export': 'tenant.licenses_exported',
  'GET /api/v1/license-imports/{id}/faults': 'license_import.faults_read',
  'GET /api/v1/license-imports/{id}/codes': 'license_import.codes_read',
  'GET /api/v1/audit/export': 'tenant.audit_exported',
  'GET /api/v1/tenant/exports/{id}/download': 'tenant.export_downloaded',
  'POST /api/v1/customers/find': 'tenant.buyer_looked_up',
} as const;

/** Reads without a page that hand out no column marked personal or secret. */
const IMPERSONAL: Readonly<Record<string, string>> = {
  'GET /api/v1/extensions/{id}/analytics': 'counts installs',
  'GET /api/v1/analytics/overview': 'counts installs',
  'GET /api/v1/analytics/stores': 'counts users',
  'GET /api/v1/sales': 'adds up money',
  'GET /api/v1/artifacts/{id}/download': "the author's own package",
  'GET /api/v1/extensions/{id}/icon': "the package's own icon",
  'GET /api/v1/stream': 'tells that something changed, not what',
};

type Read = keyof typeof READS;

interface Described {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

describe('data of many people', () => {
  let world: World;
  let owner: Publishable;
  let paths: Readonly<Record<Read, string>>;
  beforeAll(async () => {
    world = await startWorld();
    owner = await world.given.publishable();
    const plan = { extensionId: owner.extensionId, tier: 'pro' };
    const planId = expectStatus(await world.api.as(owner).post('/plans', plan), 201).body.id;
    const license = { planId, buyerEmail: 'ann@buyer.example' };
    expectStatus(await world.api.as(owner).post('/licenses', license), 201);
    const imported = await world.given.importedFile(owner, owner.extensionId);
    const exported = expectStatus(await world.api.as({ cookie: owner.cookie }).post('/tenant/exports'), 201).body.id;
    await world.app.get(ExportWorker).tick();
    paths = {
      'GET /api/v1/licenses/export': `/licenses/export?extension=${owner.extensionId}&email=ann@buyer.example&status=active`,
      'GET /api/v1/license-imports/{id}/faults': `/license-imports/${imported}/faults`,
      'GET /api/v1/license-imports/{id}/codes': `/license-imports/${imported}/codes`,
      'GET /api/v1/audit/export': '/audit/export?action=extension.created',
      'GET /api/v1/tenant/exports/{id}/download': `/tenant/exports/${exported}/download`,
      'POST /api/v1/customers/find': '/customers/find',
    };
  });
  afterAll(() => world.close());

  const ask = (read: Read, of: { readonly cookie: string; readonly token: string } = owner): Promise<Answer> => {
    const api = world.api.as(/tenant|audit/.test(read) ? { cookie: of.cookie } : { token: of.token });
    const body = read.startsWith('POST') ? { email: 'ann@buyer.example' } : undefined;
    return api.call(read.split(' ')[0] ?? '', paths[read], body);
  };
  const entries = (): Promise<readonly Record<string, unknown>[]> =>
    world.app.get(DataSource).query('select * from audit_entry where tenant_id = $1 order by id', [owner.tenantId]);

  it('leaves by no route that is not listed here', () => {
    const described = (
      JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
        paths: Record<string, Record<string, Described>>;
      }
    ).paths;
    const found = Object.entries(described).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(
          ([method, { responses }]) =>
            method === 'get' &&
            Object.keys(responses['200']?.content ?? {}).some(
              (type) => !type.endsWith('json') || type.endsWith('ndjson'),
            ),
        )
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    const listed = [...Object.keys(READS), ...Object.keys(IMPERSONAL)].filter((one) => one.startsWith('GET'));
    expect(found.filter((one) => one.includes('/api/')).toSorted()).toEqual(listed.toSorted());
  });

  it.each(Object.entries(READS) as [Read, string][])(
    'leaves by %s as an entry %s, before it leaves',
    async (read, action) => {
      const before = (await entries()).length;
      const answer = await ask(read);
      expect(answer.status).toBe(200);
      const [entry, ...others] = (await entries()).slice(before);
      expect(others).toEqual([]);
      expect(entry).toMatchObject({
        action,
        actor_role: 'owner',
        address: expect.stringContaining('127.0.0.1'),
        before: null,
        after: { filter: expect.any(Object), count: expect.any(Number) },
        request_id: answer.headers.get('x-request-id'),
      });
      // Nobody can erase an entry, so it must not say who the buyer is.
      expect(JSON.stringify(entry)).not.toContain('buyer.example');
    },
  );

  it('is told apart by filter and count', async () => {
    await ask('GET /api/v1/licenses/export');
    const after = (await entries()).at(-1)?.['after'];
    expect(after).toEqual({ filter: { extension: owner.extensionId, email: '(given)', status: 'active' }, count: 1 });
    await world.api.as(owner).get(`/licenses/export?campaign=${randomUUID()}`);
    expect((await entries()).at(-1)?.['after']).toMatchObject({ count: 0 });
  });

  it('is refused to roles that may only look, and leaves no entry then', async () => {
    const mayExport = { owner: 200, admin: 200, publisher: 403, support: 200, viewer: 403 };
    for (const role of ROLES) {
      const member = await world.given.member(owner, role);
      const before = (await entries()).length;
      const answers = [];
      for (const read of ['GET /api/v1/licenses/export', 'GET /api/v1/license-imports/{id}/faults'] as const)
        answers.push((await ask(read, member)).status);
      expect([role, ...answers]).toEqual([role, mayExport[role], mayExport[role]]);
      expect((await entries()).length - before).toBe(mayExport[role] === 200 ? 2 : 0);
    }
  });
});
