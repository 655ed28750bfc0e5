import { FirefoxControl, type FirefoxAddonOptions } from '../../sandbox/firefox/firefox-control.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { packageOf } from '../support/packages.js';
import type { Call, Owner, StoreBench } from './store-bench.js';
import { HttpClient, createSandbox, FirefoxStore } from '../support/app.js';

/** The stand-in's names of the calls. */
const OPERATIONS: Readonly<Record<Call, string>> = {
  authenticate: 'profile',
  observe: 'versions',
  upload: 'upload',
  submit: 'createVersion',
};

/** The adapter of AMO and its stand-in, with the controls of both. */
export interface FirefoxBench extends StoreBench {
  readonly store: FirefoxStore;
  readonly sandbox: Sandbox;
  readonly control: FirefoxControl;
  /** The adapter's clock, which a test may set wrong. */
  readonly clock: { aheadMs: number };
}

export const issuerOf = ({ credentials }: Owner): string => (credentials as { readonly issuer: string }).issuer;

export async function firefoxBench(): Promise<FirefoxBench> {
  const sandbox = await createSandbox();
  const control = new FirefoxControl(sandbox.url);
  const clock = { aheadMs: 0 };
  const http = new HttpClient({ allowedHosts: [sandbox.url] });
  const store = new FirefoxStore({ apiUrl: `${sandbox.url}/api/v5/` }, http, {
    now: () => new Date(Date.now() + clock.aheadMs),
  });
  return {
    store,
    sandbox,
    control,
    clock,
    // Without an id in the manifest a package of Manifest V2 fits every add-on.
    packageOf: (version) => packageOf(version, { manifest_version: 2, background: { scripts: ['background.js'] } }),
    owner: async () => {
      const credentials = await control.firefoxAccount();
      return { credentials, secrets: [credentials.secret] };
    },
    item: async (owner, { live, inReview }) => {
      const addon: FirefoxAddonOptions = { issuer: issuerOf(owner), live, inReview };
      const { guid } = await control.addon(addon);
      return { storeItemId: guid, crxId: null, platforms: ['desktop'], channel: null, handles: {} };
    },
    revoke: (owner) => control.revokeKey(issuerOf(owner)),
    decide: async ({ storeItemId }, verdict) => void (await control.addonAct(storeItemId, verdict)),
    effects: async ({ storeItemId }) => {
      const { uploads, versions, edits, rollbacks } = (await control.addonState(storeItemId)).counters;
      return { writes: uploads + versions + edits + rollbacks, submissions: versions };
    },
    fault: async (owner, _item, call, fault) => {
      await control.fault({ publisherId: issuerOf(owner), match: { operation: OPERATIONS[call] }, ...fault });
    },
    unheardOf: (_owner, _item, version) => ({
      page_count: 1,
      next: null,
      results: [{ id: 1, version, channel: 'listed', file: { status: 'being-pondered' } }],
    }),
    close: () => sandbox.close(),
  };
}
