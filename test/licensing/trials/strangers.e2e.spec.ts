import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MailDeliveryWorker, type World } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { expectStatus } from '../../support/given.js';
import { startMailingWorld } from '../../support/mailing-world.js';
import { partOf, type SmtpServer } from '../../support/smtp-server.js';
import { Browser, formOf } from '../buyer/buyer.js';
import { TrialOffer } from './trials.js';

describe('trials that strangers use up', () => {
  let world: World;
  let smtp: SmtpServer;
  let offer: TrialOffer;
  beforeAll(async () => {
    ({ world, smtp } = await startMailingWorld({
      RATE_LIMITS: 'on',
      TRUST_PROXY: '1',
      RATE_LIMIT_ACTIVATE_PER_ADDRESS: '1000',
      TRIALS_PER_ADDRESS: '5',
      TRIALS_PER_NETWORK: '6',
      TRIALS_PER_EXTENSION: '20',
    }));
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    offer = await TrialOffer.open(world);
  });

  const reasonFrom = async (from: string, more: object = {}): Promise<string> =>
    expectStatus(
      await world.api.post(
        '/licensing/trial',
        { extensionId: offer.extensionId, fingerprint: randomUUID(), ...more },
        { headers: { 'x-forwarded-for': from } },
      ),
      200,
    ).body.reason;
  const reasons = async (addresses: readonly string[]): Promise<readonly string[]> => {
    const found = [];
    for (const address of addresses) found.push(await reasonFrom(address));
    return found;
  };
  const range = <Item>(length: number, make: (at: number) => Item): Item[] =>
    Array.from({ length }, (_, at) => make(at));
  const needs = async (): Promise<readonly { readonly kind: string; readonly what: string; readonly href: string }[]> =>
    expectStatus(await offer.mine('GET', '/overview'), 200).body.needs;

  it.each([
    ['the networks of one /48', (at: number) => `2001:db8:7:${at}::1`, '2001:db8:8::1'],
    ['the addresses of one /24', (at: number) => `198.51.100.${at + 1}`, '203.0.113.9'],
  ])('end at the share of %s, and others still get theirs', async (_, stranger, other) => {
    expect(await reasons(range(10, stranger))).toEqual([
      ...range(6, () => 'trial_active'),
      ...range(4, () => 'limit_reached'),
    ]);
    expect(await reasonFrom(other)).toBe('trial_active');
  });

  it('do not use up the share of a network by what is refused to one of its addresses', async () => {
    expect(await reasons(range(9, () => '2001:db8:7:1::1'))).toEqual([
      ...range(5, () => 'trial_active'),
      ...range(4, () => 'limit_reached'),
    ]);
    expect(await reasons(['2001:db8:7:2::1', '2001:db8:7:3::1'])).toEqual(['trial_active', 'limit_reached']);
  });

  it('leave the last ones to those who confirm an address, and are a need long before', async () => {
    const strangers = range(40, (at) => `192.0.${at}.1`);
    expect(await reasons(strangers.slice(0, 9))).toEqual(range(9, () => 'trial_active'));
    expect((await needs()).map(({ kind }) => kind)).toEqual([]);
    expect(await reasons(strangers.slice(9, 16))).toEqual(range(7, () => 'trial_active'));
    expect(await needs()).toMatchObject([
      {
        kind: 'trials_filling',
        what: expect.stringMatching(/^16 of the 20 trials/),
        href: `/extensions/${offer.extensionId}`,
      },
    ]);
    expect(await reasons(strangers.slice(16, 30))).toEqual(range(14, () => 'email_required'));
    const email = `${randomUUID()}@buyer.example`;
    expect(await reasonFrom('203.0.113.9', { email })).toBe('email_unconfirmed');
    await world.app.get(MailDeliveryWorker).tick();
    expect(smtp.to(email)).toHaveLength(1);
    // Links to addresses that nobody confirms use up nothing of it.
    for (let at = 0; at < 19; at += 1)
      expect(await reasonFrom(`10.9.${at}.1`, { email: `${randomUUID()}@buyer.example` })).toBe('email_unconfirmed');
    expect(await needs()).toMatchObject([{ what: expect.stringMatching(/^16 of the 20 trials/) }]);
    expect(await reasonFrom('10.9.99.1', { email: `${randomUUID()}@buyer.example` })).toBe('limit_reached');
    const link =
      /\/buyer\/trial\?token=[\w-]{43}/.exec(
        smtp
          .to(email)
          .map((mail) => partOf(mail, 'text/plain'))
          .join(''),
      )?.[0] ?? '';
    const buyer = new Browser(world, smtp);
    expect((await buyer.send(formOf(await buyer.get(link), 'trial'))).text).toContain('Your trial has begun');
    expect(await needs()).toMatchObject([{ what: expect.stringMatching(/^17 of the 20 trials/) }]);
    await world.forward(DAY);
    expect(await needs()).toEqual([]);
    expect(await reasonFrom('192.0.2.1')).toBe('trial_active');
  });
});

describe('links that strangers ask for in a buyer’s name', () => {
  it('are counted for their network, so that the buyer still gets one', async () => {
    const { world } = await startMailingWorld({
      RATE_LIMITS: 'on',
      TRUST_PROXY: '1',
      RATE_LIMIT_BUYER_PER_ADDRESS: '1000',
    });
    try {
      const { extensionId } = await TrialOffer.open(world);
      const email = 'ann@buyer.example';
      const askFrom = async (from: string): Promise<number> =>
        (
          await world.api.post(
            '/licensing/restore',
            { extensionId, fingerprint: randomUUID(), email },
            { headers: { 'x-forwarded-for': from } },
          )
        ).status;
      const statuses: number[] = [];
      for (let at = 0; at < 8; at += 1) statuses.push(await askFrom(`2001:db8:7:${at}::1`));
      expect(statuses).toEqual([...Array<number>(5).fill(202), ...Array<number>(3).fill(429)]);
      expect(await askFrom('192.0.2.1')).toBe(202);
      // From all networks together, twice as many.
      for (let at = 0; at < 10; at += 1) statuses.push(await askFrom(`10.${at}.0.1`));
      expect(statuses.slice(8).filter((status) => status === 202)).toHaveLength(4);
    } finally {
      await world.close();
    }
  });
});
