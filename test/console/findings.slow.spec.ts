import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { expectStatus } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { Author } from '../reconcile/author.js';
import { ExtensionPages } from './pages/extension.js';
import { FindingsPages } from './pages/findings.js';
import { Home } from './pages/home.js';
import { Desk, inChromium } from './support/desk.js';
import { Keyboard } from './support/keyboard.js';

const REFUSED = 'The manifest has the key "update_url". Remove it.';
const TOO_LONG = 'The description has 133 characters';
const CHANGES = { update_url: 'https://example.com/updates.xml', description: 'd'.repeat(133) };

inChromium('what stores do not accept in a package', () => {
  let desk: Desk;
  let author: Author;
  const at = (rest: string): string => `/extensions/${author.mine.extensionId}${rest}`;
  const open = async (path: string, as: { readonly cookie: string } = author.mine) => {
    const page: Page = await desk.visit({ as, path });
    return { page, pages: new ExtensionPages(page), findings: new FindingsPages(page) };
  };

  beforeAll(async () => {
    desk = await Desk.open();
    author = await Author.in(desk.world, { published: '1.0.0' });
  });
  afterAll(() => desk.close());

  it('is shown before a push and after it, with the way to the page of the version', async () => {
    const { page, pages, findings } = await open(at('/push'));
    await pages.package('1.1.0', await packageOf('1.1.0', CHANGES));
    await findings.heading.waitFor();
    const refused = findings.one('Chrome', REFUSED);
    await refused.getByText('Refused', { exact: true }).waitFor();
    await refused.getByText('manifest.json').waitFor();
    expect(await refused.getByRole('link', { name: 'Source' }).getAttribute('href')).toMatch(/^https:/);
    expect(await findings.send(refused).count()).toBe(0);
    await page.getByText('Held for Chrome: push a mended package', { exact: false }).waitFor();
    await desk.look(page, 'findings-check');

    await page.getByRole('button', { name: 'Push 1.1.0 anyway' }).click();
    await findings.pushed.getByRole('heading', { name: 'Pushed 1.1.0' }).and(page.locator(':focus')).waitFor();
    await findings.one('Chrome', TOO_LONG).waitFor();
    await desk.look(page, 'findings-pushed');
    await findings.pushed.getByRole('link', { name: 'Open 1.1.0' }).click();
    await pages.title('1.1.0').waitFor();
    await findings.heading.and(page.locator(':focus')).waitFor();
  });

  it('is where the home page leads to while it holds a version', async () => {
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
    const { page, findings } = await open('/');
    const { needs } = new Home(page);
    await needs.getByText('Chrome Web Store would refuse', { exact: false }).waitFor();
    await needs.getByRole('link', { name: 'See why' }).click();
    await findings.heading.and(page.locator(':focus')).waitFor();
    await findings.one('Chrome', REFUSED).waitFor();
  });

  it('offers nothing to those who may not push', async () => {
    const viewer = await desk.world.given.member(author.mine, 'viewer');
    const { findings } = await open(at('/versions/1.1.0'), viewer);
    await findings.one('Chrome', REFUSED).waitFor();
    expect(await findings.send(findings.of('Chrome')).count()).toBe(0);
  });

  it('is overridden by keyboard alone, behind what will happen, until the store takes the version', async () => {
    const { page, findings } = await open(at('/versions/1.1.0'));
    const keys = new Keyboard(page);
    const first = findings.one('Chrome', REFUSED);
    await keys.press(findings.send(first));
    await findings.dialog.getByText('1.1.0 is sent to Chrome although', { exact: false }).waitFor();
    await findings.dialog.getByText(REFUSED).waitFor();
    await findings.dialog.getByText('A refused upload may use up the number 1.1.0', { exact: false }).waitFor();
    await desk.look(page, 'findings-version');
    await desk.lookAtDialog(page, 'findings-override');
    await page.keyboard.press('Escape');
    await findings.dialog.waitFor({ state: 'detached' });
    await keys.at(findings.send(first));
    const second = findings.one('Chrome', TOO_LONG);
    for (const finding of [first, second]) {
      await keys.press(findings.send(finding));
      await keys.press(findings.dialog.getByRole('button', { name: 'Send it all the same' }));
      await finding.getByText(`Overridden by ${author.mine.email}`, { exact: false }).waitFor();
    }
    expect(await findings.send(findings.of('Chrome')).count()).toBe(0);
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    await first.getByText('Accepted by the store,', { exact: false }).waitFor();
    await desk.look(page, 'findings-accepted');
  });

  it('is sent without a question where the target says so', async () => {
    const { page, pages, findings } = await open(at(`/targets/${author.mine.targetId}`));
    await pages.select('What the store would refuse', 'Send it all the same');
    await pages.save.click();
    await page.getByText('Saved the settings of Chrome.').first().waitFor();
    expect(await author.target()).toMatchObject({ preflight: 'off' });
    await desk.look(page, 'findings-setting');
    const api = desk.world.api.as(author.mine);
    const zip = new Uint8Array(await packageOf('1.2.0', { default_locale: 'xx', ...CHANGES }));
    expectStatus(await api.push({ extension: author.mine.extensionId, version: '1.2.0' }, zip), 201);
    await page.goto(at('/versions/1.2.0'));
    await findings.of('Chrome').first().waitFor();
    expect(await findings.send(findings.of('Chrome')).count()).toBe(0);
  });
});
