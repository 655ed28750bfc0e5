import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { DataSource, type World, MailDeliveryWorker } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { headerOf, type SmtpServer } from '../support/smtp-server.js';

const PER_TENANT = 8;
const PER_RECIPIENT = 3;

describe('a service that somebody tries to use as a mail relay', () => {
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    const limits = {
      RATE_LIMITS: 'on',
      RATE_LIMIT_LOGIN_PER_ADDRESS: '1000',
      MAILS_BY_HAND_PER_TENANT: String(PER_TENANT),
      MAILS_BY_HAND_PER_RECIPIENT: String(PER_RECIPIENT),
    };
    ({ smtp, world } = await startMailingWorld(limits));
  });
  afterAll(() => world.close());

  const newAddress = (): string => `${randomUUID()}@victim.example`;
  const licenseOf = async (tenant: Tenant, planId: string, buyerEmail: string): Promise<string> =>
    expectStatus(await world.api.as(tenant).post('/licenses', { planId, buyerEmail }), 201).body.id;
  const plan = async (tenant: Tenant): Promise<string> => world.given.plan(tenant, await world.given.extension(tenant));
  const resend = (tenant: Tenant, id: string): Promise<Answer> => world.api.as(tenant).post(`/licenses/${id}/resend`);
  const addAddress = (tenant: Tenant, address: string): Promise<Answer> =>
    world.api.as(tenant).post('/notifications/endpoints', { kind: 'mail', address });
  const statuses = (answers: readonly Answer[]): readonly number[] => answers.map(({ status }) => status);
  const post = (): Promise<void> => world.app.get(MailDeliveryWorker).tick();

  it('limits the codes that a tenant resends per day, and says when it sends again', async () => {
    const tenant = await world.given.tenant();
    const planId = await plan(tenant);
    const answers: Answer[] = [];
    const addresses = Array.from({ length: PER_TENANT + 2 }, newAddress);
    for (const address of addresses) answers.push(await resend(tenant, await licenseOf(tenant, planId, address)));
    expect(statuses(answers)).toEqual([...Array<number>(PER_TENANT).fill(200), 429, 429]);
    expect(answers.at(-1)?.body).toMatchObject({ code: 'rate_limited' });
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(80_000);
    expect(await addAddress(tenant, newAddress())).toMatchObject({ status: 429 });
    await post();
    expect(addresses.filter((address) => smtp.to(address).length > 0)).toHaveLength(PER_TENANT);
    const [last] = (await world.api.as(tenant).get('/licenses?limit=1')).body.items;
    expect(last).toMatchObject({ delivery: null });
  });

  it('sends a few mails per day to one address, across tenants and tags', async () => {
    const [one, other] = [await world.given.tenant(), await world.given.tenant()];
    const address = newAddress();
    const tagged = address.replace('@', '+tag@');
    const first = await licenseOf(one, await plan(one), address);
    const second = await licenseOf(other, await plan(other), tagged);
    const answers = [
      await resend(one, first),
      await resend(other, second),
      await addAddress(one, address),
      await addAddress(other, tagged),
      await resend(one, first),
      await resend(other, second),
    ];
    expect(statuses(answers)).toEqual([200, 200, 201, 429, 429, 429]);
    await post();
    expect(smtp.taken.filter(({ to }) => to.includes(address) || to.includes(tagged))).toHaveLength(PER_RECIPIENT);
  });

  it('counts no mail for a license that is revoked', async () => {
    const [one, other] = [await world.given.tenant(), await world.given.tenant()];
    const address = newAddress();
    const revoked = await licenseOf(one, await plan(one), address);
    expectStatus(await world.api.as(one).post(`/licenses/${revoked}/revoke`), 200);
    for (let time = 0; time < PER_RECIPIENT; time += 1)
      expect(await resend(one, revoked)).toMatchObject({ status: 409, body: { code: 'license_revoked' } });
    expectStatus(await resend(other, await licenseOf(other, await plan(other), address)), 200);
  });

  it('reduces the tenant’s part of a subject to plain text', async () => {
    const tenant = await world.given.tenant();
    const name = 'Win\u202e!\u200b\u2028now\r\nBcc: all@victim.example';
    const address = newAddress();
    const extensionId = await world.given.extension(tenant);
    // A name may be older than the rule that it is visible text.
    await world.app.get(DataSource).query('update extension set name = $1 where id = $2', [name, extensionId]);
    await resend(tenant, await licenseOf(tenant, await world.given.plan(tenant, extensionId), address));
    await post();
    const [mail] = smtp.to(address);
    if (mail === undefined) throw new Error('No mail came');
    expect(headerOf(mail, 'Subject')).toBe('Your license code for Win! now Bcc: all@victim.example');
  });
});
