import { SafariControl } from '../../sandbox/safari/safari-control.js';
import { SandboxControl } from '../../sandbox/sandbox-control.js';
import { createSandbox, HttpClient, SafariStore } from '../support/app.js';
import { ipaOf, pkgOf } from '../support/apple-packages.js';
import type { Call, Owner, StoreBench } from './store-bench.js';

/** The stand-in's names of the calls. */
const OPERATIONS: Readonly<Record<Call, string>> = {
  authenticate: 'apps',
  observe: 'versions',
  upload: 'uploadPart',
  submit: 'submit',
};

/**
 * The adapter of the App Store and its stand-in, on one platform, with a team key or an individual key.
 * @param isUploaded Pierhead uploads the builds, which otherwise come from elsewhere
 */
export async function safariBench(
  form: 'team' | 'individual',
  platform: 'macos' | 'ios',
  isUploaded = false,
): Promise<StoreBench> {
  const sandbox = await createSandbox();
  const faults = new SandboxControl(sandbox.url);
  const control = new SafariControl(sandbox.url);
  const http = new HttpClient({ allowedHosts: [sandbox.url] });
  const store = new SafariStore({ apiUrl: sandbox.url, lookupUrl: `${sandbox.url}/lookup` }, http, {
    now: () => new Date(),
  });
  const teams = new Map<object, string>();
  const teamOf = ({ credentials }: Owner): string => teams.get(credentials) ?? '';
  const appIdOf = (storeItemId: string): string => storeItemId.replace('com.example.app', '');
  return {
    store,
    hidesTakedowns: true,
    packageOf: (version) =>
      platform === 'macos' ? Promise.resolve(pkgOf({ version, build: '7' })) : ipaOf({ version, build: '7' }),
    ...(isUploaded && { buildNumber: '7', judgesVersionsAt: 'submit' }),
    deliver: async ({ storeItemId }, version) => {
      await control.deliver(appIdOf(storeItemId), { version, platform, usesNonExemptEncryption: false });
    },
    owner: async () => {
      const { teamId, ...credentials } = await control.key({ individual: form === 'individual' });
      teams.set(credentials, teamId);
      return { credentials, secrets: [credentials.privateKey] };
    },
    item: async (owner, { live, inReview }) => {
      const versions = [
        ...(live === undefined ? [] : [{ platform, version: live, state: 'READY_FOR_DISTRIBUTION' }]),
        ...(inReview === undefined ? [] : [{ platform, version: inReview, state: 'WAITING_FOR_REVIEW' }]),
      ];
      const { appId, bundleId } = await control.app({ issuerId: teamOf(owner), versions });
      // A target may name its app either way.
      const storeItemId = form === 'team' ? appId : bundleId;
      return { storeItemId, crxId: null, platforms: [platform], channel: null, handles: {} };
    },
    revoke: (owner) => control.revoke(teamOf(owner)),
    decide: async ({ storeItemId }, verdict) => {
      if (verdict === 'takedown') throw new Error('Apple does not say so');
      await control.act(appIdOf(storeItemId), verdict, platform);
    },
    effects: async ({ storeItemId }) => {
      const { writes, submissions } = (await control.state(appIdOf(storeItemId))).counters;
      return { writes, submissions };
    },
    fault: async (owner, { storeItemId }, call, fault) => {
      const aim = call === 'authenticate' ? { publisherId: teamOf(owner) } : { itemId: appIdOf(storeItemId) };
      await faults.fault({ ...aim, match: { operation: OPERATIONS[call] }, ...fault });
    },
    unheardOf: (_, __, version) => ({
      data: [
        {
          type: 'appStoreVersions',
          id: '1',
          attributes: { versionString: version, appVersionState: 'BEING_PONDERED' },
        },
      ],
      links: {},
    }),
    close: () => sandbox.close(),
  };
}
