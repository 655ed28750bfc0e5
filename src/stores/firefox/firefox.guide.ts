import type { StoreGuide } from '../store-guide.js';

const ADDONS = 'https://addons.mozilla.org/developers/addons';
const KEYS = 'https://addons.mozilla.org/developers/addon/api/key/';

/** Guide to connecting addons.mozilla.org (src/stores/README.md#firefox-authentication, #firefox-ids). */
export const GUIDE: StoreGuide = {
  steps: [
    {
      text: 'Submit the first version by hand, with the account that will publish.',
      url: 'https://addons.mozilla.org/developers/addon/submit/distribution',
    },
    { text: 'Generate credentials, and keep the JWT issuer and the JWT secret.', url: KEYS },
    { text: "Open the add-on, and copy its UUID under Technical Details. It equals the manifest's id.", url: ADDONS },
  ],
  links: [
    { title: 'Developer Hub', url: ADDONS },
    { title: 'Extension Workshop on signing', url: 'https://extensionworkshop.com/documentation/publish/' },
  ],
  item: {
    fields: [
      {
        name: 'storeItemId',
        title: 'Add-on id',
        how: "The GUID of the add-on with its braces, or an id such as name@example.com: browser_specific_settings.gecko.id of the manifest. AMO's Developer Hub shows it under Technical Details as UUID.",
        isRequired: true,
        pattern: /^(?:\{[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12}\}|[\w.-]*@[\w.-]+)$/,
      },
    ],
    // The listing names a slug, which its author may change, unless someone wrote the id there.
    urls: [
      /^https:\/\/addons\.(?:mozilla|allizom)\.org\/(?:[\w-]+\/){0,3}addon\/(?:(?<storeItemId>(?:%7[Bb]|\{)[\da-fA-F-]{36}(?:%7[Dd]|\})|[\w.-]*(?:@|%40)[\w.-]+)|(?!(?:submit|api)\/)(?<slug>[^/?#]+))(?:[/?#]|$)/,
    ],
  },
};
