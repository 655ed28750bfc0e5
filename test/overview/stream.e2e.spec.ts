import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedFor } from '../guard/every-resource.js';
import { reviewedAtAppStore } from '../listings/reviewed.js';
import { DataSource, startWorld, type World } from '../support/app.js';
import { expectStatus, type Publishable } from '../support/given.js';
import { oneOffSale } from '../support/purchases.js';
import { TrialOffer } from '../licensing/trials/trials.js';
import { Seller } from '../webhooks/seller.js';
import { Listening } from './listening.js';

const isOnServer = (process.env['TEST_DATABASE_URL'] ?? '') !== '';
const onServer = isOnServer ? it : it.skip;

/** What is promised. */
const WITHIN_MS = 2000;

describe('the stream of changes', () => {
  let world: World;
  let other: World;
  let author: Publishable;
  beforeAll(async () => {
    world = await startWorld();
    // The embedded database belongs to one process.
    other = isOnServer ? await startWorld({ with: world }) : world;
    author = await world.given.publishable({ published: '1.0.0' });
  });
  afterAll(async () => {
    if (other !== world) await other.close();
    await world.close();
  });

  it('tells within two seconds what another process has committed, by name alone', async () => {
    const listening = await Listening.to(world, author.token);
    const { body } = expectStatus(await other.api.as(author).post('/extensions', { name: 'Night Shade' }), 201);
    const committed = Date.now();
    const { at, data } = await listening.change('extensions');
    expect(at - committed).toBeLessThan(WITHIN_MS);
    expect(data).toEqual({ resource: 'extensions', extensionId: body.id, id: body.id });
    await listening.leave();
  });

  it('tells of a version on its way from push to live, by the target it concerns', async () => {
    const listening = await Listening.to(other, author.token);
    await world.given.pinned(author, '1.1.0');
    const { targetId: id, extensionId } = author;
    expect((await listening.change('artifacts')).data).toMatchObject({ extensionId });
    await world.tick();
    await listening.hears(({ data }) => data['resource'] === 'targets' && data['id'] === id);
    await listening.leave();
  });

  it('tells of reviews that were read at a store, and of their answers', async () => {
    const listening = await Listening.to(other, author.token);
    const { extensionId, reviewId } = await reviewedAtAppStore(world, author);
    expect((await listening.change('reviews')).data).toEqual({ resource: 'reviews', extensionId, id: reviewId });
    await listening.leave();
  });

  it('tells of an import of licenses', async () => {
    const { extensionId } = await world.given.licensed({ extensionId: author.extensionId }, author);
    const listening = await Listening.to(other, author.token);
    const sent = { raw: 'email,tier\nbuyer@example.com,pro\n', headers: { 'content-type': 'text/csv' } };
    const uploaded = await world.api.as(author).post(`/license-imports?extension=${extensionId}`, undefined, sent);
    const { id } = expectStatus(uploaded, 201).body;
    const { data } = await listening.change('license-imports');
    expect(data).toEqual({ resource: 'license-imports', extensionId, id });
    await listening.leave();
  });

  it('tells of a version that waits for an approval', async () => {
    const { body } = await world.given.pinned(author, '1.1.1');
    const listening = await Listening.to(other, author.token);
    const id = await askedFor(world, body.artifact.id);
    const { extensionId } = author;
    expect((await listening.change('approvals')).data).toEqual({ resource: 'approvals', extensionId, id });
    await listening.leave();
  });

  it('tells of a sale, of a device that comes and of one that goes', async () => {
    const { extensionId, licenseId, code } = await world.given.licensed({ extensionId: author.extensionId }, author);
    const listening = await Listening.to(other, author.token);
    const device = { code, extensionId, fingerprint: 'a device' };
    const isLicense = { resource: 'licenses', extensionId, id: licenseId };
    for (const step of ['activate', 'release'] as const) {
      const heard = listening.heard.length;
      expect((await world.api.post(`/licensing/${step}`, device)).status).toBeLessThan(300);
      const { data } = await listening.hears(
        (event) => listening.heard.indexOf(event) >= heard && event.data['resource'] === 'licenses',
      );
      expect(data).toEqual(isLicense);
    }
    await listening.leave();
  });

  it('tells of an order, of a trial and of the branding', async () => {
    const offer = await TrialOffer.open(other);
    const seller = await Seller.of(other, 'stripe', offer.tenant, offer.extensionId);
    const listening = await Listening.to(other, offer.tenant.token);
    await offer.tried();
    const { id } = (await offer.trials())[0] ?? {};
    const { extensionId } = offer;
    expect((await listening.change('trials')).data).toEqual({ resource: 'trials', extensionId, id });
    await seller.sendAll(oneOffSale('stripe', seller.sale()));
    const [order] = expectStatus(await offer.mine('GET', '/orders'), 200).body.items;
    await listening.hears(({ data }) => data['resource'] === 'orders' && data['id'] === order.id);
    expectStatus(await offer.mine('PATCH', '/branding', { displayName: 'Night Owl' }), 200);
    await listening.change('branding');
    await listening.leave();
  });

  // The embedded database runs one transaction at a time: there, nothing commits out of order.
  onServer(
    'tells each change once, also of a transaction that began before others and commits after them',
    async () => {
      const late = await world.given.extension(author);
      const listening = await Listening.to(world, author.token);
      const runner = world.app.get(DataSource).createQueryRunner();
      await runner.startTransaction();
      const [{ id }] = await runner.query(
        `insert into event (id, extension_id, at, kind, message) select md5(now()::text || x.id)::uuid, x.id, now(), 'late', 'Late' from extension x where id = $1 returning id`,
        [late],
      );
      // The id of an event is its time: this one began ten seconds ago.
      const early = new Date(Date.now() - 10_000).getTime().toString(16).padStart(12, '0');
      await runner.query('update event set id = overlay(id::text placing $2 from 1 for 13)::uuid where id = $1', [
        id,
        `${early.slice(0, 8)}-${early.slice(8)}`,
      ]);
      expectStatus(
        await world.api.as(author).patch(`/extensions/${author.extensionId}`, { name: 'Tab Counter 2' }),
        200,
      );
      await listening.change('extensions');
      expect(listening.resources).not.toContain('events');
      await runner.commitTransaction();
      await runner.release();
      await listening.change('events');
      // Two more looks at the database, which tell of something else, and not of this again.
      for (const name of ['Tab Counter 3', 'Tab Counter']) {
        const heard = listening.heard.length;
        expectStatus(await world.api.as(author).patch(`/extensions/${author.extensionId}`, { name }), 200);
        await listening.hears((event) => listening.heard.indexOf(event) >= heard);
      }
      expect(listening.resources.filter((resource) => resource === 'events')).toHaveLength(1);
      await listening.leave();
    },
  );

  it('is silent about other tenants, and about what a role or a token may not read', async () => {
    const stranger = await Listening.to(world, (await world.given.tenant()).token);
    const publisher = await Listening.to(world, (await world.given.member(author, 'publisher')).token);
    const mine = await world.given.extension(author, 'Night Owl');
    const scoped = { name: 'CI', scopes: ['*'], extensionIds: [mine] };
    const { token } = expectStatus(
      await world.api.as({ cookie: author.cookie }).post('/access-tokens', scoped),
      201,
    ).body;
    const restricted = await Listening.to(world, token);
    const owner = await Listening.to(world, author.token);
    await world.given.licensed({ extensionId: author.extensionId }, author);
    await world.given.pinned(author, '1.2.0');
    expectStatus(await world.api.as(author).patch(`/extensions/${mine}`, { name: 'Owl' }), 200);
    const owl = ({ data }: { data: object }): boolean => 'id' in data && data.id === mine;
    for (const one of [owner, publisher, restricted]) await one.hears(owl);
    expect(owner.resources).toEqual(expect.arrayContaining(['licenses', 'artifacts', 'extensions']));
    expect(publisher.resources).toContain('artifacts');
    expect(publisher.resources).not.toContain('licenses');
    expect(restricted.heard.filter(({ type, data }) => type === 'change' && data['extensionId'] !== mine)).toEqual([]);
    expect(stranger.resources).toEqual([]);
    for (const one of [stranger, publisher, restricted, owner]) await one.leave();
  });

  it.each<[string, (member: { cookie: string; userId: string }) => Promise<unknown>]>([
    ['the session is logged out', ({ cookie }) => world.api.as({ cookie }).post('/auth/logout')],
    ['the member is removed', ({ userId }) => world.api.as({ cookie: author.cookie }).delete(`/members/${userId}`)],
  ])('ends within two seconds when %s', async (_, revoke) => {
    const member = await world.given.member(author, 'viewer');
    const listening = await Listening.to(other, member.token);
    await revoke(member);
    const revoked = Date.now();
    const { at, data } = await listening.hears(({ type }) => type === 'end');
    expect([data, at - revoked < WITHIN_MS]).toEqual([{ reason: 'unauthenticated' }, true]);
    await listening.ended;
  });

  it('ends when its token expires', async () => {
    const { token } = await world.given.member(author, 'viewer');
    const listening = await Listening.to(world, token);
    await world.forward(16 * 60_000);
    expect((await listening.hears(({ type }) => type === 'end')).data).toEqual({ reason: 'unauthenticated' });
  });

  it('is logged when it begins, as the request that it was, and no longer', async () => {
    const line = (): string | undefined =>
      world.log.findLast((one) => one.includes('/api/v1/stream') && one.includes('"msg":"request"'));
    const listening = await Listening.to(world, author.token);
    await listening.leave();
    expect(JSON.parse(line() ?? '{}')).toMatchObject({ res: { status: 200 }, tenantId: author.tenantId });
    expect(JSON.parse(line() ?? '{}').ms).toBeLessThan(WITHIN_MS);
  });

  it('has a limit per address, and none for those who left', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => Listening.to(world, author.token)));
    const refused = await world.api.as(author).get('/stream');
    expect(refused).toMatchObject({ status: 429, body: { code: 'stream_limit_reached' } });
    expect(refused.headers.get('retry-after')).toBe('60');
    for (const one of all) await one.leave();
    await (await Listening.to(world, author.token)).leave();
  });

  it('ends when the process stops', async () => {
    const third = await startWorld({ with: world });
    const listening = await Listening.to(third, await world.given.token(author));
    const began = Date.now();
    await third.close();
    const { at, data } = await listening.hears(({ type }) => type === 'end');
    expect([data, at - began < WITHIN_MS]).toEqual([{ reason: 'stopping' }, true]);
  });
});
