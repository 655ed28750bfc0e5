import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { packageOf } from '../support/packages.js';
import { expectStatus } from '../support/given.js';
import { Author } from '../reconcile/author.js';
import { addonAccount, AddonAuthor } from '../reconcile/addon-author.js';
import { ExtensionPages } from './pages/extension.js';
import { Desk, inChromium } from './support/desk.js';

inChromium('the texts of a version', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());

  const open = async (path: string, as: { readonly cookie: string }) => {
    const page: Page = await desk.visit({ as, path });
    return { page, pages: new ExtensionPages(page) };
  };

  it('are release notes for all languages and for each that is added', async () => {
    const { world } = desk;
    const account = await addonAccount(world, await world.given.tenant());
    const mine = await AddonAuthor.in(world, account, { live: '1.0.0' });
    const { page, pages } = await open(`/extensions/${mine.extensionId}/push`, account.tenant);
    const gecko = { id: mine.guid, data_collection_permissions: { required: ['none'] } };
    await pages.package('1.1.0', await packageOf('1.1.0', { browser_specific_settings: { gecko } }));
    await page.getByLabel('What is new', { exact: true }).fill('Counts faster.');
    const add = page.getByRole('button', { name: 'Add a language' });
    await add.click();
    await page.getByLabel('Language', { exact: true }).fill('German');
    await page.getByLabel('What is new in it').fill('Zählt schneller.');
    await desk.look(page, 'notes-push');
    const push = page.getByRole('button', { name: /^Push 1\.1\.0/ });
    await push.click();
    await page.getByText('must name locales such as de or pt-BR', { exact: false }).first().waitFor();
    await page.getByLabel('Language', { exact: true }).fill('de');
    await add.click();
    await page.getByRole('button', { name: 'Remove this language' }).click();
    await push.click();
    await pages.title('1.1.0').waitFor();
    await page.getByText('What is new (de)').waitFor();
    await page.getByText('Zählt schneller.').waitFor();
    await desk.look(page, 'notes-version');
  });

  it('are reasons, ready for the privacy page of a store that misses them', async () => {
    const { world } = desk;
    const author = await Author.in(world, { published: '1.0.0' });
    const { extensionId } = author.mine;
    const form = new FormData();
    const zip = await packageOf('1.1.0', { permissions: ['tabs', 'storage'] });
    form.set('file', new Blob([new Uint8Array(zip)]), 'extension.zip');
    form.set('justifications', JSON.stringify({ singlePurpose: 'Counts tabs.', permissions: { tabs: 'To count.' } }));
    const path = `/artifacts?extension=${extensionId}&version=1.1.0`;
    expectStatus(await world.api.as(author.mine).post(path, undefined, { raw: form }), 201);
    await author.dashboard({ publishCondition: 'Privacy practices.' });
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
    const { page, pages } = await open(`/extensions/${extensionId}/versions/1.1.0`, author.mine);
    await pages.title('1.1.0').waitFor();
    await page.getByText('Texts for Chrome’s privacy page').waitFor();
    await page.getByText('has no API for this page', { exact: false }).waitFor();
    expect(await page.getByRole('link', { name: 'open the page' }).getAttribute('href')).toMatch(/\/edit\/privacy$/);
    await page.getByRole('button', { name: 'Copy text for Permission tabs' }).click();
    await page.getByText('Copied', { exact: false }).first().waitFor({ state: 'attached' });
    expect(await page.getByLabel('text for Permission tabs', { exact: true }).textContent()).toBe('To count.');
    await page.getByText('No reason in pierhead.json.').waitFor();
    await desk.look(page, 'privacy-texts');
  });
});
