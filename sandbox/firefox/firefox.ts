import type { SimClock } from '../sim-clock.js';
import type { StandIn } from '../stand-in.js';
import { credentialsOf } from './accounts.js';
import { firefoxControl, listed, seedFirefox } from './control.js';
import { amoFault } from './errors.js';
import { firefoxRoutes } from './routes.js';
import { FirefoxWorld } from './world.js';

export interface FirefoxOptions {
  readonly clock: SimClock;
  /** A directory for packages, which can be downloaded later. */
  readonly scratch: string;
}

/** The stand-in for addons.mozilla.org, API v5 (src/stores/README.md#firefox-add-ons). */
export function createFirefox({ clock, scratch }: FirefoxOptions): StandIn {
  const world = new FirefoxWorld(clock);
  return {
    id: 'firefox',
    routes: firefoxRoutes(world, scratch),
    control: firefoxControl(world),
    faultAnswer: amoFault,
    publisherOf: (guid) => world.addon(guid)?.authors[0],
    items: () => world.list().map(listed),
    seed: (body) => Promise.resolve(seedFirefox(world, body)),
    demo: () => {
      const account = world.accounts.create({});
      const { guid } = world.createAddon(account, {});
      return Promise.resolve({ credentials: credentialsOf(account), guid });
    },
    env: (origin) => ({ AMO_API_URL: `${origin}/api/v5/` }),
    reset: () => world.reset(),
  };
}
