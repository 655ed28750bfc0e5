import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { Author } from '../reconcile/author.js';
import { DataSource } from '../support/app.js';
import { HOUR } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { Home } from './pages/home.js';
import { Desk, inChromium } from './support/desk.js';
import { Keyboard } from './support/keyboard.js';

inChromium('a rollout in the console', () => {
  let desk: Desk;
  let author: Author;
  beforeAll(async () => {
    desk = await Desk.open();
    author = await Author.in(desk.world, { weeklyUsers: 50_000 });
    const { extensionId, targetId } = author.mine;
    const api = desk.world.api.as(author.mine);
    expectStatus(await api.patch(`/extensions/${extensionId}`, { name: 'Tab Counter' }), 200);
    for (const version of ['2.1.0', '2.2.0']) {
      await author.push(version);
      if (version === '2.2.0') await author.set({ rolloutPercent: 10 });
      await author.reconcile();
      await author.act('approve');
      await author.reconcile();
    }
    await desk.world.app
      .get(DataSource)
      .query("insert into store_figure values ($1, '2026-01-02', 'users', '', '', 48000)", [targetId]);
    await desk.world.forward(2 * HOUR);
  });
  afterAll(() => desk.close());

  const asked = async (): Promise<number | null> => (await author.target()).rolloutPercent;
  const step = (page: Page, share: string) =>
    page.getByRole('button', { name: new RegExp(`^${share}: offer .*2\\.2\\.0 at Chrome`) });
  const dialog = (page: Page) => page.getByRole('dialog');

  it('is shown on the home page, and widened there in two clicks', async () => {
    const page = await desk.visit({ as: author.mine });
    const row = new Home(page).row('Tab Counter');
    await row.getByRole('img', { name: 'Offered to 10% of users' }).waitFor();
    await row.getByText('10% of 48,000 users · 2 hr').waitFor();
    await desk.look(page, 'rollout-home');
    await page.evaluate('clicks = 0; addEventListener("click", () => (clicks += 1), true)');
    await step(page, '25%').click();
    await dialog(page)
      .getByText('Chrome offers Tab Counter 2.2.0 to 25% of 48,000 users, about 12,000, instead of 10%.')
      .waitFor();
    await desk.lookAtDialog(page, 'rollout-widen');
    await dialog(page).getByRole('button', { name: 'Offer to 25% of users' }).click();
    await row.getByText('10% → 25% of 48,000 users · 2 hr').waitFor();
    expect(await page.evaluate('clicks')).toBe(2);
    expect(await asked()).toBe(25);
    await desk.look(page, 'rollout-asked');
    await author.reconcile();
    await row.getByText('25% of 48,000 users · just now').waitFor();
  });

  it('is shown with all that can be done on the page of the extension, by keyboard alone', async () => {
    const page = await desk.visit({ as: author.mine, path: `/extensions/${author.mine.extensionId}` });
    const keys = new Keyboard(page);
    await page.getByText('25% of 48,000 users · just now · 2.2.0').waitFor();
    await desk.look(page, 'rollout-extension');
    const other = page.getByRole('button', { name: 'Other…' });
    await keys.press(other);
    const percent = dialog(page).getByLabel('Percent of users');
    await keys.type(percent, '25');
    await dialog(page).getByText('must be a whole number from 26 to 100.', { exact: false }).waitFor();
    await keys.type(percent, '30');
    await desk.lookAtDialog(page, 'rollout-other');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByText('25% → 30% of 48,000 users').waitFor();
    expect(await asked()).toBe(30);
    await author.reconcile();
    await page.getByText('30% of 48,000 users · just now · 2.2.0').waitFor();
    await keys.at(other);
  });

  it('is halted and resumed on the page of its target, and led back to the version before', async () => {
    const { extensionId, targetId } = author.mine;
    const page = await desk.visit({ as: author.mine, path: `/extensions/${extensionId}/targets/${targetId}` });
    await step(page, '50%').waitFor();
    await desk.look(page, 'rollout-target');
    await page.getByRole('button', { name: 'Halt' }).click();
    await dialog(page).getByRole('button', { name: 'Pause' }).click();
    await page.getByText('While it is paused, Pierhead raises no share.').waitFor();
    expect(await step(page, '50%').count()).toBe(0);
    await desk.look(page, 'rollout-halted');
    await page.getByRole('button', { name: 'Resume' }).click();
    await dialog(page).getByRole('button', { name: 'Resume' }).click();
    await step(page, '50%').waitFor();
    await page.getByRole('button', { name: 'Roll back', exact: true }).click();
    expect(await dialog(page).getByLabel('Version to bring back').inputValue()).toBe('2.1.0');
  });

  it('is only shown to those who may only look, and gone once all users have the version', async () => {
    const viewer = await desk.world.given.member(author.mine, 'viewer');
    const page = await desk.visit({ as: viewer });
    const row = new Home(page).row('Tab Counter');
    await row.getByText('30% of 48,000 users').waitFor();
    expect(await row.getByRole('button', { name: /%|Other|Halt|Roll back/ }).count()).toBe(0);
    await page.goto(`/extensions/${author.mine.extensionId}`);
    await page.getByText('30% of 48,000 users').waitFor();
    expect(await page.getByRole('button', { name: /Other|Halt|Roll back/ }).count()).toBe(0);
    const publisher = await desk.visit({ as: author.mine });
    await step(publisher, '100%').click();
    await dialog(publisher).getByText('Later versions go to everyone at once.').waitFor();
    await dialog(publisher).getByRole('button', { name: 'Offer to all users' }).click();
    await dialog(publisher).waitFor({ state: 'detached' });
    expect(await asked()).toBeNull();
    await author.reconcile();
    await new Home(publisher)
      .row('Tab Counter')
      .getByRole('link', { name: /Chrome: 2\.2\.0 live$/ })
      .waitFor();
  });
});
