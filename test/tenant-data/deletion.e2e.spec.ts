import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readdir } from 'node:fs/promises';
import { columnsWith, everything, personalColumns } from '../licensing/delivery/codes.js';
import { post } from '../notifications/team.js';
import {
  DataSource,
  PackagesService,
  TenantDeletionRepository,
  TenantDeletionService,
  TenantDeletionWorker,
  type World,
} from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { type SmtpServer, headerOf } from '../support/smtp-server.js';
import { oneOffSale } from '../support/purchases.js';
import { exported, furnished, type TenantFixture } from './tenant-fixture.js';

describe('the deletion of a tenant', () => {
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  afterAll(() => world.close());

  const apiOf = ({ cookie }: { readonly cookie: string }) => world.api.as({ cookie });
  const confirmation = { password: 'a long enough password', tenantName: 'Author' };
  const work = () => world.app.get(TenantDeletionWorker).tick();
  const blobs = async (): Promise<string> => (await readdir(`${world.dataDir}/blobs`, { recursive: true })).join();
  /** Whether the database holds one of a tenant's ids or addresses anywhere. */
  const isKnown = async ({ tenantId, extensionId, licenseId, email, sha256 }: TenantFixture): Promise<boolean> => {
    const all = await everything(world);
    return [tenantId, extensionId, licenseId, email, sha256].some((one) => all.includes(one));
  };

  it('needs the password and the name of the tenant, and schedules nothing without both', async () => {
    const api = apiOf(await world.given.tenant());
    const wrongs = [
      [{ ...confirmation, password: 'another password' }, 403, 'wrong_password'],
      [{ tenantName: 'Author' }, 403, 'wrong_password'],
      [{ ...confirmation, tenantName: 'author' }, 422, 'tenant_name_mismatch'],
    ] as const;
    for (const [body, status, code] of wrongs) {
      const answer = await api.post('/tenant/deletion', body);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
    expect((await api.get('/tenant/deletion')).body.code).toBe('deletion_not_scheduled');
  });

  it('is announced to the owners, shown, and called off within 7 days', async () => {
    const tenant = await world.given.tenant();
    const api = apiOf(tenant);
    const scheduled = expectStatus(await api.post('/tenant/deletion', confirmation), 201).body;
    expect(scheduled).toMatchObject({ requestedBy: tenant.email });
    expect(new Date(scheduled.deletesAt).getTime() - world.clock.now().getTime()).toBe(7 * DAY);
    expect((await api.post('/tenant/deletion', confirmation)).body.code).toBe('deletion_scheduled');
    expect((await api.get('/tenant/deletion')).body).toEqual(scheduled);
    await post(world);
    expect(smtp.to(tenant.email).map((mail) => headerOf(mail, 'Subject'))).toEqual(['Author will be deleted']);
    await world.forward(7 * DAY - HOUR);
    await work();
    expectStatus(await api.delete('/tenant/deletion'), 204);
    expect((await api.delete('/tenant/deletion')).body.code).toBe('deletion_not_scheduled');
    await world.forward(DAY);
    await work();
    expectStatus(await api.get('/auth/me'), 200);
  });

  it('is not announced once it is called off', async () => {
    const tenant = await world.given.tenant();
    expectStatus(await apiOf(tenant).post('/tenant/deletion', confirmation), 201);
    expectStatus(await apiOf(tenant).delete('/tenant/deletion'), 204);
    await post(world);
    expect(smtp.to(tenant.email)).toEqual([]);
  });

  it('takes everything after 7 days, and nothing of another tenant', async () => {
    const [stays, leaves] = [await furnished(world), await furnished(world)];
    await exported(world, leaves);
    expectStatus(await apiOf(leaves).post('/tenant/deletion', confirmation), 201);
    const marked = personalColumns(world, 'member');
    expect((await columnsWith(world, [leaves.email])).filter((column) => !marked.includes(column))).toEqual([]);
    await world.forward(7 * DAY);
    await work();
    await world.app.get(PackagesService).sweep();
    expect(await isKnown(leaves)).toBe(false);
    expect(await isKnown(stays)).toBe(true);
    expect(await blobs()).toContain(stays.sha256);
    expect((await apiOf(leaves).get('/auth/me')).status).toBe(401);
    expect((await world.api.as({ token: leaves.token }).get('/extensions')).status).toBe(401);
    const login = { email: leaves.email, password: leaves.password };
    expect((await world.api.post('/auth/login', login)).body.code).toBe('invalid_credentials');
    const { seller } = leaves;
    const [event = {}] = oneOffSale('stripe', seller.sale({ planId: leaves.planId }));
    expect((await seller.send(event)).body.code).toBe('unknown_tenant_or_no_credential');
  });

  it('leaves an owner who belongs to another tenant the account and that tenant', async () => {
    const leaves = await world.given.tenant();
    const { id: stays } = expectStatus(await apiOf(leaves).post('/tenants', { name: 'Another' }), 201).body;
    expectStatus(await apiOf(leaves).post('/tenant/deletion', confirmation), 201);
    await world.forward(7 * DAY);
    await work();
    const owner = await world.given.loggedIn(leaves);
    expect([owner.userId, owner.tenantId]).toEqual([leaves.userId, stays]);
    expect((await apiOf(owner).get('/auth/me')).body.tenant).toMatchObject({ id: stays, name: 'Another' });
  });

  it('goes on where a crash ended it', async () => {
    const leaves = await furnished(world);
    const rule = {
      name: 'rule of the one that leaves',
      repository: 'author/extension',
      ref: 'refs/heads/main',
      scopes: ['extensions:write'],
    };
    expectStatus(await apiOf(leaves).post('/ci/trust-rules', rule), 201);
    expectStatus(await apiOf(leaves).post('/tenant/deletion', confirmation), 201);
    await world.forward(7 * DAY);
    const [deletions, service] = [world.app.get(TenantDeletionRepository), world.app.get(TenantDeletionService)];
    for (const last of [1, 1, 2]) {
      const deletion = await deletions.take(world.clock.now());
      if (deletion === null) throw new Error('Nothing is due');
      let steps = 0;
      const crash = async (): Promise<void> => {
        if (++steps >= last) throw new Error('crash');
      };
      await expect(service.carryOut(deletion, crash)).rejects.toThrow('crash');
      expect(await isKnown(leaves)).toBe(true);
      // No job of CI may add to what is being deleted.
      expect(
        await world.app.get(DataSource).query('select id from ci_trust_rule where tenant_id = $1', [leaves.tenantId]),
      ).toEqual([]);
      await deletions.locks.giveBack(deletion);
    }
    await work();
    expect(await isKnown(leaves)).toBe(false);
  });
});
