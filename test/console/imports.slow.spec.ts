import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { ImportWorker } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { Licenses } from './pages/licenses.js';
import { Desk, inChromium } from './support/desk.js';

const GUMROAD = 'test/licensing/imports/files/gumroad-sales.csv';
const KEPT = '38b1460a51044067a91d77b872934d51';
/** Columns that no tool is known by, and a line that cannot be a license. */
const OWN = [
  'Mail;Serial;Reference;Kind;State;Remark',
  `ann@example.com;${KEPT};;gold;frozen;=cmd`,
  'ben@example.com;;A-2;gold;;<b>bold</b>',
  'cid@example.com;;;gold;;',
].join('\n');

inChromium('an import', () => {
  let desk: Desk;
  let owner: Tenant;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());
  beforeEach(async () => {
    owner = await desk.world.given.tenant();
    const extensionId = await desk.world.given.extension(owner, 'Tab Counter');
    for (const tier of ['pro', 'team']) expectStatus(await api().post('/plans', { extensionId, tier }), 201);
  });

  const api = () => desk.world.api.as(owner);
  const work = (): Promise<void> => desk.world.app.get(ImportWorker).tick();
  const licenses = async (): Promise<readonly string[]> =>
    expectStatus(await api().get('/licenses'), 200).body.items.map(
      ({ buyerEmail, tier, status }: Record<string, string>) => `${buyerEmail} ${tier} ${status}`,
    );
  const choose = (page: Page, label: string, option: string): Promise<void> => new Licenses(page).choose(label, option);
  const figure = (page: Page, name: string, count: number): Promise<void> =>
    page.locator('dl > div').filter({ hasText: name }).getByText(String(count), { exact: true }).waitFor();
  const saved = async (page: Page, button: string): Promise<string> => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    return readFile(await (await download).path(), 'utf8');
  };

  it('of the export of a tool is checked, told which product is not one, started, and followed', async () => {
    const page = await desk.visit({ as: owner, path: '/licenses' });
    await new Licenses(page).more('Import from another tool');
    await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor();
    await page.getByText('No file yet.').waitFor();
    await page.getByLabel('File', { exact: true }).setInputFiles(GUMROAD);
    await page.getByText('gumroad-sales.csv').waitFor();
    await desk.look(page, 'imports-empty');
    await page.getByRole('button', { name: 'Check the file' }).click();

    await page.getByRole('heading', { level: 1, name: 'Gumroad, 10 lines' }).waitFor();
    await page.getByText('0 of 10 lines').waitFor();
    await desk.look(page, 'import-checking');
    await work();
    // The page follows by itself, and again after a reload.
    await page.getByText('1 line cannot be imported.').waitFor();
    await page.reload();
    await figure(page, 'To import', 6);
    await page.getByText('no tier is said for "E-book, \\"signed\\""', { exact: false }).waitFor();
    expect(await saved(page, 'Save all as CSV')).toMatch(/^line,message\r\n8,/);
    await desk.look(page, 'import-ready');
    await choose(page, 'E-book, "signed", 1 line', 'leave these lines out');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('being checked').waitFor();
    await work();
    await figure(page, 'Left out', 3);
    await page.getByRole('button', { name: 'Import 6 licenses' }).click();
    await page.getByText('You can leave this page').waitFor();
    await page.getByRole('link', { name: 'Imports' }).click();
    await page.getByRole('cell', { name: 'running' }).waitFor();
    await work();
    await page.getByRole('cell', { name: 'done' }).waitFor();
    await desk.look(page, 'imports');
    await page.getByRole('link', { name: 'Gumroad, 10 lines' }).click();
    await page.getByText('Every line that is a new license was imported.').waitFor();
    await figure(page, 'Imported', 6);
    await desk.look(page, 'import-done');
    expect(await licenses()).toHaveLength(6);
  });

  it('of another file waits for what its columns hold, leaves out lines with a fault, and hands out new codes once', async () => {
    const page = await desk.visit({ as: owner, path: '/imports' });
    const file = { name: 'own.csv', mimeType: 'text/csv', buffer: Buffer.from(OWN) };
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('The file does not say what holds the tier or product.', { exact: false }).waitFor();
    await desk.look(page, 'import-unread');
    await choose(page, 'Kind', 'Tier or product');
    await choose(page, 'Reference', 'Order');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('being checked').waitFor();
    await work();
    await page.getByText('No line can become a license.').waitFor();
    await choose(page, 'gold, 3 lines', 'pro');
    await choose(page, 'frozen, 1 line', 'suspended');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('being checked').waitFor();
    await work();
    await page.getByText('1 line cannot be imported.').waitFor();
    await page.getByRole('row', { name: /^Line 4/ }).waitFor();
    await page.getByRole('button', { name: 'Import the other 2 licenses' }).click();
    await page.getByText('You can leave this page').waitFor();
    await work();
    await page.getByText('The lines without a fault were imported.', { exact: false }).waitFor();
    expect(await licenses()).toEqual(['ben@example.com pro active', 'ann@example.com pro suspended']);
    expect(await saved(page, 'Save the codes as CSV')).toMatch(/^email,code\r\nben@example\.com,.{29}\r\n$/);
    await desk.look(page, 'import-done-with-faults');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Its new codes can be saved no longer.', { exact: false }).waitFor();
    await desk.lookAtDialog(page, 'import-delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No file yet.').waitFor();
    expect(await licenses()).toHaveLength(2);
  });

  it('of what is no list of licenses says so, and one that is not wanted any more is stopped', async () => {
    const page = await desk.visit({ as: owner, path: '/imports' });
    const take = async (text: string): Promise<void> => {
      const file = { name: 'own.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
      await page.getByLabel('File', { exact: true }).setInputFiles(file);
      await page.getByRole('button', { name: 'Check the file' }).click();
    };
    await take('');
    await page.getByText('The file is empty.', { exact: false }).waitFor();
    await take('email,tier,order\nann@example.com,pro,1\n');
    await page.getByText('being checked').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('The import was stopped.', { exact: false }).first().waitFor();
    await work();
    expect(await licenses()).toEqual([]);
  });

  it('is shown to a viewer, who begins and changes none', async () => {
    const page = await desk.visit({ as: owner, path: '/imports' });
    await page.getByLabel('File', { exact: true }).setInputFiles(GUMROAD);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByText('being checked').waitFor();
    await work();
    const viewer = await desk.world.given.member(owner, 'viewer');
    const theirs = await desk.visit({ as: viewer, path: '/imports' });
    await theirs.getByRole('link', { name: 'Gumroad, 10 lines' }).click();
    await figure(theirs, 'To import', 6);
    expect(await theirs.getByRole('main').getByRole('button').allTextContents()).toEqual(['Save all as CSV']);
    expect(await theirs.locator('input[type=file]').count()).toBe(0);
  });
});
