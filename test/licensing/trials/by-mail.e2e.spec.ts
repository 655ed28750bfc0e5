import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { everything } from '../delivery/codes.js';
import { Browser, formOf, type Page } from '../buyer/buyer.js';
import { DataSource, MailDeliveryWorker, startWorld, TrialUpkeepService, type World } from '../../support/app.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { expectStatus } from '../../support/given.js';
import { startMailingWorld } from '../../support/mailing-world.js';
import { partOf, type SmtpServer } from '../../support/smtp-server.js';
import { TrialOffer } from './trials.js';

describe('a trial that needs an address', () => {
  let smtp: SmtpServer;
  let world: World;
  let offer: TrialOffer;
  let browser: Browser;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    offer = await TrialOffer.open(world, { trialNeedsEmail: true });
    browser = new Browser(world, smtp);
  });

  const newEmail = (): string => `${randomUUID()}@buyer.example`;
  const links = async (email: string): Promise<readonly string[]> => {
    await world.app.get(MailDeliveryWorker).tick();
    return smtp
      .to(email)
      .flatMap((mail) => /\/buyer\/trial\?token=[\w-]{43}/.exec(partOf(mail, 'text/plain'))?.[0] ?? []);
  };
  const reasonOf = async (device: string, more: object = {}): Promise<string> =>
    expectStatus(await offer.ask(device, more), 200).body.reason;
  const open = async (email: string): Promise<Page> => browser.get((await links(email)).at(-1) ?? 'no link');
  const press = async (email: string): Promise<Page> => browser.send(formOf(await open(email), 'trial'));
  const confirmed = async (email: string): Promise<string> => {
    const device = randomUUID();
    expect(await reasonOf(device, { email })).toBe('email_unconfirmed');
    expect((await press(email)).text).toContain('Your trial has begun');
    return device;
  };

  it('starts on the device that asked once the button of the mail is pressed, and not before', async () => {
    const [device, email] = [randomUUID(), newEmail()];
    expect(await reasonOf(device)).toBe('email_required');
    const asked = expectStatus(await offer.ask(device, { email: ` ${email.toUpperCase()} ` }), 200).body;
    expect(asked).toMatchObject({ isActive: false, reason: 'email_unconfirmed', trialEndsAt: null, tier: 'pro' });
    const page = await open(email);
    await open(email);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await reasonOf(device)).toBe('email_unconfirmed');
    const form = formOf(page, 'trial');
    const foreign = await browser.send(form, { 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);
    expect(await reasonOf(device)).toBe('email_unconfirmed');
    const begun = await browser.send(form);
    expect([begun.status, begun.text]).toEqual([200, expect.stringContaining('Your trial has begun')]);
    expect((await browser.send(form)).text).toBe(begun.text);
    expect((await offer.ask(device)).body).toMatchObject({ isActive: true, reason: 'trial_active' });
    expect(await offer.trials(`&email=${encodeURIComponent(email)}`)).toMatchObject([{ email, state: 'running' }]);
    expect(await reasonOf(randomUUID())).toBe('email_required');
    await world.forward(15 * DAY);
    expect(await reasonOf(device, { email })).toBe('trial_ended');
  });

  it('mails one link for many requests at once, another one after ten minutes, and each works for a day', async () => {
    const [device, email] = [randomUUID(), newEmail()];
    const asked = await Promise.all(Array.from({ length: 50 }, () => reasonOf(device, { email })));
    expect(new Set(asked)).toEqual(new Set(['email_unconfirmed']));
    expect(await links(email)).toHaveLength(1);
    await world.forward(10 * MINUTE);
    expect(await reasonOf(device)).toBe('email_unconfirmed');
    expect(await links(email)).toHaveLength(1);
    expect(await reasonOf(device, { email })).toBe('email_unconfirmed');
    expect(await links(email)).toHaveLength(2);
    const form = formOf(await open(email), 'trial');
    await world.forward(DAY);
    expect((await browser.send(form)).status).toBe(410);
    expect(await reasonOf(device)).toBe('email_required');
    for (const token of ['', 'x', 'x'.repeat(43), '\0'])
      expect((await browser.send({ action: '/buyer/trial', fields: { token } })).status).toBe(410);
  });

  it('is one for an address, of however many devices its owner presses the button at once', async () => {
    const email = newEmail();
    const [name, host] = email.split('@');
    const devices = Array.from({ length: 200 }, (_, at) => ({
      device: randomUUID(),
      address: at % 2 ? email : `${name}+${at}@${host}`,
    }));
    await Promise.all(devices.map(({ device, address }) => reasonOf(device, { email: address })));
    await world.app.get(MailDeliveryWorker).tick();
    while ((await world.app.get(DataSource).query(`select from mail where state = 'waiting'`)).length > 0)
      await world.app.get(MailDeliveryWorker).tick();
    const addresses = new Set(devices.map(({ address }) => address));
    const all = [...addresses].flatMap((address) =>
      smtp
        .to(address)
        .flatMap((mail) => /\/buyer\/trial\?token=([\w-]{43})/.exec(partOf(mail, 'text/plain'))?.[1] ?? []),
    );
    expect(all).toHaveLength(200);
    const pages = await Promise.all(all.map((token) => browser.send({ action: '/buyer/trial', fields: { token } })));
    const titles = pages.map(({ text }) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]);
    expect(titles.filter((title) => title === 'Your trial has begun')).toHaveLength(1);
    expect(titles.filter((title) => title === 'No second trial')).toHaveLength(199);
    expect(await offer.trials()).toHaveLength(1);
    const reasons = await Promise.all(devices.map(({ device }) => reasonOf(device)));
    expect(reasons.filter((reason) => reason === 'trial_active')).toHaveLength(1);
    expect(reasons.filter((reason) => reason === 'email_taken')).toHaveLength(199);
  });

  it('tells nobody but its mailbox whether an address has had a trial, or is a customer', async () => {
    const known = newEmail();
    await confirmed(known);
    const customer = newEmail();
    const wanted = { planId: offer.planId, buyerEmail: customer };
    expectStatus(await offer.mine('POST', '/licenses', wanted), 201);
    const answers: object[] = [];
    // One after the other: of two workers that send at once, one returns before the other's mail has come.
    for (const email of [known, customer, newEmail()]) {
      const { status, body } = await offer.ask(randomUUID(), { email });
      const { lease: _, nextCheckAt: __, ...said } = body;
      answers.push({ status, said, mails: (await links(email)).length - Number(email === known) });
    }
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(answers[0]).toMatchObject({ said: { reason: 'email_unconfirmed' }, mails: 1 });
  });

  it('says so where the service cannot mail, and when the offer ends, or a code is activated, before the button is pressed', async () => {
    const mute = await startWorld({ with: world, env: { SMTP_URL: '', MAIL_FROM: '' } });
    const [device, email] = [randomUUID(), newEmail()];
    const asked = { extensionId: offer.extensionId, fingerprint: device, email };
    expect(await mute.api.post('/licensing/trial', asked)).toMatchObject({
      status: 409,
      body: { code: 'trial_mail_unavailable', detail: expect.stringContaining('SMTP_URL') },
    });
    await mute.close();
    expect(await offer.ask(device, { email: 'nobody' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'email' }] },
    });
    await reasonOf(device, { email });
    const form = formOf(await open(email), 'trial');
    expectStatus(await offer.mine('PATCH', `/plans/${offer.planId}`, { trialDays: null }), 200);
    const gone = await browser.send(form);
    expect([gone.status, gone.text]).toEqual([410, expect.stringContaining('no longer offers')]);
    expect(await reasonOf(device)).toBe('no_trial');
    expectStatus(await offer.mine('PATCH', `/plans/${offer.planId}`, { trialDays: 7, trialNeedsEmail: true }), 200);
    await offer.bought(device);
    const licensed = await browser.send(form);
    expect([licensed.status, licensed.text]).toEqual([409, expect.stringContaining('needs no trial')]);
    expect(await offer.trials()).toEqual([]);
  });

  it('is forgotten with the last license of its address', async () => {
    const email = newEmail();
    await confirmed(email);
    const wanted = { planId: offer.planId, buyerEmail: email };
    const ids = [];
    for (const _ of [1, 2]) ids.push(expectStatus(await offer.mine('POST', '/licenses', wanted), 201).body.id);
    const known: unknown[] = [];
    for (const id of ids) {
      expectStatus(await offer.mine('POST', `/licenses/${id}/revoke`, {}), 200);
      expectStatus(await offer.mine('DELETE', `/licenses/${id}`), 204);
      known.push((await offer.trials())[0]?.email);
    }
    expect(known).toEqual([email, null]);
    expect(await everything(world)).not.toContain(email);
  });

  it('keeps an address to one trial after the address is dropped, until the trial is deleted', async () => {
    const email = newEmail();
    await confirmed(email);
    await world.forward(104 * DAY);
    await world.app.get(TrialUpkeepService).forget();
    expect(await offer.trials()).toMatchObject([{ email: null, state: 'ended' }]);
    expect((await everything(world)).includes(email)).toBe(false);
    const device = randomUUID();
    await reasonOf(device, { email });
    expect((await press(email)).text).toContain('No second trial');
    expect(await reasonOf(device)).toBe('email_taken');
    const [trial] = await offer.trials();
    expectStatus(await offer.mine('DELETE', `/trials/${trial?.id}`), 204);
    await confirmed(email);
  });
});
