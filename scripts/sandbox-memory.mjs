// The sandbox forgets everything when it ends. This makes the same accounts and items again, with the versions that were live.
import { controlOf } from './stand-ins.mjs';

const approveAfterSeconds = 5;

/**
 * By store: `seed` is what `POST /__sim/seed` takes for an account with an item, both new where empty, and the live version if any; `made` reads the
 * account and the item out of its answer; `live` asks which version is live.
 */
export const SEEDS = {
  chrome: {
    seed: (account, item, live) => ({
      accounts: [{ ...account, items: [{ ...item, approveAfterSeconds, published: live }] }],
    }),
    made: ({ accounts: [{ publisherId, serviceAccount, items }] }) => ({
      account: { publisherId, serviceAccount },
      item: { itemId: items[0].itemId },
    }),
    live: async (sim, { itemId }) => (await sim('GET', `/chrome/items/${itemId}`)).published?.package.version,
  },
  firefox: {
    seed: (account, item, live) => ({
      accounts: [
        {
          ...account,
          isThrottled: false,
          addons: [{ ...item, approveAfterSeconds, ...(live === null ? {} : { live }) }],
        },
      ],
    }),
    made: ({ accounts: [{ issuer, secret, addons }] }) => ({
      account: { issuer, secret },
      item: { guid: addons[0].guid },
    }),
    live: async (sim, { guid }) => (await sim('GET', `/firefox/addons/${encodeURIComponent(guid)}`)).live,
  },
  edge: {
    seed: (account, item, live) => ({ accounts: [{ ...account, products: [{ ...item, approveAfterSeconds, live }] }] }),
    made: ({ accounts: [{ clientId, apiKey, products }] }) => ({
      account: { clientId, apiKey },
      item: { productId: products[0].productId, crxId: products[0].crxId },
    }),
    live: async (sim, { productId }) => (await sim('GET', `/edge/products/${productId}`)).live?.version,
  },
  safari: {
    seed: (account, item, live) => {
      const versions = live === null ? [] : [{ version: live, state: 'READY_FOR_DISTRIBUTION', build: true }];
      // Apple takes builds from Xcode, which the sandbox replaces.
      return { keys: [{ ...account, apps: [{ ...item, approveAfterSeconds, deliversSought: true, versions }] }] };
    },
    made: ({ keys: [{ issuerId, keyId, privateKey, apps }] }) => ({
      account: { issuerId, keyId, privateKey },
      item: { appId: apps[0].appId, bundleId: apps[0].bundleId },
    }),
    live: async (sim, { appId }) =>
      (await sim('GET', `/safari/apps/${appId}`)).versions.find(({ state }) => state === 'READY_FOR_DISTRIBUTION')
        ?.versionString,
  },
};

/**
 * Makes an account with an item at each store, whose reviews take five seconds.
 * @param {string} origin of the sandbox
 * @param known what `remember` returned earlier, or null
 * @param {string} guid of a new add-on
 * @returns by store, its account and its item, with their names as in the control plane
 */
export async function seedStores(origin, known, guid) {
  const asked = Object.entries(SEEDS).map(([store, { seed }]) => {
    const { account = {}, item = store === 'firefox' ? { guid } : {}, live = null } = known?.[store] ?? {};
    return [store, seed(account, item, live)];
  });
  const answer = await controlOf(origin)('POST', '/seed', Object.fromEntries(asked));
  return Object.fromEntries(Object.entries(SEEDS).map(([store, { made }]) => [store, made(answer[store])]));
}

/** Returns what `seedStores` needs to restore the stores as they are now. */
export async function remember(origin, stores) {
  const sim = controlOf(origin);
  const remembered = Object.entries(stores).map(async ([store, { account, item }]) => {
    return [store, { account, item, live: (await SEEDS[store].live(sim, item)) ?? null }];
  });
  return Object.fromEntries(await Promise.all(remembered));
}
