import type { StoreId } from '../../src/stores/index.js';
import type { World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { manifestOf, zipOf } from '../support/packages.js';
import { newGuid, testStoreAt, type TestStore } from '../reconcile/test-stores.js';
import { Shell, type Running, type Said } from './shell.js';

const BETWEEN_CHECKS_MS = 5 * 60_000;

/** An author at a shell, whose extension is published at some stores of the sandbox. */
export interface Author extends Tenant {
  readonly extensionId: string;
  readonly name: string;
  readonly testStores: readonly TestStore[];
  readonly shell: Shell;
  /** Writes a zip of a version into the shell's folder. @returns its name */
  pack(version: string, changes?: object, name?: string): Promise<string>;
  testStore(store: StoreId): TestStore;
}

/** Makes an author whose items pass reviews at once. */
export async function authorAt(world: World, stores: readonly StoreId[], name = 'Night Owl'): Promise<Author> {
  const tenant = await world.given.tenant();
  const api = world.api.as(tenant);
  const extensionId = await world.given.extension(tenant, name);
  const guid = newGuid();
  const testStores = await Promise.all(stores.map((store) => testStoreAt(store, world.sandbox.url, guid)));
  for (const { store, credentials, settings } of testStores) {
    const created = await api.post('/credentials', { store, label: 'main', credentials });
    const targetId = await world.given.targetOf(tenant, extensionId, store);
    const change = { ...settings, credentialId: expectStatus(created, 201).body.id, enabled: true };
    expectStatus(await api.patch(`/extensions/${extensionId}/targets/${targetId}`, change), 200);
  }
  const shell = await Shell.for(tenant, world.url);
  const gecko = { id: guid, data_collection_permissions: { required: ['none'] } };
  return {
    ...tenant,
    extensionId,
    name,
    testStores,
    shell,
    pack: async (version, changes = {}, file = `${version}.zip`) => {
      const manifest = manifestOf(version, { browser_specific_settings: { gecko }, ...changes });
      await shell.write(file, await zipOf({ 'manifest.json': JSON.stringify(manifest), 'background.js': '' }));
      return file;
    },
    testStore: (wanted) => {
      const found = testStores.find(({ store }) => store === wanted);
      if (found === undefined) throw new Error(`Nothing is published at ${wanted}`);
      return found;
    },
  };
}

/** Lets the service work, and time pass, until a command has ended. */
export async function whileWorking(world: World, { ended }: Pick<Running, 'ended'>): Promise<Said> {
  const end: { said?: Said } = {};
  void ended.then((said) => Object.assign(end, { said }));
  while (end.said === undefined) {
    await world.tick();
    await world.forward(BETWEEN_CHECKS_MS);
  }
  return end.said;
}
