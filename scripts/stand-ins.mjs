// Creates accounts and items at the sandbox's stores, over its control plane.

/** Calls the control plane; throws unless it succeeds. @param {string} origin of the sandbox */
export const controlOf = (origin) => async (method, path, body) => {
  const response = await fetch(`${origin}/__sim${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} /__sim${path} answered ${response.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
};

/** Reuses one RSA key for all service accounts, because generating one takes longer than everything else. */
const serviceAccount = (privateKey) =>
  privateKey === undefined ? {} : { serviceAccount: { private_key: privateKey } };

/**
 * By store: `account` creates an account and returns its credentials; `item` creates an item and returns its name in the control plane and the
 * target settings for it; `review` approves the item that many seconds after a submission; `deliver` uploads a version's build, at stores that
 * take it from Xcode; `submissions` counts what the store has accepted.
 */
export const STAND_INS = {
  chrome: {
    account: async (sim, { privateKey } = {}) => {
      const { publisherId, serviceAccount: account } = await sim(
        'POST',
        '/chrome/accounts',
        serviceAccount(privateKey),
      );
      return { publisherId, serviceAccount: account };
    },
    item: async (sim, { publisherId }) => {
      const { itemId } = await sim('POST', '/chrome/items', { publisherId });
      return { name: itemId, settings: { storeItemId: itemId } };
    },
    review: (sim, name, seconds) => sim('PATCH', `/chrome/items/${name}`, { approveAfterSeconds: seconds }),
    submissions: async (sim, name) => (await sim('GET', `/chrome/items/${name}`)).counters.submissions,
  },
  firefox: {
    account: (sim) => sim('POST', '/firefox/accounts', { isThrottled: false }),
    item: async (sim, { issuer }, { geckoId: guid }) => {
      await sim('POST', '/firefox/addons', { issuer, guid });
      return { name: encodeURIComponent(guid), settings: { storeItemId: guid } };
    },
    review: (sim, name, seconds) => sim('PATCH', `/firefox/addons/${name}`, { approveAfterSeconds: seconds }),
    submissions: async (sim, name) => (await sim('GET', `/firefox/addons/${name}`)).counters.versions,
  },
  edge: {
    account: (sim) => sim('POST', '/edge/accounts', {}),
    item: async (sim, { clientId }) => {
      const { productId, crxId } = await sim('POST', '/edge/products', { clientId });
      return { name: productId, settings: { storeItemId: productId, crxId } };
    },
    review: (sim, name, seconds) => sim('PATCH', `/edge/products/${name}`, { approveAfterSeconds: seconds }),
    submissions: async (sim, name) => (await sim('GET', `/edge/products/${name}`)).counters.submissions,
  },
  safari: {
    account: async (sim) => {
      const { issuerId, keyId, privateKey } = await sim('POST', '/safari/keys', {});
      return { issuerId, keyId, privateKey };
    },
    item: async (sim, { issuerId }) => {
      const { appId } = await sim('POST', '/safari/apps', { issuerId });
      return {
        name: appId,
        settings: { storeItemId: appId, encryption: 'exempt', releaseNotes: 'The changelog tells what is new.' },
      };
    },
    review: (sim, name, seconds) => sim('PATCH', `/safari/apps/${name}`, { approveAfterSeconds: seconds }),
    // As Xcode does it for an app that names in its Info.plist what it encrypts.
    deliver: (sim, name, version) =>
      sim('POST', `/safari/apps/${name}/deliver`, { version, usesNonExemptEncryption: false }),
    submissions: async (sim, name) => (await sim('GET', `/safari/apps/${name}`)).counters.submissions,
  },
};

export const STORES = Object.keys(STAND_INS);
