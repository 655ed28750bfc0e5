import { randomUUID } from 'node:crypto';
import type { World } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { expectStatus, type Publishable, type Tenant } from '../../support/given.js';
import { FULL_SIZE } from '../../support/processor-events/index.js';
import { Seller } from '../../webhooks/seller.js';

const PASSWORD = 'a long enough password';

/** A workspace in which each task that people come for waits to be done. */
export interface Practice {
  readonly owner: Tenant;
  /** Its version waits to be published by hand. */
  readonly approved: Publishable;
  /** Chrome offers its second version to a tenth of its users. */
  readonly staged: Publishable;
  /** Chrome refuses its key. */
  readonly locked: Publishable;
  /** A buyer with a license and a device. */
  readonly buyer: string;
  /** A buyer whose license a colleague revoked. */
  readonly former: string;
  readonly colleague: string;
  /** A buyer who got the money back. */
  readonly refunded: string;
}

/** Makes the workspace. */
export async function makePractice(world: World, name: string): Promise<Practice> {
  const person = { email: `${name}@practice.example`, password: PASSWORD };
  expectStatus(await world.api.post('/auth/signup', { ...person, tenantName: `Practice ${name}` }), 201);
  const first = await world.given.loggedIn(person);
  // It outlives the days that pass.
  const owner = { ...first, token: await world.given.token(first) };
  const api = world.api.as(owner);
  const publishable = async (title: string, wish: object): Promise<Publishable> => {
    const made = await world.given.publishable(wish, owner);
    expectStatus(await api.patch(`/extensions/${made.extensionId}`, { name: title }), 200);
    return made;
  };
  const set = async ({ extensionId, targetId }: Publishable, settings: object): Promise<void> => {
    expectStatus(await api.patch(`/extensions/${extensionId}/targets/${targetId}`, settings), 200);
  };
  const review = async (one: Publishable): Promise<void> => {
    await world.tick();
    await world.control.act(one.itemId, 'approve');
    await world.forward(DAY);
    await world.tick();
  };

  const staged = await publishable('Tab Counter', { weeklyUsers: 50_000 });
  await world.given.pinned(staged, '2.1.0');
  await review(staged);
  await set(staged, { rolloutPercent: 10 });
  await world.given.pinned(staged, '2.2.0');
  await review(staged);
  const approved = await publishable('Night Shade', { published: '1.0.0' });
  await set(approved, { release: 'manual' });
  await world.given.pinned(approved, '1.1.0');
  await review(approved);
  const locked = await publishable('Quiet Inbox', { published: '1.0.0' });
  await world.control.account(locked.publisherId, 'revoke', { what: 'all' });
  await world.given.pinned(locked, '1.1.0');
  await world.tick();

  const { extensionId } = staged;
  const seller = await Seller.of(world, 'paddle', owner, extensionId);
  const sale = seller.sale();
  await seller.sendAll([...FULL_SIZE.paddle.paidMonth(sale, 1), ...FULL_SIZE.paddle.refundedMonth(sale, 1, 2)]);
  const issue = async (buyerEmail: string): Promise<{ readonly id: string; readonly code: string }> =>
    expectStatus(await api.post('/licenses', { planId: seller.planId, buyerEmail }), 201).body;
  const buyer = `carla.mendes.${name}@buyer.example`;
  const { code } = await issue(buyer);
  const device = { code, extensionId, fingerprint: randomUUID(), deviceInfo: { label: 'Laptop' } };
  expectStatus(await world.api.post('/licensing/activate', device), 200);
  const former = `dmitri.${name}@buyer.example`;
  const colleague = await world.given.member(owner, 'admin');
  expectStatus(await world.api.as(colleague).post(`/licenses/${(await issue(former)).id}/revoke`), 200);
  return {
    owner: { ...owner, ...(await world.given.loggedIn(person)), token: owner.token },
    approved,
    staged,
    locked,
    buyer,
    former,
    colleague: colleague.email,
    refunded: String(sale.email),
  };
}
