import { randomBytes } from 'node:crypto';
import { EdgeControl } from '../../sandbox/edge/edge-control.js';
import { createSandbox, EdgeStore, HttpClient } from '../support/app.js';
import { packageOf } from '../support/packages.js';
import type { Call, Owner, StoreBench } from './store-bench.js';

/** The stand-in's names of the calls. Keys are checked, and products observed, by reading an operation. */
const OPERATIONS: Readonly<Record<Call, string>> = {
  authenticate: 'uploadStatus',
  observe: 'uploadStatus',
  upload: 'upload',
  submit: 'publish',
};

/** The adapter of Microsoft Edge Add-ons and its stand-in. */
export async function edgeBench(): Promise<StoreBench> {
  const sandbox = await createSandbox();
  const control = new EdgeControl(sandbox.url);
  const http = new HttpClient({ allowedHosts: [sandbox.url] });
  const updateUrl = `${sandbox.url}/extensionwebstorebase/v1/crx`;
  const urls = { apiUrl: sandbox.url, publicUrl: sandbox.url, updateUrl };
  const store = new EdgeStore(urls, http, { now: () => new Date() }, [0]);
  const clientOf = ({ credentials }: Owner): string => (credentials as { readonly clientId: string }).clientId;
  return {
    store,
    judgesVersionsAt: 'submit',
    packageOf: (version) => packageOf(version),
    owner: async () => {
      const credentials = await control.edgeAccount({ apiKey: `MARKED/${randomBytes(30).toString('base64')}` });
      return { credentials, secrets: [credentials.apiKey] };
    },
    item: async (owner, { live, inReview }) => {
      const state = { ...(live !== undefined && { live }), ...(inReview !== undefined && { review: inReview }) };
      const { productId, crxId } = await control.edgeProduct({ clientId: clientOf(owner), ...state });
      return { storeItemId: productId, crxId, platforms: ['desktop'], channel: null, handles: {} };
    },
    revoke: (owner) => control.revokeEdgeKey(clientOf(owner)),
    decide: async ({ storeItemId }, verdict) => void (await control.actOnProduct(storeItemId, verdict)),
    effects: async ({ storeItemId }) => {
      const { uploads, publishes, submissions } = (await control.product(storeItemId)).counters;
      return { writes: uploads + publishes, submissions };
    },
    fault: async (owner, { storeItemId }, call, fault) => {
      const aim = call === 'authenticate' ? { publisherId: clientOf(owner) } : { itemId: storeItemId };
      await control.fault({ ...aim, match: { operation: OPERATIONS[call] }, ...fault });
    },
    unheardOf: () => ({ id: 'op', status: 'BeingPondered', message: null, errorCode: null, errors: null }),
    close: () => sandbox.close(),
  };
}
