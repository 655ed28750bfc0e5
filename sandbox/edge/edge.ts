import type { KeptPackages } from '../kept-packages.js';
import type { SimClock } from '../sim-clock.js';
import type { StandIn } from '../stand-in.js';
import { edgeError } from './answers.js';
import { edgeControl, listed, seedEdge } from './control.js';
import { edgeRoutes } from './routes.js';
import { EdgeWorld } from './world.js';

export interface EdgeOptions {
  readonly clock: SimClock;
  /** A directory for packages while they are read. */
  readonly scratch: string;
  /** To serve them to users. */
  readonly kept: KeptPackages;
}

/** The stand-in for Microsoft Edge Add-ons, API key authentication (src/stores/README.md#edge-add-ons). */
export function createEdge({ clock, scratch, kept }: EdgeOptions): StandIn {
  const world = new EdgeWorld(clock);
  return {
    id: 'edge',
    routes: edgeRoutes(world, scratch, kept),
    control: edgeControl(world),
    faultAnswer: (_operation, status) => edgeError(status),
    publisherOf: (productId) => world.product(productId)?.clientId,
    items: () => world.list().map(listed),
    seed: async (body) => seedEdge(world, body),
    demo: async () => {
      const credentials = world.accounts.create({}, world.now());
      const { productId, crxId } = world.createProduct(credentials.clientId, {}, {});
      return { credentials, productId, crxId };
    },
    env: (origin) => ({
      EDGE_API_URL: origin,
      EDGE_PUBLIC_URL: origin,
      EDGE_UPDATE_URL: `${origin}/extensionwebstorebase/v1/crx`,
    }),
    reset: () => {
      world.reset();
      kept.clear();
    },
  };
}
