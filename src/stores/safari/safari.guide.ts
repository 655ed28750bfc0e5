import type { StoreGuide } from '../store-guide.js';

const APPS = 'https://appstoreconnect.apple.com/apps';

/** Guide to connecting the App Store (src/stores/README.md#safari-authentication). */
export const GUIDE: StoreGuide = {
  steps: [
    { text: 'Create the app, and fill in its page in the App Store.', url: APPS },
    {
      text: 'Create a team key with the role App Manager. Keep its .p8 file, its key id, and the issuer id above the list.',
      url: 'https://appstoreconnect.apple.com/access/integrations/api',
    },
    { text: 'Open the app, and copy its Apple ID under App Information.', url: APPS },
    {
      text: 'Push a signed .pkg or .ipa of each version, or deliver its build from Xcode. Pierhead submits it.',
      url: 'https://developer.apple.com/documentation/safariservices/distributing-your-safari-web-extension',
    },
  ],
  links: [
    { title: 'App Store Connect', url: APPS },
    {
      title: "Apple's description of keys",
      url: 'https://developer.apple.com/documentation/appstoreconnectapi/creating-api-keys-for-app-store-connect-api',
    },
  ],
  item: {
    fields: [
      {
        name: 'storeItemId',
        title: 'App id',
        how: 'The Apple ID of the app, which is a number, or its bundle id.',
        isRequired: true,
        pattern: /^(?:\d{1,20}|[A-Za-z\d-]+(?:\.[A-Za-z\d-]+)+)$/,
      },
    ],
    urls: [
      /^https:\/\/(?:apps|itunes)\.apple\.com\/(?:[a-z]{2}\/)?app\/(?:[^/?#]+\/)?id(?<storeItemId>\d{1,20})(?:[/?#]|$)/,
      /^https:\/\/appstoreconnect\.apple\.com\/apps\/(?<storeItemId>\d{1,20})(?:[/?#]|$)/,
    ],
  },
};
