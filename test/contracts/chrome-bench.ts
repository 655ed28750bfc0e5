import { randomBytes } from 'node:crypto';
import { ChromeStore, createSandbox, HttpClient } from '../support/app.js';
import { SERVICE_ACCOUNT_KEY, TestControl } from '../support/keys.js';
import { packageOf } from '../support/packages.js';
import type { Call, Owner, StoreBench } from './store-bench.js';

/** The stand-in's names of the calls. */
const OPERATIONS: Readonly<Record<Call, string>> = {
  authenticate: 'token',
  observe: 'fetchStatus',
  upload: 'upload',
  submit: 'publish',
};

/** The adapter of the Chrome Web Store and its stand-in, with a service account or a person's refresh token. */
export async function chromeBench(
  form: 'refresh token' | 'service account',
): Promise<{ readonly bench: StoreBench; readonly control: TestControl }> {
  const sandbox = await createSandbox();
  const control = new TestControl(sandbox.url);
  const http = new HttpClient({ allowedHosts: [sandbox.url] });
  const urls = {
    apiUrl: sandbox.url,
    tokenUrl: `${sandbox.url}/token`,
    updateUrl: `${sandbox.url}/service/update2/crx`,
  };
  const store = new ChromeStore(urls, http, {
    now: () => new Date(),
  });
  const publisherOf = ({ credentials }: Owner): string => (credentials as { readonly publisherId: string }).publisherId;
  const bench: StoreBench = {
    store,
    packageOf: (version) => packageOf(version),
    owner: async () => {
      const marked = `1//0MARKED${randomBytes(12).toString('hex')}`;
      const account = await control.chromeAccount({
        oauth: { refreshToken: marked, clientSecret: `GOCSPX-${marked.slice(4)}` },
      });
      const { publisherId, oauth, serviceAccount } = account;
      return form === 'refresh token'
        ? { credentials: { publisherId, ...oauth }, secrets: [oauth.refreshToken, oauth.clientSecret] }
        : { credentials: { publisherId, serviceAccount }, secrets: [SERVICE_ACCOUNT_KEY] };
    },
    item: async (owner, { live, inReview }) => {
      const submitted = inReview === undefined ? {} : { submitted: { version: inReview } };
      const published = live === undefined ? {} : { published: live };
      const { itemId } = await control.chromeItem({ publisherId: publisherOf(owner), ...published, ...submitted });
      return { storeItemId: itemId, crxId: null, platforms: ['desktop'], channel: null, handles: {} };
    },
    revoke: (owner) => control.account(publisherOf(owner), 'revoke'),
    decide: async ({ storeItemId }, verdict) => void (await control.act(storeItemId, verdict)),
    effects: async ({ storeItemId }) => {
      const { uploads, publishes, cancels, submissions } = (await control.state(storeItemId)).counters;
      return { writes: uploads + publishes + cancels, submissions };
    },
    fault: async (owner, { storeItemId }, call, fault) => {
      const aim = call === 'authenticate' ? { publisherId: publisherOf(owner) } : { itemId: storeItemId };
      await control.fault({ ...aim, match: { operation: OPERATIONS[call] }, ...fault });
    },
    unheardOf: (owner, { storeItemId }, version) => ({
      name: `publishers/${publisherOf(owner)}/items/${storeItemId}`,
      itemId: storeItemId,
      submittedItemRevisionStatus: { state: 'BEING_PONDERED', distributionChannels: [{ crxVersion: version }] },
    }),
    close: () => sandbox.close(),
  };
  return { bench, control };
}
