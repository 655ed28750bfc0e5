// The sandbox forgets everything when it ends. This makes the same accounts, items and payments again, with the versions that they had.
import { controlOf } from './stand-ins.mjs';

/** How long a review takes unless a person reviews by hand. */
const REVIEW_SECONDS = 5;
const PLATFORMS = { MAC_OS: 'macos', IOS: 'ios' };

/**
 * By store: `seed` is what `POST /__sim/seed` takes for an account with its items, each new where it is empty; `made` reads the account and the
 * items out of its answer; `path` is where the control plane has an item, and `state` reads from its answer what `seed` takes for its versions.
 */
export const SEEDS = {
  chrome: {
    seed: (account, items) => ({ accounts: [{ ...account, items }] }),
    made: ({ accounts: [{ publisherId, serviceAccount, items }] }) => ({
      account: { publisherId, serviceAccount },
      items: items.map(({ itemId }) => ({ itemId })),
    }),
    path: ({ itemId }) => `/chrome/items/${itemId}`,
    state: ({ published, submitted, draft }) => ({
      published: published?.package.version ?? null,
      deployPercentage: published?.deployPercentage,
      submitted: submitted && {
        version: submitted.package.version,
        state: submitted.state,
        publishType: submitted.publishType,
        deployPercentage: submitted.deployPercentage,
      },
      draft: draft?.version ?? null,
    }),
  },
  firefox: {
    seed: (account, items) => ({ accounts: [{ ...account, isThrottled: false, addons: items }] }),
    made: ({ accounts: [{ issuer, secret, addons }] }) => ({
      account: { issuer, secret },
      items: addons.map(({ guid }) => ({ guid })),
    }),
    path: ({ guid }) => `/firefox/addons/${encodeURIComponent(guid)}`,
    state: ({ live, versions }) => {
      const newer = versions.slice(versions.findIndex(({ version }) => version === live) + 1);
      const newest = (status) => newer.findLast((one) => one.status === status)?.version;
      return { live: live ?? undefined, rejected: newest('disabled'), inReview: newest('unreviewed') };
    },
  },
  edge: {
    seed: (account, items) => ({ accounts: [{ ...account, products: items }] }),
    made: ({ accounts: [{ clientId, apiKey, products }] }) => ({
      account: { clientId, apiKey },
      items: products.map(({ productId, crxId }) => ({ productId, crxId })),
    }),
    path: ({ productId }) => `/edge/products/${productId}`,
    state: ({ live, review, draft }) => ({
      live: live?.version ?? null,
      review: review?.package.version ?? null,
      draft: draft?.version ?? null,
    }),
  },
  safari: {
    // Apple takes builds from Xcode, which the sandbox replaces.
    seed: (account, items) => ({
      keys: [{ ...account, apps: items.map((item) => ({ ...item, deliversSought: true })) }],
    }),
    made: ({ keys: [{ issuerId, keyId, privateKey, apps }] }) => ({
      account: { issuerId, keyId, privateKey },
      items: apps.map(({ appId, bundleId }) => ({ appId, bundleId })),
    }),
    path: ({ appId }) => `/safari/apps/${appId}`,
    state: ({ versions }) => ({
      versions: versions.map(({ versionString, platform, state, releaseType, localizations: [first], buildId }) => ({
        version: versionString,
        platform: PLATFORMS[platform],
        state,
        releaseType,
        whatsNew: first?.whatsNew ?? undefined,
        build: buildId !== null,
      })),
    }),
  },
};

/** What the memory has before the first run. */
export const EMPTY = { accounts: {}, extensions: [], approveAfterSeconds: REVIEW_SECONDS, rejections: [], shop: null };

/**
 * The memory with an extension, which is known by its folder or by its id at Firefox.
 * @param memory what `remember` returned earlier, or `EMPTY`
 * @param extension its `folder`, its `name`, and its `geckoId` or null
 */
export function withExtension(memory, { folder, name, geckoId }) {
  const isSame = (one) => one.folder === folder || (geckoId !== null && one.stores.firefox?.item.guid === geckoId);
  const stores = { ...memory.extensions.find(isSame)?.stores };
  // An add-on keeps its id, so that one whose manifest names another is another add-on.
  if (geckoId !== null && stores.firefox?.item.guid !== geckoId)
    stores.firefox = { item: { guid: geckoId }, state: {} };
  return { ...memory, extensions: [...memory.extensions.filter((one) => !isSame(one)), { folder, name, stores }] };
}

/**
 * Makes an account at each store with an item for each extension, and the shop.
 * @param {string} origin of the sandbox
 * @returns the memory with the accounts and items that were made
 */
export async function restore(origin, memory) {
  const sim = controlOf(origin);
  const { extensions, approveAfterSeconds, rejections, shop } = memory;
  const seeds = Object.entries(SEEDS).map(([store, { seed }]) => {
    const items = extensions.map(({ name, stores: { [store]: known } }) => ({
      ...known?.item,
      ...known?.state,
      name,
      approveAfterSeconds,
    }));
    return [store, seed(memory.accounts[store] ?? {}, items)];
  });
  const answer = await sim('POST', '/seed', Object.fromEntries(seeds));
  const made = Object.entries(SEEDS).map(([store, each]) => [store, each.made(answer[store])]);
  await sim('PUT', '/rejections', { rejections });
  if (shop !== null) {
    const { accountId, webhookSecret, ...settings } = shop;
    await sim('POST', '/stripe/accounts', { accountId, webhookSecret });
    if (settings.webhookUrl !== null) await sim('PUT', '/stripe/shop', { accountId, ...settings });
  }
  return {
    ...memory,
    accounts: Object.fromEntries(made.map(([store, { account }]) => [store, account])),
    extensions: extensions.map((extension, at) => ({
      ...extension,
      stores: Object.fromEntries(made.map(([store, { items }]) => [store, { item: items[at], state: {} }])),
    })),
  };
}

/** Returns the memory with the stores as they are now. */
export async function remember(origin, memory) {
  const sim = controlOf(origin);
  const extensions = await Promise.all(
    memory.extensions.map(async (extension) => {
      const stores = Object.entries(extension.stores).map(async ([store, { item }]) => {
        const { path, state } = SEEDS[store];
        return [store, { item, state: state(await sim('GET', path(item))) }];
      });
      return { ...extension, stores: Object.fromEntries(await Promise.all(stores)) };
    }),
  );
  const { items } = await sim('GET', '/items');
  const isByHand = items.every((item) => item.approveAfterSeconds === null);
  return {
    ...memory,
    extensions,
    approveAfterSeconds: isByHand ? null : REVIEW_SECONDS,
    ...(await sim('GET', '/rejections')),
    shop: await sim('GET', '/stripe/shop'),
  };
}
