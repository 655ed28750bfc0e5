import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { pngOf } from '../licensing/buyer/logos.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { Settings } from './pages/settings.js';
import { Desk, inChromium } from './support/desk.js';

/** The colour behind an element, as the browser shows it. */
const colourOf = (element: Locator): Promise<unknown> =>
  element.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).backgroundColor);

const NAME = '<img src=x onerror=alert(1)> é漢 مرحبا 🦉';
const LOGO = pngOf(120, 40);

inChromium('the branding', () => {
  let desk: Desk;
  let owner: Tenant;
  let page: Page;
  let settings: Settings;
  beforeAll(async () => {
    desk = await Desk.open();
    owner = await desk.world.given.tenant();
  });
  afterAll(() => desk.close());

  const visit = async (as: Tenant = owner): Promise<void> => {
    page = await desk.visit({ as, path: '/settings/branding' });
    settings = new Settings(page);
    await settings.heading('Branding').waitFor();
  };
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const fill = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [label, value] of Object.entries(fields)) await field(label).fill(value);
  };
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    page.getByLabel('Logo', { exact: true }).setInputFiles({ name, mimeType, buffer });
  const stored = async () => expectStatus(await desk.world.api.as(owner).get('/branding'), 200).body;
  const change = async (body: object): Promise<void> => {
    desk.world.clock.forward(1000);
    expectStatus(await desk.world.api.as(owner).patch('/branding', body), 200);
  };
  const saved = async (): Promise<void> => {
    await page.getByText('Saved. Buyers see it from now on.').first().waitFor();
    // The words of an earlier change may still stand there.
    await settings.button('Discard changes').waitFor({ state: 'detached' });
  };

  it('is what buyers see: shown before it is saved, by keyboard, with the colour that can be read', async () => {
    await visit();
    await page.getByText('There is no logo.').waitFor();
    expect(await settings.button('Save').isDisabled()).toBe(true);
    await desk.look(page, 'settings-branding-empty');
    await fill({ Name: NAME, 'Support address': 'https://owl.example/help', 'Accent colour': 'FFE600' });
    await choose('owl.png', 'image/png', LOGO);
    await page.getByRole('img', { name: 'The logo' }).waitFor();
    const pane = page.getByRole('figure', { name: 'Buyers’ page, light' });
    await pane.getByText(NAME, { exact: true }).first().waitFor();
    await page.waitForFunction(
      '[...document.querySelectorAll("figure canvas")].length === 2 && [...document.querySelectorAll("canvas")].every((one) => one.width === 120)',
    );
    const shown = await colourOf(pane.getByText('Send me a link'));
    expect(shown).toMatch(/^color\(xyz-d65 \S+ 0\.16 \S+\)$/);
    await desk.look(page, 'settings-branding-draft');
    expect(await stored()).toMatchObject({ displayName: null, logo: null });
    await field('Name').focus();
    await page.keyboard.press('Enter');
    await saved();
    expect(await stored()).toMatchObject({
      displayName: NAME,
      supportAddress: 'https://owl.example/help',
      accentColor: '#ffe600',
      logo: { type: 'image/png' },
    });
    await page.locator('figure img').first().waitFor();
    expect(await settings.button('Save').isDisabled()).toBe(true);
    const address = (await page.getByLabel('address', { exact: true }).textContent()) ?? '';
    const buyer = await desk.visit({ path: new URL(address).pathname + new URL(address).search });
    await buyer.getByRole('banner').getByText(NAME).waitFor();
    expect(await colourOf(buyer.getByRole('button'))).toBe(shown);
  });

  it('says at its field what cannot be shown, and changes nothing', async () => {
    await visit();
    const before = await stored();
    await choose('large.png', 'image/png', Buffer.alloc(70 * 1024));
    await page.getByText('This file is 70 kB.').waitFor();
    await choose('page.png', 'image/png', Buffer.from('<script>alert(1)</script>'));
    await page.getByText('The browser cannot read this file as a picture.').waitFor();
    await choose('wide.png', 'image/png', pngOf(2000, 10));
    await page.getByRole('img', { name: 'The logo' }).waitFor();
    await fill({ Name: '\u202egnp.lwo', 'Support address': 'javascript:alert(1)', 'Accent colour': 'red' });
    await settings.button('Save').click();
    for (const why of [
      'must be one line of visible text, without marks that change its direction.',
      'must be an e-mail address or an https URL without a user name.',
      'must be a colour of the form #0b5fcc.',
      'must be at most 1024 pixels wide and high; this one has 2000 × 10.',
    ])
      await page.getByText(why).waitFor();
    await desk.look(page, 'settings-branding-refused');
    await settings.button('Discard changes').click();
    expect(await field('Name').inputValue()).toBe(NAME);
    expect(await stored()).toEqual(before);
  });

  it('that somebody else changed meanwhile is shown before anything is written over it', async () => {
    await visit();
    await fill({ Name: 'Mine' });
    await change({ displayName: 'Theirs', accentColor: '#0b5fcc' });
    await settings.button('Save').click();
    const alert = page.getByRole('alert').filter({ hasText: 'Nothing was saved' });
    await alert.getByText('Name: now Theirs; yours: Mine').waitFor();
    await alert.getByText('Accent colour: now #0b5fcc').waitFor();
    await desk.look(page, 'settings-branding-conflict');
    expect(await stored()).toMatchObject({ displayName: 'Theirs' });
    await settings.button('Keep theirs').click();
    await alert.waitFor({ state: 'detached' });
    expect(await field('Name').inputValue()).toBe('Theirs');

    await fill({ Name: 'Mine again' });
    await change({ supportAddress: null });
    await settings.button('Save').click();
    await alert.getByText('Support address: now nothing').waitFor();
    await settings.button('Save mine').click();
    await saved();
    expect(await stored()).toMatchObject({ displayName: 'Mine again', supportAddress: null, accentColor: '#0b5fcc' });

    const other = await desk.visit({ as: owner, path: '/settings/branding' });
    await other.getByRole('button', { name: 'Remove logo' }).click();
    await page.getByLabel('Accent colour', { exact: true }).fill('');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('There is no logo.').waitFor();
    await other.getByText('Saved. Buyers see it from now on.').first().waitFor();
    await settings.button('Save').click();
    await alert.getByText('Logo: now nothing').waitFor();
    await settings.button('Save mine').click();
    await saved();
    expect(await stored()).toMatchObject({ accentColor: null, logo: null });
  });

  it('is not left unsaved without a question', async () => {
    await visit();
    await fill({ Name: 'Not saved' });
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Members' }).click();
    await settings.dialog('Leave without saving?').getByRole('button', { name: 'Stay' }).click();
    expect(await field('Name').inputValue()).toBe('Not saved');
    await settings.button('Discard changes').click();
    await settings.open('Members');
  });

  it('is read by those who may not write it', async () => {
    await change({ displayName: 'Night Owl Labs', accentColor: '#0b5fcc', logo: LOGO.toString('base64') });
    await visit(await desk.world.given.member(owner, 'viewer'));
    await page.getByText('Your role may see this, and not change it.').waitFor();
    for (const label of ['Name', 'Support address', 'Accent colour', 'Choose the accent colour'])
      expect(await field(label).isDisabled()).toBe(true);
    for (const name of ['Save', 'Remove logo']) expect(await settings.button(name).count()).toBe(0);
    expect(await page.locator('input[type=file]').count()).toBe(0);
    await desk.look(page, 'settings-branding-viewer');
  });
});
