import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProcessorId } from '../../src/payments/index.js';
import type { Answer } from '../support/api.js';
import { startWorld, type World, PROCESSOR_IDS } from '../support/app.js';
import { otherSecret, SECRETS, signedBy, TIMELESS } from '../support/payment-signers.js';
import { leastTimeOf } from '../support/processor-time.js';
import { oneOffSale } from '../support/purchases.js';
import { Seller } from './seller.js';

const other = (id: ProcessorId): ProcessorId => (id === 'stripe' ? 'paddle' : 'stripe');

describe('a notification', () => {
  let world: World;
  const sellers = new Map<ProcessorId, Seller>();
  const responses: string[] = [];
  beforeAll(async () => {
    world = await startWorld();
    for (const id of PROCESSOR_IDS) sellers.set(id, await Seller.in(world, id));
  });
  afterAll(() => world.close());

  const sellerBy = (id: ProcessorId): Seller => sellers.get(id) as Seller;
  const bodyOf = (id: ProcessorId): string => JSON.stringify(oneOffSale(id, sellerBy(id).sale()).at(-1));
  const now = (seconds = 0): Date => new Date(world.clock.now().getTime() + seconds * 1000);
  const codeOf = ({ status, body, text }: Answer): string => {
    responses.push(text);
    return `${status} ${body?.code ?? body?.outcome}`;
  };

  describe.each(PROCESSOR_IDS)('of %s', (id) => {
    it('is refused without a signature, with one by another secret or over other bytes, and leaves no trace', async () => {
      const [seller, body] = [sellerBy(id), bodyOf(id)];
      const before = await seller.inbox();
      const right = signedBy(id, SECRETS[id], body, now());
      const flipped = Buffer.from(body);
      flipped[10] = (flipped[10] ?? 0) ^ 1;
      const wrong: readonly (readonly [string | Buffer, Record<string, string>])[] = [
        [body, {}],
        [body, signedBy(id, otherSecret(id), body, now())],
        [body, signedBy(id, '', body, now())],
        [JSON.stringify(JSON.parse(body), null, 2), right],
        [flipped, right],
        ['', right],
      ];
      for (const [bytes, headers] of wrong) expect(codeOf(await seller.post(bytes, headers))).toBe('401 bad_signature');
      if (!TIMELESS.includes(id))
        for (const seconds of [-301, 301])
          expect(codeOf(await seller.post(body, signedBy(id, SECRETS[id], body, now(seconds))))).toBe(
            '401 bad_signature',
          );
      expect(await seller.inbox()).toEqual(before);
      expect(codeOf(await seller.post(body, right))).toBe('200 handled');
    });

    it("is refused by another tenant's secret", async () => {
      const stranger = await world.given.tenant();
      const webhookSecret = otherSecret(id);
      await world.api.as(stranger).post('/credentials', { store: id, credentials: { webhookSecret } });
      expect(codeOf(await sellerBy(id).send(bodyOf(id), { to: stranger.tenantId }))).toBe('401 bad_signature');
    });

    it('is accepted at the common path and at its own, and at no other', async () => {
      const [seller, body] = [sellerBy(id), bodyOf(id)];
      expect(codeOf(await seller.send(body, { path: id }))).toBe('200 handled');
      expect(codeOf(await seller.send(body, { path: other(id) }))).toBe('404 unknown_tenant_or_no_credential');
      await world.api.as(seller.tenant).post('/credentials', {
        store: other(id),
        credentials: { webhookSecret: SECRETS[other(id)] },
      });
      expect(codeOf(await seller.send(body, { path: other(id) }))).toBe('401 bad_signature');
      expect(codeOf(await seller.send(body, { path: 'gumroad' }))).toBe('404 unknown_tenant_or_no_credential');
    });

    it('may be signed by any of several secrets, while one is being rolled', async () => {
      const seller = await Seller.in(world, id);
      const webhookSecret = otherSecret(id);
      await seller.keeps({ webhookSecret });
      expect(codeOf(await seller.send(bodyOf(id)))).toBe('200 handled');
      expect(codeOf(await seller.send(bodyOf(id), { secret: webhookSecret }))).toBe('200 handled');
    });

    it.each(['', 'no JSON', '[1]', 'null', '"text"', '['.repeat(100_000)])(
      'that is signed well and is no object (%#) is a bad request',
      async (body) => {
        const seller = sellerBy(id);
        const before = (await seller.inbox()).length;
        expect(codeOf(await seller.send(body))).toBe('400 invalid_request');
        expect((await seller.inbox()).length).toBe(before);
      },
    );

    it('that is validly signed but has more keys than any event is a bad request, at once', async () => {
      const seller = sellerBy(id);
      const before = await seller.inbox();
      const keys = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`key${at}`, at]));
      const body = JSON.stringify({ ...JSON.parse(bodyOf(id)), keys });
      const refused = await leastTimeOf(async () =>
        expect(codeOf(await seller.send(body))).toBe('400 invalid_request'),
      );
      // The client's share included; 0.4 s before. A machine that is slow now takes as much longer to read the same text.
      expect(refused).toBeLessThan(Math.max(250, 8 * (await leastTimeOf(() => JSON.parse(body)))));
      expect(await seller.inbox()).toEqual(before);
    });

    it('that is validly signed but nested without end is a bad request', async () => {
      const seller = sellerBy(id);
      const before = (await seller.inbox()).length;
      for (const levels of [101, 5000, 100_000]) {
        const nested = `${'{"data":'.repeat(levels)}1${'}'.repeat(levels)}`;
        expect(codeOf(await seller.send(nested))).toBe('400 invalid_request');
      }
      expect((await seller.inbox()).length).toBe(before);
    });

    it('whose kind has characters that cannot be stored is ignored, and listed without a kind', async () => {
      const seller = await Seller.in(world, id);
      const kind = 'odd\0kind';
      const body = { type: kind, event_type: kind, meta: { event_name: kind } };
      expect(codeOf(await seller.send(body))).toBe('200 ignored');
      expect(await seller.inbox()).toMatchObject([{ status: 'ignored', kind: '' }]);
    });

    it('of a sale with an invalid e-mail address waits for a valid one', async () => {
      const seller = await Seller.in(world, id);
      const sale = seller.sale({ email: '<evil@x>' });
      await seller.sendAll(oneOffSale(id, sale));
      expect(await seller.licenses()).toEqual([]);
      expect(await seller.inbox('waiting')).not.toEqual([]);
    });

    it('of an unknown kind is ignored and listed', async () => {
      const seller = sellerBy(id);
      for (const odd of ['{}', '{"id":7,"data":"\\u0000","meta":[]}', '{"__proto__":{"type":"x"},"type":"odd\\ud800"}'])
        expect(codeOf(await seller.send(odd))).toBe('200 ignored');
      expect((await seller.inbox('ignored')).length).toBe(3);
    });
  });

  it('by one of two processors that sign by the same standard is that of the one whose secret signed it', async () => {
    const polar = await Seller.in(world, 'polar');
    const dodo = await Seller.of(world, 'dodo', polar.tenant, await world.given.extension(polar.tenant));
    for (const seller of [polar, dodo]) {
      const [event] = oneOffSale(seller.processor, seller.sale());
      const body = JSON.stringify(event);
      expect(codeOf(await seller.send(body))).toBe('200 handled');
      expect(codeOf(await seller.send(body, { secret: otherSecret(seller.processor) }))).toBe('401 bad_signature');
    }
    expect(codeOf(await dodo.send(bodyOf('dodo'), { path: 'polar' }))).toBe('401 bad_signature');
    expect((await polar.inbox()).map(({ processor }) => processor)).toEqual(['dodo', 'polar']);
    expect(await polar.licenses()).toMatchObject([
      { extensionId: dodo.extensionId },
      { extensionId: polar.extensionId },
    ]);
  });

  it('with the signatures of two processors is a bad request', async () => {
    const [seller, body] = [await Seller.in(world, 'stripe'), bodyOf('stripe')];
    const both = {
      ...signedBy('stripe', SECRETS.stripe, body, now()),
      ...signedBy('paddle', SECRETS.paddle, body, now()),
    };
    for (const path of ['payment', 'stripe'])
      expect(codeOf(await seller.post(body, both, { path }))).toBe('400 invalid_request');
  });

  it('to an unknown tenant gets the same answer as to one without a credential', async () => {
    const [body, idle] = [bodyOf('stripe'), await world.given.tenant()];
    const plain = async (to: string) => {
      const answer = await sellerBy('stripe').send(body, { to });
      const { instance: _, requestId: __, ...rest } = answer.body;
      return [answer.status, rest];
    };
    const [first, ...others] = [await plain(idle.tenantId), await plain(randomUUID()), await plain('no-id')];
    expect(first).toMatchObject([404, { code: 'unknown_tenant_or_no_credential' }]);
    for (const one of others) expect(one).toEqual(first);
  });

  it('is read up to 1 MB', async () => {
    const [seller, limit] = [sellerBy('stripe'), 1024 * 1024];
    const padded = (size: number): string => {
      const start = '{"id":"evt_large","type":"padding","data":"';
      return `${start}${'x'.repeat(size - start.length - 2)}"}`;
    };
    expect(codeOf(await seller.send(padded(limit)))).toBe('200 ignored');
    expect(codeOf(await seller.send(padded(limit + 1)))).toBe('413 payload_too_large');
    expect(codeOf(await seller.send(padded(2 * limit)))).toBe('413 payload_too_large');
  });

  it('is listed for its own tenant only, without its payload', async () => {
    const [seller, stranger] = [sellerBy('stripe'), await world.given.tenant()];
    const [item] = await seller.inbox();
    expect(Object.keys(item).toSorted()).toEqual([
      'amount',
      'buyer',
      'id',
      'isTest',
      'kind',
      'order',
      'orderId',
      'processor',
      'reason',
      'receivedAt',
      'status',
    ]);
    expect((await world.api.as(stranger).get('/webhooks/inbox')).body.items).toEqual([]);
    expect(codeOf(await world.api.as(stranger).post(`/webhooks/inbox/${item.id}/replay`, {}))).toBe(
      '404 inbox_item_not_found',
    );
  });

  it('leaves no secret, signature or address in a response or the log', () => {
    const log = world.log.join('\n');
    for (const secret of [...Object.values(SECRETS), 'buyer.example', 'v1=', 'h1='])
      for (const where of [log, responses.join('\n')]) expect(where.includes(secret)).toBe(false);
  });
});
