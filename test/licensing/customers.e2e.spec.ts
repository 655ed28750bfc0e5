import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailDeliveryWorker, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import type { SmtpServer } from '../support/smtp-server.js';

describe('a customer', () => {
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  afterAll(() => world.close());

  const find = async (who: { readonly token: string }, email: string) =>
    expectStatus(await world.api.as(who).post('/customers/find', { email }), 200).body;
  /** A buyer whose code was mailed, with a device. */
  const buyer = async (tenant: Tenant) => {
    const given = await world.given.licensed({}, tenant);
    const { licenseId, extensionId, code } = given;
    const { buyerEmail } = expectStatus(await world.api.as(tenant).get(`/licenses/${licenseId}`), 200).body;
    const device = { code, extensionId, fingerprint: randomUUID(), deviceInfo: { label: 'Ann’s laptop' } };
    expectStatus(await world.api.post('/licensing/activate', device), 200);
    const { codeHint } = expectStatus(await world.api.as(tenant).post(`/licenses/${licenseId}/resend`), 200).body;
    return { licenseId, buyerEmail, codeHint };
  };
  const deliver = (): Promise<void> => world.app.get(MailDeliveryWorker).tick();

  it('has the devices of all licenses, and the mails about them with their delivery', async () => {
    const tenant = await world.given.tenant();
    const { licenseId, buyerEmail, codeHint } = await buyer(tenant);
    await buyer(tenant);
    const license = { licenseId, codeHint };
    const mail = { ...license, kind: 'code', lastError: null };
    expect(await find(tenant, buyerEmail.toUpperCase())).toEqual({
      email: buyerEmail,
      name: null,
      devices: [
        {
          ...license,
          id: expect.any(String),
          label: 'Ann’s laptop',
          firstSeenAt: world.clock.now().toISOString(),
          lastSeenAt: world.clock.now().toISOString(),
        },
      ],
      mails: [expect.objectContaining({ ...mail, state: 'waiting', attempts: 0 })],
    });
    await deliver();
    expect((await find(tenant, buyerEmail)).mails).toEqual([
      expect.objectContaining({ ...mail, state: 'sent', attempts: 1 }),
    ]);
    expect(smtp.to(buyerEmail)).toHaveLength(1);
  });

  it('is nobody to another tenant, to who may read no licenses, and to a token of single extensions', async () => {
    const tenant = await world.given.tenant();
    const { buyerEmail } = await buyer(tenant);
    const nothing = { email: buyerEmail, name: null, devices: [], mails: [] };
    expect(await find(await world.given.tenant(), buyerEmail)).toEqual(nothing);
    const answers = await Promise.all(
      ['viewer', 'support', 'publisher'].map(async (role) => {
        const member = await world.given.member(tenant, role);
        return (await world.api.as(member).post('/customers/find', { email: buyerEmail })).status;
      }),
    );
    expect(answers).toEqual([200, 200, 403]);
    const scoped = { name: 'CI', scopes: ['*'], extensionIds: [await world.given.extension(tenant)] };
    const created = await world.api.as({ cookie: tenant.cookie }).post('/access-tokens', scoped);
    const { token } = expectStatus(created, 201).body;
    expect((await world.api.as({ token }).post('/customers/find', { email: buyerEmail })).status).toBe(403);
    expect((await world.api.as(tenant).post('/customers/find', { email: 'nobody' })).status).toBe(400);
  });

  it('is forgotten with the last license, and is in no line of the log', async () => {
    const tenant = await world.given.tenant();
    const { licenseId, buyerEmail } = await buyer(tenant);
    await deliver();
    expect((await find(tenant, buyerEmail)).mails).toHaveLength(1);
    expectStatus(await world.api.as(tenant).post(`/licenses/${licenseId}/revoke`), 200);
    expectStatus(await world.api.as(tenant).delete(`/licenses/${licenseId}`), 204);
    expect(await find(tenant, buyerEmail)).toEqual({ email: buyerEmail, name: null, devices: [], mails: [] });
    expect(world.log.join('\n')).not.toContain(buyerEmail);
  });
});
