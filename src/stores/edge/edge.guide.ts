import type { StoreGuide } from '../store-guide.js';
import { KEY_LAPSES_AFTER_DAYS } from './edge.credentials.js';

const OVERVIEW = 'https://partner.microsoft.com/dashboard/microsoftedge/overview';

/** Guide to connecting Edge Add-ons (src/stores/README.md#edge-authentication, #edge-operations). */
export const GUIDE: StoreGuide = {
  steps: [
    { text: 'Create the product, and publish its first version by hand.', url: OVERVIEW },
    {
      text: `Enable the Publish API, create an API key, and keep the client id and the key. The key expires after ${KEY_LAPSES_AFTER_DAYS} days.`,
      url: 'https://partner.microsoft.com/dashboard/microsoftedge/publishapi',
    },
    { text: 'Open the product, and copy its product id and its CRX id.', url: OVERVIEW },
  ],
  links: [
    { title: 'Partner Center', url: OVERVIEW },
    {
      title: "Microsoft's description of the API",
      url: 'https://learn.microsoft.com/microsoft-edge/extensions/update/api/using-addons-api',
    },
  ],
  item: {
    fields: [
      {
        name: 'storeItemId',
        title: 'Product id',
        how: 'The GUID in the URL of the product in Partner Center.',
        isRequired: true,
        pattern: /^[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12}$/,
      },
      {
        name: 'crxId',
        title: 'CRX id',
        how: 'The 32 letters in the URL of the listing. Without it, Pierhead cannot see which version is live.',
        isRequired: false,
        pattern: /^[a-p]{32}$/,
      },
    ],
    urls: [
      /^https:\/\/microsoftedge\.microsoft\.com\/addons\/detail\/(?:[^/?#]+\/)?(?<crxId>[a-p]{32})(?:[/?#]|$)/,
      /^https:\/\/partner\.microsoft\.com\/(?:[A-Za-z-]{2,8}\/)?dashboard\/microsoftedge\/(?<storeItemId>[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12})(?:[/?#]|$)/,
    ],
  },
};
