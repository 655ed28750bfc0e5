import { rm, stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource, exportedTables, ExportWorker, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { type SmtpServer, headerOf, partOf } from '../support/smtp-server.js';
import { post } from '../notifications/team.js';
import { downloaded, exported, furnished, rowsOf, sha256Of, unzipped, type TenantFixture } from './tenant-fixture.js';

/** Requests an export that cannot be made: the database refuses to read a table. */
async function failing(world: World, tenant: Pick<TenantFixture, 'cookie'>): Promise<string> {
  await world.app.get(DataSource).query('alter table stat_total rename to stat_total_away');
  return exported(world, tenant);
}

describe('an export', () => {
  let smtp: SmtpServer;
  let world: World;
  let fixture: TenantFixture;
  let entries: ReadonlyMap<string, Buffer>;
  let archive: Buffer;
  let id: string;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
    await furnished(world);
    fixture = await furnished(world);
    id = await exported(world, fixture);
    archive = await downloaded(world, fixture, id);
    entries = await unzipped(archive);
  });
  afterAll(() => world.close());

  const owner = () => world.api.as({ cookie: fixture.cookie });

  it('has a file for each kind of thing, with what the tenant has and nothing of another tenant', async () => {
    const manifest = JSON.parse(String(entries.get('manifest.json')));
    expect(manifest).toMatchObject({ tenantId: fixture.tenantId, missingPackages: [] });
    for (const { file } of exportedTables(world.app.get(DataSource).entityMetadatas))
      expect([file, rowsOf(entries, file).length]).toEqual([file, manifest.rows[file]]);
    expect(rowsOf(entries, 'members')).toMatchObject([{ email: fixture.email, role: 'owner' }]);
    expect(rowsOf(entries, 'extensions').map((row) => row['id'])).toContain(fixture.extensionId);
    expect(rowsOf(entries, 'artifacts')).toMatchObject([{ version: '1.2.3', sha256: fixture.sha256 }]);
    expect(rowsOf(entries, 'target-statuses').length).toBe(rowsOf(entries, 'targets').length);
    expect(rowsOf(entries, 'licenses').map((row) => row['id'])).toContain(fixture.licenseId);
    expect(rowsOf(entries, 'seats')).toMatchObject([{ licenseId: fixture.licenseId, label: 'Desk' }]);
    expect(rowsOf(entries, 'purchases')).toMatchObject([{ processor: 'stripe' }]);
    expect(rowsOf(entries, 'purchase-licenses')).toHaveLength(1);
    expect(rowsOf(entries, 'credentials').map((row) => row['store'])).toEqual(['stripe', 'chrome']);
  });

  it('has each package under its hash, byte by byte', () => {
    expect([...entries.keys()].filter((name) => name.startsWith('packages/'))).toEqual([
      `packages/${fixture.sha256}.zip`,
    ]);
    expect(sha256Of(entries.get(`packages/${fixture.sha256}.zip`))).toBe(fixture.sha256);
  });

  it('has no code, credential, password, token or fingerprint', () => {
    const text = [...entries.values()].map(String).join('\n');
    for (const secret of fixture.secrets) expect(text).not.toContain(secret);
  });

  it('shows its size and hash, and is announced by a mail', async () => {
    const { body } = await owner().get(`/tenant/exports/${id}`);
    expect(body).toMatchObject({ state: 'ready', requestedBy: fixture.email, size: archive.length });
    expect(body.sha256).toBe(sha256Of(archive));
    expect((await owner().get('/tenant/exports')).body.items).toEqual([body]);
    await post(world);
    const mail = smtp.to(fixture.email).find((one) => headerOf(one, 'Subject') === 'Your export is ready');
    expect(mail === undefined ? '' : partOf(mail, 'text/plain')).toContain(body.url);
  });

  it('is not found by another tenant, and asks for a session', async () => {
    const stranger = await world.given.tenant();
    for (const path of [`/tenant/exports/${id}`, `/tenant/exports/${id}/download`]) {
      expect((await world.api.as({ cookie: stranger.cookie }).get(path)).status).toBe(404);
      expect((await world.api.as({ token: fixture.token }).get(path)).status).toBe(401);
    }
  });

  it('is one at a time, however many are requested at once', async () => {
    const tenant = await world.given.tenant();
    const api = world.api.as({ cookie: tenant.cookie });
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post('/tenant/exports')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'export_under_way')).toHaveLength(9);
    const [pending] = (await api.get('/tenant/exports')).body.items;
    expect(pending).toMatchObject({ state: 'pending', url: null });
    expect((await api.get(`/tenant/exports/${pending.id}/download`)).body.code).toBe('export_not_ready');
    await world.app.get(ExportWorker).tick();
    expect(await exported(world, tenant)).not.toBe(pending.id);
  });

  it('names the packages that the service has lost, and has everything else', async () => {
    const poor = await furnished(world);
    await rm(`${world.dataDir}/blobs/${poor.sha256.slice(0, 2)}`, { recursive: true });
    const found = await unzipped(await downloaded(world, poor, await exported(world, poor)));
    expect(JSON.parse(String(found.get('manifest.json'))).missingPackages).toEqual([poor.sha256]);
    expect(rowsOf(found, 'artifacts')).toHaveLength(1);
  });

  it('is deleted after 24 hours', async () => {
    await world.forward(DAY - HOUR);
    expect((await owner().get(`/tenant/exports/${id}`)).status).toBe(200);
    await world.forward(HOUR);
    expect((await owner().get(`/tenant/exports/${id}`)).body.code).toBe('export_not_found');
    await world.app.get(ExportWorker).tick();
    await expect(world.app.get(DataSource).query('select 1 from tenant_export where id = $1', [id])).resolves.toEqual(
      [],
    );
    await expect(stat(`${world.dataDir}/blobs/exports/${id}`)).rejects.toThrow('ENOENT');
  });

  it('is tried again when it cannot be made, and fails for good in the end', async () => {
    const tenant = await world.given.tenant();
    const id = await failing(world, tenant);
    const api = world.api.as({ cookie: tenant.cookie });
    const states = new Set<string>();
    for (let hour = 0; hour < 7; hour++) {
      states.add((await api.get(`/tenant/exports/${id}`)).body.state);
      await world.forward(HOUR);
      await world.app.get(ExportWorker).tick();
    }
    expect([...states]).toEqual(['pending', 'failed']);
    await world.app.get(DataSource).query('alter table stat_total_away rename to stat_total');
    expect(await downloaded(world, tenant, await exported(world, tenant))).toBeInstanceOf(Buffer);
  });
});
