import type { StoreGuide } from '../store-guide.js';

const DASHBOARD = 'https://chrome.google.com/webstore/devconsole';

/** Guide to connecting the Chrome Web Store (src/stores/README.md#chrome-credentials). */
export const GUIDE: StoreGuide = {
  steps: [
    { text: 'Upload the first package by hand, and fill in the tabs Store listing and Privacy.', url: DASHBOARD },
    {
      text: 'Enable the Chrome Web Store API in a Google Cloud project.',
      url: 'https://console.cloud.google.com/apis/library/chromewebstore.googleapis.com',
    },
    {
      text: 'Create a service account in that project. It needs no role.',
      url: 'https://console.cloud.google.com/iam-admin/serviceaccounts/create',
    },
    {
      text: 'Open the service account, create a key of type JSON under Keys, and keep the file.',
      url: 'https://console.cloud.google.com/iam-admin/serviceaccounts',
    },
    {
      text: "Add the service account's e-mail address under Account, and copy the publisher id from the same page.",
      url: DASHBOARD,
    },
  ],
  links: [
    { title: 'Developer Dashboard', url: DASHBOARD },
    {
      title: "Google's description of service accounts",
      url: 'https://developer.chrome.com/docs/webstore/service-accounts',
    },
  ],
  item: {
    fields: [
      {
        name: 'storeItemId',
        title: 'Item id',
        how: 'The 32 letters in the URL of the listing, and under the title in the Developer Dashboard.',
        isRequired: true,
        pattern: /^[a-p]{32}$/,
      },
    ],
    urls: [
      /^https:\/\/(?:chromewebstore\.google\.com|chrome\.google\.com\/webstore)\/detail\/(?:[^/?#]+\/)?(?<storeItemId>[a-p]{32})(?:[/?#]|$)/,
      /^https:\/\/chrome\.google\.com\/(?:u\/\d+\/)?webstore\/devconsole\/(?<publisherId>[\da-f-]{36})(?:\/(?<storeItemId>[a-p]{32}))?(?:[/?#]|$)/,
    ],
  },
};
