import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus } from '../support/given.js';
import { manifestOf, packageOf, zipOf } from '../support/packages.js';
import { Author, refusedUpload } from '../reconcile/author.js';
import { Home } from './pages/home.js';
import { RejectionPages } from './pages/rejection.js';
import { Desk, inChromium } from './support/desk.js';
import { Keyboard } from './support/keyboard.js';

const MAIL = 'Violation reference: Purple Potassium.\nThe permission "tabs" is not used.';

inChromium('a version that its store rejected', () => {
  let desk: Desk;
  let author: Author;
  const at = ({ mine }: Author, rest: string): string => `/extensions/${mine.extensionId}${rest}`;
  const open = async (path: string, as: { readonly cookie: string } = author.mine) => {
    const page = await desk.visit({ as, path });
    return { page, sheet: new RejectionPages(page), keys: new Keyboard(page) };
  };
  const push = async ({ mine }: Author, version: string, zip: Buffer): Promise<void> => {
    const { extensionId } = mine;
    expectStatus(await desk.world.api.as(mine).push({ extension: extensionId, version }, new Uint8Array(zip)), 201);
  };
  const reject = async (one: Author): Promise<void> => {
    await one.reconcile();
    await one.act('reject');
    expect(await one.reconcile()).toMatchObject({ phase: 'rejected' });
  };

  beforeAll(async () => {
    desk = await Desk.open();
    author = await Author.in(desk.world, { published: '1.0.0' });
    const manifestIn = (version: string, changes = {}) => JSON.stringify(manifestOf(version, changes));
    const background = { 'background.js': '//' };
    const first = { 'manifest.json': manifestIn('1.0.0'), 'popup.html': '<p>', ...background };
    await push(author, '1.0.0', await zipOf(first));
    await author.reconcile();
    const changed = { permissions: ['storage', 'tabs'], host_permissions: ['https://example.com/*'] };
    const next = { 'manifest.json': manifestIn('1.1.0', changed), 'content.js': 'x'.repeat(40_000), ...background };
    await push(author, '1.1.0', await zipOf(next));
    await reject(author);
  });
  afterAll(() => desk.close());

  it('is where the home page leads to, and has what changed since the one that is live', async () => {
    const { page, sheet } = await open('/');
    await new Home(page).needs.getByRole('link', { name: 'See why' }).click();
    await sheet.heading.and(page.locator(':focus')).waitFor();
    await page.getByRole('heading', { name: 'What changed since 1.0.0, which is live' }).waitFor();
    expect(await sheet.changes('Permissions').getByRole('listitem').allTextContents()).toEqual(['+ added: tabs ']);
    await sheet.changes('Sites').getByText('https://example.com/*').waitFor();
    expect(await sheet.changes('Chrome asks users').getByRole('listitem').allTextContents()).toEqual([
      'Read your browsing history',
      'Access to "https://example.com/*"',
    ]);
    await sheet.changes('Manifest').getByText('"1.0.0" → "1.1.0"').waitFor();
    expect(await sheet.changes('Files').getByRole('listitem').allTextContents()).toEqual([
      '+ added: content.js 40 kB',
      expect.stringMatching(/^~ changed: manifest\.json \d+ bytes → \d+ bytes$/),
      '− removed: popup.html 3 bytes',
    ]);
    const link = page.getByRole('link', { name: 'Open it in the dashboard of Chrome' });
    expect(await link.getAttribute('href')).toBe((await author.target()).dashboard);
    await desk.look(page, 'rejection-empty');
  });

  it('keeps what its mail says, by keyboard alone, for a colleague to copy and to correct', async () => {
    const { page, sheet, keys } = await open(at(author, '/versions/1.1.0'));
    await sheet.reason.fill('x'.repeat(4001));
    await keys.press(sheet.save);
    await page.getByText('must be text of 1 to 4000 characters.').waitFor();
    await desk.look(page, 'rejection-fault');
    await sheet.reason.fill(MAIL);
    await keys.press(sheet.save);
    await sheet.recorded.getByText('Purple Potassium', { exact: false }).waitFor();
    await page.getByText(`Recorded by ${author.mine.email}`, { exact: false }).waitFor();
    await desk.look(page, 'rejection-recorded');

    const colleague = await desk.world.given.member(author.mine, 'publisher');
    const other = await open(at(author, '/versions/1.1.0'), colleague);
    await keys.press(sheet.button('Copy'));
    await page.getByText('Copied the reason.').first().waitFor();
    await other.keys.press(other.sheet.edit);
    expect(await other.sheet.reason.inputValue()).toBe(MAIL);
    await other.sheet.reason.fill('It tracks users.');
    await other.keys.press(other.sheet.save);
    await other.sheet.recorded.getByText('It tracks users.').waitFor();
    await other.page.getByText(`Recorded by ${colleague.email}`, { exact: false }).waitFor();
    await other.page.goto(at(author, '/timeline'));
    await other.page.getByText('Chrome Web Store rejected version 1.1.0: It tracks users.').waitFor();
  });

  it('offers nothing to those who may only read', async () => {
    const { sheet } = await open(at(author, '/versions/1.1.0'), await desk.world.given.member(author.mine, 'viewer'));
    await sheet.recorded.getByText('It tracks users.').waitFor();
    for (const name of ['Edit', 'Submit it again', 'Take it back']) expect(await sheet.button(name).count()).toBe(0);
  });

  it('is submitted again or taken back, behind what will happen', async () => {
    const { page, sheet, keys } = await open(at(author, '/versions/1.1.0'));
    await keys.press(sheet.button('Submit it again'));
    await sheet.dialog.getByText('Pierhead submits 1.1.0 to Chrome again, unchanged.', { exact: false }).waitFor();
    await desk.lookAtDialog(page, 'rejection-resubmit');
    await page.keyboard.press('Escape');
    await sheet.dialog.waitFor({ state: 'detached' });
    await keys.press(sheet.button('Take it back'));
    await sheet.dialog.getByText('1.0.0, which is live, is pinned again', { exact: false }).waitFor();
    await desk.lookAtDialog(page, 'rejection-take-back');
    await keys.press(sheet.dialog.getByRole('button', { name: 'Stay at 1.0.0' }));
    await page.getByText('Another version is pinned for Chrome by now.').waitFor();
    expect(await author.reconcile()).toMatchObject({ phase: 'live' });
    expect((await author.counters()).submissions).toBe(1);
  });

  it('has nothing to compare with where it is the first', async () => {
    const newcomer = await Author.in(desk.world);
    await newcomer.push('1.0.0');
    await reject(newcomer);
    const { page, sheet } = await open(at(newcomer, '/versions/1.0.0'), newcomer.mine);
    await page.getByText('there is nothing to compare with.', { exact: false }).waitFor();
    await sheet.button('Submit it again').waitFor();
    expect(await sheet.button('Take it back').count()).toBe(0);
    await desk.look(page, 'rejection-first');
  });

  it('keeps its number for a mended package where the upload was refused', async () => {
    const refused = await Author.in(desk.world, { published: '1.0.0' });
    await refused.fault('upload', refusedUpload());
    await refused.push('1.1.0');
    expect(await refused.reconcile()).toMatchObject({ phase: 'rejected' });
    const { page } = await open(at(refused, '/versions/1.1.0'), refused.mine);
    await page.getByText('A mended package may keep the number 1.1.0.').waitFor();
    await desk.look(page, 'rejection-upload');
    await page.getByRole('link', { name: 'Push a mended package' }).click();
    await page.getByRole('heading', { name: 'Push a version' }).waitFor();
  });

  it('is found under its name too, where the manifest has one', async () => {
    const named = await Author.in(desk.world, { published: '0.9.0' });
    await push(named, '1.0', await packageOf('1.0.0.7', { version_name: '1.0' }));
    await reject(named);
    for (const version of ['1.0', '1.0.0.7']) {
      const { page, sheet } = await open(at(named, `/versions/${version}`), named.mine);
      await sheet.heading.waitFor();
      expect(await page.getByText('Not on its way yet').count()).toBe(0);
      await page.getByRole('heading', { name: 'Package' }).waitFor();
    }
  });

  it('was never sent where findings hold it, and its page says so', async () => {
    const held = await Author.in(desk.world, { published: '1.0.0' });
    await push(held, '1.1.0', await packageOf('1.1.0', { update_url: 'https://example.com/updates.xml' }));
    expect(await held.reconcile()).toMatchObject({ phase: 'action_required' });
    const { page } = await open(at(held, '/versions/1.1.0'), held.mine);
    await page.getByRole('heading', { name: 'Held by findings' }).waitFor();
    await page.getByText('Chrome would refuse it, so Pierhead holds it.', { exact: false }).waitFor();
    await desk.look(page, 'rejection-held');
  });
});
