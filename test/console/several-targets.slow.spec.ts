import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { Publisher } from '../reconcile/publisher.js';
import { testStoreAt } from '../reconcile/test-stores.js';
import { ExtensionPages } from './pages/extension.js';
import { Desk, inChromium } from './support/desk.js';

inChromium('where Chrome has a stable and a beta item', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());

  it('a push and a promotion are for the one that is chosen', async () => {
    const { world } = desk;
    const tenant = await world.given.tenant();
    const api = world.api.as(tenant);
    const publisher = await Publisher.in(world, ['chrome', 'firefox'], tenant);
    const { extensionId } = publisher;
    await publisher.push('1.0.0');
    await publisher.reconcile();
    const { credentials, settings } = await testStoreAt('chrome', world.sandbox.url, '');
    const made = await api.post('/credentials', { store: 'chrome', label: 'beta', credentials });
    const wanted = { store: 'chrome', ...settings, credentialId: expectStatus(made, 201).body.id, enabled: true };
    const targets = `/extensions/${extensionId}/targets`;
    const beta = expectStatus(await api.post(targets, wanted), 201).body;
    const [stable] = expectStatus(await api.get(targets), 200).body.targets;
    const [toStable, toBeta] = [`Chrome ${stable.storeItemId}`, `Chrome ${beta.storeItemId}`];
    const artifacts = async () =>
      expectStatus(await api.get(`/artifacts?extension=${extensionId}`), 200).body.artifacts;
    const desired = async (id: string) =>
      expectStatus(await api.get(`${targets}/${id}`), 200).body.status.desiredVersion;
    const [{ manifest }] = await artifacts();
    const gecko = { id: manifest.geckoId, data_collection_permissions: { required: ['none'] } };
    const zipOf = (version: string) => packageOf(version, { browser_specific_settings: { gecko } });

    const page = await desk.visit({ as: tenant, path: `/extensions/${extensionId}/push` });
    const pages = new ExtensionPages(page);
    await pages.package('1.1.0', await zipOf('1.1.0'));
    await page.getByRole('combobox', { name: 'For' }).click();
    expect(await page.getByRole('button', { name: /^Push 1\.1\.0/ }).count()).toBe(0);
    await page.getByRole('option', { name: toBeta }).click();
    await page.getByText(`Goes to ${toBeta}.`).waitFor();
    await desk.look(page, 'push-for-one');
    await page.getByRole('button', { name: /^Push 1\.1\.0/ }).click();
    await pages.title('1.1.0').waitFor();
    await page.getByRole('heading', { name: `Package for ${toBeta}` }).waitFor();
    expect((await artifacts())[0]).toMatchObject({ version: '1.1.0', store: 'chrome', targetId: beta.id });
    expect(await desired(stable.id)).toBe('1.0.0');

    const pushed = { extension: extensionId, version: '1.2.0', store: 'firefox' };
    expectStatus(await api.push(pushed, new Uint8Array(await zipOf('1.2.0'))), 201);
    await publisher.reconcile();
    await page.goto(`/extensions/${extensionId}`);
    await pages.act('Firefox', 'Promote').click();
    await pages.dialog.getByText(`${toBeta}: 1.2.0`).click();
    await pages.dialog.getByRole('button', { name: `Promote 1.2.0 to ${toStable}`, exact: true }).click();
    await pages.dialog.getByText(`1.2.0 is pinned for ${toStable}.`).waitFor();
    expect([await desired(stable.id), await desired(beta.id)]).toEqual(['1.2.0', '1.1.0']);
    await pages.dialog.getByRole('button', { name: 'Undo' }).click();
    await pages.dialog.waitFor({ state: 'detached' });
    expect([await desired(stable.id), await desired(beta.id)]).toEqual(['1.0.0', '1.1.0']);
  });
});
