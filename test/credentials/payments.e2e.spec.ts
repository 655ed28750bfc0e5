import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Stripe } from 'stripe';
import type { SimPaymentAccount } from '../../sandbox/sandbox-control.js';
import type { ProcessorId } from '../../src/payments/index.js';
import type { Answer } from '../support/api.js';
import { DataSource, PROCESSOR_IDS, startWorld, type World } from '../support/app.js';
import type { Tenant } from '../support/given.js';
import { SECRETS } from '../support/payment-signers.js';
import { FULL_SIZE } from '../support/processor-events/index.js';

describe('payment credentials', () => {
  let world: World;
  let tenant: Tenant;
  const responses: string[] = [];
  const secrets = new Set<string>(Object.values(SECRETS));
  beforeAll(async () => {
    world = await startWorld();
    tenant = await world.given.tenant();
  });
  afterAll(() => world.close());

  const heard = (answer: Answer): Answer => {
    responses.push(answer.text);
    return answer;
  };
  const api = () => world.api.as({ cookie: tenant.cookie });
  const create = async (store: string, credentials: object): Promise<Answer> =>
    heard(await api().post('/credentials', { store, credentials }));
  const account = async (processor: ProcessorId): Promise<SimPaymentAccount> => {
    const made = await world.control.paymentAccount(processor);
    secrets.add(made.credentials.apiKey).add(made.credentials.webhookSecret);
    return made;
  };
  const asked = (processor: ProcessorId) => world.control.requests({ store: processor });

  describe.each(PROCESSOR_IDS)('of %s', (processor) => {
    it('with an API key are verified by one cheap read, and show the key’s owner', async () => {
      const made = await account(processor);
      const { status, body } = await create(processor, made.credentials);
      expect([status, body]).toEqual([
        201,
        expect.objectContaining({
          store: processor,
          identity: FULL_SIZE[processor].ownerOf(made),
          lastFour: made.credentials.webhookSecret.slice(-4),
          expiresAt: null,
        }),
      ]);
      const calls = await world.control.requests({ publisherId: made.accountId });
      expect(calls.map(({ method, status: answered }) => [method, answered])).toEqual([['GET', 200]]);
    });

    it('with only a webhook secret are saved without a call, and several are allowed', async () => {
      const before = (await asked(processor)).length;
      const first = await create(processor, { webhookSecret: SECRETS[processor] });
      const another = SECRETS[processor].replace(/.{4}$/, 'abcd');
      const second = await create(processor, { webhookSecret: another, apiKey: null, testMode: true });
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(first.body).toMatchObject({ identity: 'webhook secret', lastFour: SECRETS[processor].slice(-4) });
      expect(first.body.id).not.toBe(second.body.id);
      expect((await asked(processor)).length).toBe(before);
    });

    it.each<['revoked' | 'restricted']>([['revoked'], ['restricted']])(
      'with a key that is %s are refused with the processor’s message',
      async (state) => {
        const made = await account(processor);
        await world.control.paymentKey(processor, made.accountId, state);
        const { status, body } = await create(processor, made.credentials);
        expect([status, body.code]).toEqual([422, 'store_rejected_credentials']);
        expect(body.detail).toMatch(/Its message: [A-Z].{10,}/);
      },
    );

    it('are not saved while the processor is unreachable', async () => {
      const count = async () => (await api().get('/credentials?limit=100')).body.items.length;
      const [made, before] = [await account(processor), await count()];
      for (const wish of [
        { kind: 'drop-before' },
        { kind: 'status', status: 500 },
        { kind: 'body', body: 'maintenance' },
      ] as const) {
        await world.control.fault({ store: processor, publisherId: made.accountId, ...wish });
        expect(await create(processor, made.credentials)).toMatchObject({
          status: 503,
          body: { code: 'store_unavailable' },
        });
      }
      await world.control.fault({
        store: processor,
        publisherId: made.accountId,
        kind: 'status',
        status: 429,
        headers: { 'Retry-After': '77' },
      });
      expect((await create(processor, made.credentials)).headers.get('retry-after')).toBe('77');
      expect(await count()).toBe(before);
    });

    it('can be rotated and deleted', async () => {
      const { id } = (await create(processor, { webhookSecret: SECRETS[processor] })).body;
      const made = await account(processor);
      const rotated = heard(await api().patch(`/credentials/${id}`, { credentials: made.credentials }));
      expect(rotated).toMatchObject({ status: 200, body: { id, lastFour: made.credentials.webhookSecret.slice(-4) } });
      expect((await api().delete(`/credentials/${id}`)).status).toBe(204);
    });
  });

  it.each<[ProcessorId, string, object]>([
    ['stripe', 'webhookSecret', {}],
    ['stripe', 'webhookSecret', { webhookSecret: '' }],
    ['stripe', 'webhookSecret', { webhookSecret: 'MARKED-of-no-form' }],
    ['stripe', 'webhookSecret', { webhookSecret: 'whsec_short' }],
    ['paddle', 'webhookSecret', { webhookSecret: 'whsec_MARKED0123456789' }],
    ['lemonsqueezy', 'webhookSecret', { webhookSecret: 'short' }],
    ['lemonsqueezy', 'webhookSecret', { webhookSecret: `MARKED${'x'.repeat(40)}` }],
    ['polar', 'webhookSecret', { webhookSecret: '       ' }],
    ['polar', 'webhookSecret', { webhookSecret: 'MARKED with blanks' }],
    ['polar', 'webhookSecret', { webhookSecret: ['MARKED'] }],
    ['creem', 'webhookSecret', { webhookSecret: 'MARKED with blanks' }],
    ['dodo', 'webhookSecret', { webhookSecret: 'whsec_MARKED' }],
    ['dodo', 'webhookSecret', { webhookSecret: 'whsec_MARKED-of-another-form-0123456789' }],
    ['polar', 'apiKey', { webhookSecret: SECRETS.polar, apiKey: 'MARKED key\r\nwith lines' }],
    ['stripe', 'apiKey', { webhookSecret: SECRETS.stripe, apiKey: '' }],
    ['stripe', 'testMode', { webhookSecret: SECRETS.stripe, testMode: 'MARKED' }],
    ['stripe', 'secretKey', { webhookSecret: SECRETS.stripe, secretKey: 'MARKED' }],
  ])(
    'of %s that are invalid are refused with the field %s and without the value',
    async (processor, field, credentials) => {
      const answer = await create(processor, credentials);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ field: `credentials.${field}` }] },
      });
      expect(answer.text).not.toContain('MARKED');
    },
  );

  it('cannot be used for a target', async () => {
    const extension = await world.given.extension(tenant);
    const target = await world.given.targetOf(tenant, extension, 'chrome');
    const { id } = (await create('stripe', { webhookSecret: SECRETS.stripe })).body;
    const answer = await world.api.as(tenant).patch(`/extensions/${extension}/targets/${target}`, { credentialId: id });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'credentialId' }] } });
  });

  it("are verified at a stand-in that Stripe's own client accepts as Stripe", async () => {
    const made = await account('stripe');
    const { hostname, port } = new URL(world.sandbox.url);
    const client = (key: string) =>
      new Stripe(key, { host: hostname, port: Number(port), protocol: 'http', maxNetworkRetries: 0 });
    expect(await client(made.credentials.apiKey).rawRequest('GET', '/stripe/v1/account')).toMatchObject({
      id: made.accountId,
    });
    await expect(client('sk_test_wrong').rawRequest('GET', '/stripe/v1/account')).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
    });
  });

  it('appear in no response, log line or row', async () => {
    const rows = JSON.stringify(await world.app.get(DataSource).query('select * from credential'));
    for (const secret of secrets)
      for (const where of [responses.join('\n'), world.log.join('\n'), rows])
        expect(where.includes(secret)).toBe(false);
  });
});
