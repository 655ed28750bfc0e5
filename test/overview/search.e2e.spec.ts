import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource, startWorld, type World } from '../support/app.js';
import { expectStatus, type Licensed, type Publishable } from '../support/given.js';

interface SearchHit {
  readonly kind: string;
  readonly id: string;
}

describe('the search', () => {
  let world: World;
  let author: Publishable;
  let sold: Licensed;
  let email: string;
  beforeAll(async () => {
    world = await startWorld();
    author = await world.given.publishable({ published: '1.0.0' });
    expectStatus(await world.api.as(author).patch(`/extensions/${author.extensionId}`, { name: 'Tab Counter' }), 200);
    await world.given.pinned(author, '1.4.0');
    sold = await world.given.licensed({ extensionId: author.extensionId }, author);
    email = expectStatus(await world.api.as(author).get(`/licenses/${sold.licenseId}`), 200).body.buyerEmail;
    const query = (sql: string, values: readonly unknown[]) => world.app.get(DataSource).query(sql, [...values]);
    const [purchase, unsold] = ['01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d4', '01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d5'];
    for (const [id, ref] of [
      [purchase, 'session:cs_sold'],
      [unsold, 'session:cs_unsold'],
    ]) {
      await query(
        `insert into purchase (id, created_at, updated_at, tenant_id, processor, paid, is_test, moves)
         values ($1, now(), now(), $2, 'stripe', '{}', false, '[]')`,
        [id, author.tenantId],
      );
      await query("insert into purchase_ref values ($1, 'stripe', $2, $3)", [author.tenantId, ref, id]);
    }
    const held = `insert into purchase_license (purchase_id, position, units, is_once, products, license_id)
      values ($1, 0, 1, false, '{}', $2)`;
    await query(held, [purchase, sold.licenseId]);
  });
  afterAll(() => world.close());

  const search = async (text: string, as: { readonly token: string } = author): Promise<readonly SearchHit[]> =>
    expectStatus(await world.api.as(as).post('/search', { text }), 200).body.items;
  const kinds = async (text: string, as?: { readonly token: string }) =>
    (await search(text, as)).map(({ kind }) => kind);

  it.each<[string, () => string, string]>([
    ['part of a name, in any case', () => 'tAB c', 'extension'],
    ['a version', () => 'v1.4.0', 'version'],
    ['the id of a store item', () => author.itemId, 'item'],
    ['a whole code, as people type it', () => sold.code.toLowerCase().replaceAll('-', ' '), 'license'],
    ['the end of a code', () => sold.code.slice(-5), 'license'],
    ["a buyer's address, in any case", () => email.toUpperCase(), 'license'],
    ["the begin of a buyer's address", () => email.slice(0, email.indexOf('@') + 1).toUpperCase(), 'license'],
    ["a buyer's domain, in any case", () => email.slice(email.indexOf('@') + 1).toUpperCase(), 'license'],
    ["the begin of a buyer's domain, with its @", () => email.slice(email.indexOf('@'), -3), 'license'],
    ['the begin of the end of a code', () => `…${sold.code.slice(-5, -2)}`, 'license'],
    ['the begin of the id of an order', () => 'cs_sol', 'license'],
    ['the id of an order that has a license', () => 'cs_sold', 'license'],
    ['the id of an order that has none', () => 'cs_unsold', 'sale'],
  ])('finds by %s', async (_, text, kind) => {
    expect(await kinds(text())).toEqual([kind]);
    expect(await kinds(text(), await world.given.tenant())).toEqual([]);
  });

  it('shows of a license the end of its code and its buyer', async () => {
    expect(await search(sold.code)).toEqual([
      {
        kind: 'license',
        id: sold.licenseId,
        extensionId: author.extensionId,
        extensionName: 'Tab Counter',
        title: `…${sold.code.slice(-5)}`,
        detail: email,
        store: null,
      },
    ]);
  });

  it('takes what would be a pattern for what it is', async () => {
    for (const text of ['%', '_', '\\', "' or true --", '*']) expect(await search(text)).toEqual([]);
  });

  it('finds no license for who may read none, and for a restricted token nothing of other extensions', async () => {
    const publisher = await world.given.member(author, 'publisher');
    for (const text of [sold.code, email, 'cs_sold', 'cs_unsold']) expect(await kinds(text, publisher)).toEqual([]);
    expect(await kinds('tab', publisher)).toEqual(['extension']);
    const mine = await world.given.extension(author, 'Night Owl');
    const scoped = { name: 'CI', scopes: ['*'], extensionIds: [mine] };
    const { token } = expectStatus(
      await world.api.as({ cookie: author.cookie }).post('/access-tokens', scoped),
      201,
    ).body;
    for (const text of [sold.code, email, 'cs_sold', 'cs_unsold', author.itemId, '1.4.0', 'tab'])
      expect(await kinds(text, { token })).toEqual([]);
    expect(await kinds('owl', { token })).toEqual(['extension']);
  });

  it('logs neither codes nor addresses', async () => {
    await search(sold.code);
    await search(email);
    const log = world.log.join('\n');
    expect([log.includes(sold.code), log.includes(sold.code.slice(-5)), log.includes(email)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
