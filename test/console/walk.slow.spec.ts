import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { ping } from '../analytics/install.js';
import { expectStatus } from '../support/given.js';
import { newGuid, testStoreAt, type TestStore } from '../reconcile/test-stores.js';
import { packageOf, zipOf } from '../support/packages.js';
import { SECRETS, signedBy } from '../support/payment-signers.js';
import { oneOffSale } from '../support/purchases.js';
import { Analytics } from './pages/analytics.js';
import { ExtensionPages } from './pages/extension.js';
import { Licenses } from './pages/licenses.js';
import { Settings } from './pages/settings.js';
import { SignIn } from './pages/sign-in.js';
import { Start } from './pages/start.js';
import { Desk, inChromium } from './support/desk.js';
import { Studio } from './support/studio.js';

const OWNER = { team: 'Studio Ann', email: 'ann@studio.example', password: 'correct horse battery staple' };
const VERSION = '1.4.0';

const secondOf = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000);

/** The stores besides Chrome: what their pages call them, and what the fields call what a person brings from there. */
const OTHERS = [
  { id: 'firefox', name: 'Firefox', title: 'Firefox Add-ons' },
  { id: 'edge', name: 'Edge', title: 'Microsoft Edge Add-ons' },
  { id: 'safari', name: 'Safari', title: 'App Store' },
] as const;
const FIELDS: Readonly<Record<string, string>> = {
  issuer: 'JWT issuer',
  secret: 'JWT secret',
  clientId: 'Client id',
  apiKey: 'API key',
  issuerId: 'Issuer id',
  keyId: 'Key id',
  privateKey: 'Private key',
};
const ITEMS = {
  firefox: { storeItemId: 'Add-on id' },
  edge: { storeItemId: 'Product id', crxId: 'CRX id (optional)' },
  safari: { storeItemId: 'App id' },
} as const;

/** Brings the keys of the other stores, and says which item the extension is at each. */
async function connect(page: Page, testStores: readonly TestStore[]): Promise<void> {
  const settings = new Settings(page);
  const pages = new ExtensionPages(page);
  const rail = page.getByRole('navigation', { name: 'Console' });
  await rail.getByRole('link', { name: 'Settings' }).click();
  await settings.open('Credentials');
  for (const [index, { title }] of OTHERS.entries()) {
    const values = Object.entries(testStores[index]?.credentials ?? {}).map(([field, value]) => [FIELDS[field], value]);
    await settings.addCredential(title, Object.fromEntries(values));
  }
  for (const [index, { id, name, title }] of OTHERS.entries()) {
    await rail.getByRole('link', { name: 'Tab Counter' }).click();
    await pages.openStore(name);
    await pages.settings.getByRole('checkbox', { name: 'Publish to this store' }).click();
    const ids: Readonly<Record<string, string>> = { ...testStores[index]?.settings };
    for (const [field, label] of Object.entries(ITEMS[id]))
      await pages.settings.getByLabel(label, { exact: true }).fill(ids[field] ?? '');
    await pages.select('Credential', new RegExp(`^${title} …`));
    if (id === 'safari') await pages.select('Encryption', 'None, or only what is exempt');
    await pages.save.click();
    await page.getByText(`Saved the settings of ${name}.`).first().waitFor();
  }
  await rail.getByRole('link', { name: 'Tab Counter' }).click();
}

/** Makes a plan, says which product buys it, and connects the processor that sells it. */
async function sell(page: Page): Promise<void> {
  await page.goto('/plans');
  const licenses = new Licenses(page);
  await page.getByRole('button', { name: 'Create a plan' }).click();
  await licenses.choose('Extension', 'Tab Counter');
  await licenses.dialog.getByLabel('Tier').fill('pro');
  await licenses.press('Create plan');
  await page.getByRole('button', { name: 'Edit products' }).click();
  await licenses.dialog.getByRole('textbox').fill('stripe plink_1');
  await licenses.press('Save');
  await licenses.says('Saved the products of pro.');
  await page.getByRole('button', { name: 'Connect' }).first().click();
  await licenses.dialog.getByLabel('Webhook secret').fill(SECRETS.stripe);
  await licenses.dialog.getByRole('checkbox', { name: /^Test mode/ }).click();
  await licenses.press('Check and save');
  await licenses.says('Saved the secret of Stripe.');
}

inChromium('an empty service', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());

  it('comes to a version that is live at four stores, a sale, and an install that counts', async () => {
    const { world } = desk;
    const account = await world.control.chromeAccount();
    const { itemId } = await world.control.chromeItem({ publisherId: account.publisherId, approveAfterSeconds: 0 });
    const page = await desk.visit();
    const start = new Start(page);
    await new SignIn(page).createOwner(OWNER);
    await start.register('Tab Counter');
    await start.giveChromeKey(account);
    await start.nameItem(itemId);
    await page.getByRole('link', { name: 'Push a version' }).waitFor();

    const guid = newGuid();
    const testStores = await Promise.all(OTHERS.map(({ id }) => testStoreAt(id, world.sandbox.url, guid)));
    await connect(page, testStores);
    for (const testStore of testStores) await testStore.deliver(VERSION);

    await page.getByRole('link', { name: 'Push a version' }).click();
    const pages = new ExtensionPages(page);
    const gecko = { id: guid, data_collection_permissions: { required: ['none'] } };
    await pages.package(VERSION, await packageOf(VERSION, { browser_specific_settings: { gecko } }));
    const sources = await zipOf({ 'src/background.ts': 'console.log(tabs.length);' });
    await pages.sources(sources);
    await page.getByLabel('What is new').fill('Counts faster.');
    await page.getByRole('button', { name: `Push ${VERSION}` }).click();
    await pages.title(VERSION).waitFor();
    const owner = await world.given.loggedIn(OWNER);
    const [{ id }] = (await world.api.as(owner).get('/extensions')).body.items;
    const [pushed] = (await world.api.as(owner).get(`/artifacts?extension=${id}`)).body.artifacts;
    expect(pushed.sourceSha256).toBe(createHash('sha256').update(sources).digest('hex'));
    await (await Studio.around(world, owner, id)).work();
    // It is as late for the browser again: the day may be another one.
    await page.clock.setFixedTime(world.clock.now());
    // The page follows by itself.
    for (const store of ['Chrome', 'Firefox', 'Edge', 'Safari'])
      await pages.way(store).getByText('live', { exact: true }).first().waitFor();

    await sell(page);
    const sale = { tag: 'first', email: 'buyer@example.com', at: secondOf(world.clock.now()) };
    for (const notification of oneOffSale('stripe', sale)) {
      const raw = JSON.stringify(notification);
      const signed = signedBy('stripe', SECRETS.stripe, raw, world.clock.now());
      const headers = { 'content-type': 'application/json', ...signed };
      const webhook = `/licensing/webhooks/payment/${owner.tenantId}`;
      expectStatus(await world.api.post(webhook, undefined, { raw, headers }), 200);
    }
    await page.getByText('last checkout.session.completed').waitFor();
    await page.getByRole('link', { name: 'Licenses', exact: true }).click();
    await new Licenses(page).row('buyer@example.com').getByText('pro').waitFor();

    await ping(world, { extensionId: id, version: VERSION });
    await page.getByRole('link', { name: 'Analytics' }).click();
    await new Analytics(page).card('New installs').getByText('1', { exact: true }).waitFor();
  });
});
