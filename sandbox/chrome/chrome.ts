import type { KeptPackages } from '../kept-packages.js';
import type { SimClock } from '../sim-clock.js';
import type { StandIn } from '../stand-in.js';
import { chromeControl, listed, seedChrome } from './control.js';
import { googleFault } from './errors.js';
import { chromeRoutes } from './routes.js';
import { TokenEndpoint } from './token-endpoint.js';
import { ChromeWorld } from './world.js';

export interface ChromeOptions {
  readonly clock: SimClock;
  /** A directory for packages while they are read. */
  readonly scratch: string;
  /** To serve them to users. */
  readonly kept: KeptPackages;
}

/** The stand-in for the Chrome Web Store, API v2 (src/stores/README.md#chrome-web-store). */
export function createChrome({ clock, scratch, kept }: ChromeOptions): StandIn {
  const world = new ChromeWorld(clock);
  const token = new TokenEndpoint(world.accounts, world.tokens);
  return {
    id: 'chrome',
    routes: chromeRoutes(world, token, scratch, kept),
    control: chromeControl(world),
    faultAnswer: googleFault,
    publisherOf: (itemId) => world.item(itemId)?.publisherId,
    items: () => world.list().map(listed),
    seed: (body) => seedChrome(world, body),
    demo: async () => {
      const { publisherId, serviceAccount } = await world.accounts.create({});
      const { itemId } = world.createItem(publisherId, undefined, {});
      return { credentials: { publisherId, serviceAccount }, itemId };
    },
    env: (origin) => ({
      CHROME_API_URL: origin,
      CHROME_TOKEN_URL: `${origin}/token`,
      CHROME_UPDATE_URL: `${origin}/service/update2/crx`,
    }),
    reset: () => {
      world.reset();
      kept.clear();
    },
  };
}
