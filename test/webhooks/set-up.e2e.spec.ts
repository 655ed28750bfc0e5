import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROCESSOR_IDS } from '../../src/payments/processor.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { SECRETS } from '../support/payment-signers.js';
import { oneOffSale } from '../support/purchases.js';
import { Seller } from './seller.js';

interface Last {
  readonly kind: string;
  readonly status: string;
}

interface Summary {
  readonly processor: string;
  readonly purchaseIds: readonly { readonly kind: string }[];
  readonly form: { readonly forms: readonly (readonly { readonly name: string; readonly isSwitch?: true }[])[] };
  readonly events: readonly string[];
  readonly last: Last | null;
  readonly credentials: readonly { readonly last: Last | null }[];
}

describe('who sets up a processor', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  it.each(PROCESSOR_IDS)(
    'sees what %s sent last, by which credential, and finds its sales by the order',
    async (processor) => {
      const seller = await Seller.in(world, processor);
      const api = world.api.as(seller.tenant);
      const summary = async (): Promise<Summary> => {
        const { body } = expectStatus(await api.get('/webhooks/processors'), 200);
        expect(body.webhookUrl).toMatch(new RegExp(`/api/v1/licensing/webhooks/payment/${seller.tenant.tenantId}$`));
        return body.processors.find((one: Summary) => one.processor === processor);
      };
      const { form, ...nothingSent } = await summary();
      expect(nothingSent).toMatchObject({ last: null, credentials: [{ last: null }] });
      // Each field is one that a credential takes, and a switch is true or false.
      const secrets = form.forms[0]?.map(({ name, isSwitch }): [string, unknown] => [
        name,
        isSwitch === true ? true : name === 'webhookSecret' ? SECRETS[processor] : null,
      ]);
      const input = { store: processor, credentials: Object.fromEntries(secrets ?? []) };
      expectStatus(await api.post('/credentials', input), 201);

      const sale = oneOffSale(processor, seller.sale());
      await seller.sendAll(sale);
      const { last, credentials, events, purchaseIds } = await summary();
      expect(last).not.toBeNull();
      expect(credentials).toMatchObject([{ last }, {}]);
      const [license] = await seller.licenses();
      const [, kind, order = ''] = String(license?.source).split(':');
      expect(purchaseIds.map((one) => one.kind)).toContain(kind);
      expect(expectStatus(await api.get(`/licenses?order=${order}`), 200).body.items).toMatchObject([
        { id: license?.id },
      ]);
      expect(expectStatus(await api.get('/licenses?order=nothing'), 200).body.items).toEqual([]);

      const handled = expectStatus(await api.get(`/webhooks/inbox?processor=${processor}&status=handled`), 200).body
        .items;
      expect(handled.length).toBeGreaterThan(0);
      // What changes a license is among the events to tick.
      expect(handled.map(({ kind }: Last) => kind).filter((kind: string) => !events.includes(kind))).toEqual([]);
      const other = PROCESSOR_IDS.find((one) => one !== processor);
      expect(expectStatus(await api.get(`/webhooks/inbox?processor=${other}`), 200).body.items).toEqual([]);
      const later = new Date(world.clock.now().getTime() + 1000).toISOString();
      expect(expectStatus(await api.get(`/webhooks/inbox?from=${later}`), 200).body.items).toEqual([]);
      expect(expectStatus(await api.get(`/webhooks/inbox?to=${later}`), 200).body.items).toHaveLength(sale.length);
    },
  );
});
