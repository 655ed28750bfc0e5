import type { SimClock } from '../sim-clock.js';
import type { StandIn } from '../stand-in.js';
import { listed, safariControl, seedSafari } from './control.js';
import { applyDue } from './review.js';
import { ascFault } from './errors.js';
import { lookupFault } from './lookup.js';
import { safariRoutes } from './routes.js';
import { SafariWorld } from './world.js';

/** The stand-in for App Store Connect (src/stores/README.md#safari-on-the-app-store). */
export function createSafari({ clock }: { readonly clock: SimClock }): StandIn {
  const world = new SafariWorld(clock, applyDue);
  return {
    id: 'safari',
    routes: safariRoutes(world),
    control: safariControl(world),
    faultAnswer: (operation, status) => (operation === 'lookup' ? lookupFault(status) : ascFault(operation, status)),
    publisherOf: (itemId) => world.app(itemId)?.issuerId,
    items: () => world.list().flatMap((app) => listed(world, app)),
    seed: (body) => Promise.resolve(seedSafari(world, body)),
    demo: () => {
      const { teamId, ...credentials } = world.keys.create({});
      const { appId, bundleId } = world.createApp(teamId, {});
      return Promise.resolve({ credentials, appId, bundleId });
    },
    env: (origin) => ({ ASC_API_URL: origin, APP_STORE_LOOKUP_URL: `${origin}/lookup` }),
    reset: () => world.reset(),
  };
}
