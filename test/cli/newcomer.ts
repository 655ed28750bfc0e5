import { newGuid, testStoreAt, type TestStore } from '../reconcile/test-stores.js';
import type { StoreId } from '../../src/stores/index.js';
import type { World } from '../support/app.js';
import type { Tenant } from '../support/given.js';
import { manifestOf } from '../support/packages.js';
import { PseudoTerminal } from './pseudo-terminal.js';
import { Shell } from './shell.js';

/** What nobody who types a command may see. */
export const STACK = /\n\s+at \S+ \(/;

/** A person who is logged in at a shell, in a project that was built, with items at stores that Pierhead does not know yet. */
export interface Newcomer extends Tenant {
  readonly shell: Shell;
  readonly guid: string;
  readonly testStore: (store: StoreId) => Promise<TestStore>;
  run(...args: readonly string[]): PseudoTerminal;
}

/** Makes a newcomer. @param url where the service is for the outside */
export async function newcomerAt(world: World, name = 'Night Owl', url = world.url): Promise<Newcomer> {
  const tenant = await world.given.tenant();
  const shell = await Shell.open();
  const guid = newGuid();
  const gecko = { id: guid, data_collection_permissions: { required: ['none'] } };
  const manifest = manifestOf('1.4.0', { name, browser_specific_settings: { gecko } });
  await shell.write('dist/manifest.json', JSON.stringify(manifest));
  await shell.write('dist/background.js', '');
  const { code, stderr } = await shell.run(['login', url, '--email', tenant.email, '--password-stdin'], {
    stdin: tenant.password,
  });
  if (code !== 0) throw new Error(stderr);
  const testStores = new Map<StoreId, Promise<TestStore>>();
  return {
    ...tenant,
    shell,
    guid,
    testStore: (store) => {
      const made = testStores.get(store) ?? testStoreAt(store, world.sandbox.url, guid);
      testStores.set(store, made);
      return made;
    },
    run: (...args) => PseudoTerminal.run(shell, args, { PIERHEAD_PATIENCE: '1s' }),
  };
}

interface ChromeKey {
  readonly publisherId: string;
  readonly serviceAccount: { readonly private_key: string };
}

/** The key of a test store at Chrome. */
export const chromeKeyOf = ({ credentials }: TestStore): ChromeKey => credentials as ChromeKey;

/** Answers the questions for Chrome's key and item. */
export async function connectChrome(terminal: PseudoTerminal, shell: Shell, testStore: TestStore): Promise<void> {
  const { publisherId, serviceAccount } = chromeKeyOf(testStore);
  await shell.write('Downloads/key.json', JSON.stringify(serviceAccount));
  await terminal.reads(/1\. Upload the first package/);
  await terminal.answers(/Which kind of key do you have\?/);
  await terminal.answers(/Key file/, "'Downloads/key.json'");
  await terminal.answers(/Publisher id/, publisherId);
  await terminal.reads(/✓ Signed in as \S+@\S+/);
  const { storeItemId } = testStore.settings;
  await terminal.answers(/Item id/, `https://chromewebstore.google.com/detail/night-owl/${storeItemId}?hl=de`);
}

/** Answers the questions for Firefox's key; the item is the manifest's. */
export async function connectFirefox(terminal: PseudoTerminal, testStore: TestStore): Promise<void> {
  const { issuer, secret } = testStore.credentials as { readonly issuer: string; readonly secret: string };
  await terminal.answers(/JWT issuer\s+[^.]*$/, issuer);
  await terminal.answers(/JWT secret\s+[^.]*$/, secret);
  await terminal.reads(/✓ Signed in as/);
  await terminal.answers(/Add-on id, or/);
}

/** Answers the questions for Edge's key and product. */
export async function connectEdge(terminal: PseudoTerminal, testStore: TestStore): Promise<void> {
  const { clientId, apiKey } = testStore.credentials as { readonly clientId: string; readonly apiKey: string };
  const { storeItemId, crxId } = testStore.settings as { readonly storeItemId: string; readonly crxId: string };
  await terminal.answers(/Client id\s+[^.]*$/, clientId);
  await terminal.answers(/API key\s+[^.]*$/, apiKey);
  await terminal.reads(/✓ Signed in as/);
  await terminal.answers(/Product id, or/, storeItemId);
  await terminal.answers(/CRX id, or/, `https://microsoftedge.microsoft.com/addons/detail/night-owl/${crxId}`);
}

/** Answers the questions for the App Store's key and app. */
export async function connectSafari(terminal: PseudoTerminal, shell: Shell, testStore: TestStore): Promise<void> {
  const { issuerId, keyId, privateKey } = testStore.credentials as Readonly<Record<string, string>>;
  await shell.write(`Downloads/AuthKey_${keyId}.p8`, privateKey ?? '');
  await terminal.answers(/Which kind of key do you have\?/);
  await terminal.answers(/Key file/, `Downloads/AuthKey_${keyId}.p8`);
  await terminal.answers(/Issuer id\s+[^.]*$/, issuerId);
  await terminal.reads(/✓ Signed in as/);
  await terminal.answers(/App id, or/, testStore.settings.storeItemId);
}
