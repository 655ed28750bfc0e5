import { createHash } from 'node:crypto';
import { fromBufferPromise } from 'yauzl';
import { ExportWorker, type World } from '../support/app.js';
import { expectStatus, type Licensed } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { oneOffSale } from '../support/purchases.js';
import { Seller } from '../webhooks/seller.js';

/** A tenant that has something of nearly everything: what is pushed, sold, used, notified and counted. */
export interface TenantFixture extends Licensed {
  readonly seller: Seller;
  readonly sha256: string;
  /** What must be in no export. */
  readonly secrets: readonly string[];
}

/** Makes a tenant with a published version, a sale, a license with a device, an endpoint and a ping. */
export async function furnished(world: World): Promise<TenantFixture> {
  const seller = await Seller.in(world, 'stripe');
  const { tenant, extensionId, planId } = seller;
  const owner = world.api.as(tenant);
  const published = await world.given.publishable({}, tenant);
  // The name makes it another content than the packages of other tenants, which would share its blob.
  const zip = new Uint8Array(await packageOf('1.2.3', { name: extensionId }));
  const pinned = expectStatus(await owner.push({ extension: published.extensionId, version: '1.2.3' }, zip), 201);
  await world.tick();
  const licensed = await world.given.licensed({ extensionId, planId }, tenant);
  const { code } = licensed;
  const fingerprint = `device ${licensed.licenseId}`;
  const activation = { code, extensionId, fingerprint, deviceInfo: 'Desk' };
  expectStatus(await world.api.post('/licensing/activate', activation), 200);
  for (const event of oneOffSale('stripe', seller.sale({ planId }))) expectStatus(await seller.send(event), 200);
  const ping = { extensionId, installId: licensed.licenseId, version: '1.2.3', language: 'en' };
  expectStatus(await world.api.post('/analytics/ping', ping), 202);
  const endpoint = { kind: 'mail', address: `${licensed.licenseId}@author.example`, events: ['live'] };
  expectStatus(await owner.post('/notifications/endpoints', endpoint), 201);
  const secrets = [code, tenant.token, tenant.password, fingerprint, 'whsec_', '$argon2', 'PRIVATE KEY'];
  return { ...licensed, ...tenant, seller, sha256: pinned.body.artifact.sha256, secrets };
}

/** Requests an export, has it made, and returns its id. */
export async function exported(world: World, { cookie }: { readonly cookie: string }): Promise<string> {
  const { id } = expectStatus(await world.api.as({ cookie }).post('/tenant/exports'), 201).body;
  await world.app.get(ExportWorker).tick();
  return id;
}

/** Downloads an export as it is. */
export async function downloaded(world: World, { cookie }: { readonly cookie: string }, id: string): Promise<Buffer> {
  const response = await fetch(`${world.url}/api/v1/tenant/exports/${id}/download`, { headers: { cookie } });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** Reads all entries of an archive. */
export async function unzipped(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(archive);
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    entries.set(entry.fileName, Buffer.concat(chunks));
  }
  return entries;
}

/** The rows of a file of JSON lines. */
export const rowsOf = (entries: ReadonlyMap<string, Buffer>, file: string): readonly Record<string, unknown>[] =>
  String(entries.get(`${file}.ndjson`))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

export const sha256Of = (bytes: Buffer | undefined): string =>
  createHash('sha256')
    .update(bytes ?? 'no bytes')
    .digest('hex');
