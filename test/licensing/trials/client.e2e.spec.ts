import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLicensing, trial, type Licensing } from '../../../clients/licensing/index.js';
import { Browser, formOf } from '../buyer/buyer.js';
import { LocalStorage } from '../local-storage.js';
import { MailDeliveryWorker, type World } from '../../support/app.js';
import { DAY, HOUR } from '../../support/clock.js';
import { expectStatus } from '../../support/given.js';
import { startMailingWorld } from '../../support/mailing-world.js';
import { partOf, type SmtpServer } from '../../support/smtp-server.js';
import { TrialOffer } from './trials.js';

describe('a trial in an extension', () => {
  let smtp: SmtpServer;
  let world: World;
  let offer: TrialOffer;
  let storage: LocalStorage;
  let isOnline: boolean;
  let asked: string[];
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  afterAll(() => world.close());
  beforeEach(() => {
    storage = new LocalStorage();
    isOnline = true;
    asked = [];
  });

  const client = async (plan: object = {}): Promise<Licensing> => {
    offer = await TrialOffer.open(world, plan);
    const { keys } = expectStatus(await world.api.get(`/licensing/keys/${offer.extensionId}`), 200).body;
    return createLicensing({
      url: world.url,
      extensionId: offer.extensionId,
      keys,
      storage,
      version: '1.0.0',
      now: () => world.clock.now().getTime(),
      fetch: (url, init) => {
        asked.push(url.slice(url.lastIndexOf('/') + 1));
        return isOnline ? fetch(url, init) : Promise.reject(new TypeError('fetch failed'));
      },
    });
  };
  const ahead = (ms: number): string => new Date(world.clock.now().getTime() + ms).toISOString();

  it('runs from the first call on, is kept by checks, offline too, and says when it ended', async () => {
    const licensing = await client();
    expect(await licensing.check()).toMatchObject({
      isActive: false,
      reason: 'no_code',
      isTrial: false,
      trialEndsAt: null,
    });
    const end = ahead(14 * DAY);
    const state = await trial(licensing, { deviceInfo: 'Browser' });
    expect(state).toEqual({
      isActive: true,
      isOffline: false,
      reason: 'trial_active',
      tier: 'pro',
      entitlements: ['sync'],
      seats: null,
      expiresAt: null,
      updatesUntil: null,
      renews: false,
      renewsAt: null,
      inGraceSince: null,
      codeValidUntil: null,
      isTrial: true,
      trialEndsAt: end,
    });
    expect(await trial(licensing)).toEqual(state);
    expect(await licensing.check()).toEqual(state);
    expect(asked).toEqual(['trial']);
    await world.forward(13 * DAY);
    expect(await licensing.check()).toEqual(state);
    isOnline = false;
    await world.forward(12 * HOUR);
    expect(await licensing.check()).toEqual(state);
    expect(await licensing.has('sync')).toBe(true);
    await world.forward(12 * HOUR);
    const over = { isActive: false, isTrial: true, trialEndsAt: end, entitlements: [] };
    expect(await licensing.check()).toMatchObject({ ...over, reason: 'lease_over' });
    isOnline = true;
    expect(await licensing.check()).toMatchObject({ ...over, reason: 'trial_ended', isOffline: false });
    expect(await trial(licensing)).toMatchObject({ ...over, reason: 'trial_ended' });
    expect(new Set(asked)).toEqual(new Set(['trial']));
  });

  it('gives way to a code, which no later call of it replaces', async () => {
    const licensing = await client();
    await trial(licensing);
    const wanted = { planId: offer.planId, buyerEmail: 'ann@buyer.example' };
    const { code, id } = expectStatus(await offer.mine('POST', '/licenses', wanted), 201).body;
    const active = { isActive: true, reason: 'active', isTrial: false, trialEndsAt: null };
    expect(await licensing.activate(code)).toMatchObject(active);
    expect(await trial(licensing)).toMatchObject(active);
    expectStatus(await offer.mine('POST', `/licenses/${id}/suspend`), 200);
    await licensing.check({ force: true });
    expect(await trial(licensing)).toMatchObject({ isActive: false, reason: 'suspended', isTrial: false });
    expectStatus(await offer.mine('POST', `/licenses/${id}/reinstate`), 200);
    expect(await licensing.check()).toMatchObject(active);
    await licensing.release();
    expect(await trial(licensing)).toMatchObject({ isActive: false, reason: 'trial_converted', isTrial: true });
    await licensing.release();
    expect(asked.filter((path) => path === 'release')).toHaveLength(1);
  });

  it('asks for an address where the seller wants one, and runs once its button is pressed', async () => {
    const licensing = await client({ trialNeedsEmail: true });
    expect(await trial(licensing)).toMatchObject({ isActive: false, reason: 'email_required', isTrial: true });
    const email = `${Math.random()}@buyer.example`;
    expect(await trial(licensing, { email })).toMatchObject({ isActive: false, reason: 'email_unconfirmed' });
    expect(await licensing.check()).toMatchObject({ reason: 'email_unconfirmed' });
    await world.app.get(MailDeliveryWorker).tick();
    const [mail] = smtp.to(email);
    const [link = ''] = /\/buyer\/trial\?token=[\w-]+/.exec(mail === undefined ? '' : partOf(mail, 'text/plain')) ?? [];
    const browser = new Browser(world, smtp);
    await browser.send(formOf(await browser.get(link), 'trial'));
    expect(await licensing.check()).toMatchObject({ isActive: true, isTrial: true, trialEndsAt: ahead(14 * DAY) });
  });
});
