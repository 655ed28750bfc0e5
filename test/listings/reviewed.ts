import { randomUUID } from 'node:crypto';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import { ListingsWorker, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';

/** An extension of a tenant with one review at the App Store, which takes answers by its API. */
export async function reviewedAtAppStore(
  world: Pick<World, 'api' | 'given' | 'sandbox'> & Partial<Pick<World, 'app'>>,
  owner: Tenant,
  review: object = {},
): Promise<{ readonly extensionId: string; readonly appId: string; readonly reviewId: string }> {
  const safari = new SafariControl(world.sandbox.url);
  const { teamId, ...credentials } = await safari.key();
  const written = { id: randomUUID(), rating: 2, createdDate: '2026-01-31T10:00:00Z', ...review };
  const { appId } = await safari.app({ issuerId: teamId, customerReviews: [written] });
  const api = world.api.as({ token: owner.token });
  const session = world.api.as({ cookie: owner.cookie });
  const { id } = expectStatus(await session.post('/credentials', { store: 'safari', credentials }), 201).body;
  const extensionId = await world.given.extension(owner);
  const targetId = await world.given.targetOf(owner, extensionId, 'safari');
  const settings = { storeItemId: appId, credentialId: id, enabled: true };
  expectStatus(await api.patch(`/extensions/${extensionId}/targets/${targetId}`, settings), 200);
  for (;;) {
    // A process of its own works by itself.
    await world.app?.get(ListingsWorker).tick();
    const { items } = expectStatus(await api.get(`/reviews?extension=${extensionId}`), 200).body;
    if (items.length > 0) return { extensionId, appId, reviewId: items[0].id };
  }
}
