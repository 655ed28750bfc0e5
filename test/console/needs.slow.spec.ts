import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource } from '../support/app.js';
import { Home } from './pages/home.js';
import { Desk, inChromium } from './support/desk.js';
import type { Publishable } from '../support/given.js';

inChromium('what needs somebody', () => {
  let desk: Desk;
  let author: Publishable;
  beforeAll(async () => {
    desk = await Desk.open();
    author = await desk.world.given.publishable({ published: '1.0.0' });
    await desk.world.given.pinned(author, '1.1.0');
    await desk.world.tick();
    await desk.world.control.act(author.itemId, 'reject');
    await desk.world.forward(12 * 60_000);
    await desk.world.tick();
  });
  afterAll(() => desk.close());

  it('is snoozed in two clicks, and shown again in two', async () => {
    const page = await desk.visit({ as: author });
    const home = new Home(page);
    await home.needs.getByText('rejected', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: /^Snooze or assign/ }).click();
    await page.getByRole('menuitem', { name: 'Snooze until tomorrow' }).click();
    await page
      .getByRole('status')
      .getByText(/^Snoozed for everybody until/)
      .waitFor();
    await page.getByText('1 snoozed').click();
    expect(await home.needs.count()).toBe(0);
    // A name in a sentence does not turn its words around.
    await page
      .getByText(/^Until .+, by/)
      .locator('bdi', { hasText: author.email })
      .waitFor();
    await desk.look(page, 'home-snoozed');
    await page.getByRole('button', { name: 'Show again' }).click();
    await home.needs.getByText('rejected', { exact: false }).first().waitFor();
  });

  it('is snoozed until a day of one’s own, and assigned, by keyboard alone', async () => {
    const ben = await desk.world.given.member(author, 'publisher');
    const page = await desk.visit({ as: author });
    const more = page.getByRole('button', { name: /^Snooze or assign/ });
    const choose = async (name: string): Promise<void> => {
      await more.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name }).focus();
      await page.keyboard.press('Enter');
    };
    await choose('Assign to…');
    await desk.lookAtDialog(page, 'home-assign');
    await page.getByRole('combobox', { name: 'Member' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: ben.email }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(`Assigned to ${ben.email}.`).first().waitFor();
    await desk.look(page, 'home-assigned');
    const bens = await desk.visit({ as: ben });
    await bens.getByText(`Assigned to ${ben.email}.`).first().waitFor();

    await choose('Snooze until…');
    await desk.lookAtDialog(page, 'home-snooze');
    const inTenDays = new Date(desk.world.clock.now().getTime() + 10 * 86_400_000).toISOString().slice(0, 10);
    await page.getByRole('textbox', { name: 'Until nine in the morning of' }).fill(inTenDays);
    await page.keyboard.press('Enter');
    await page.getByText('1 snoozed').waitFor();
    await bens.getByText('1 snoozed').waitFor();
  });

  it('is mailed about to nobody who switched that off in their account', async () => {
    const ben = await desk.world.given.member(author, 'publisher');
    const page = await desk.visit({ as: ben, path: '/settings/account' });
    await page.getByRole('checkbox', { name: 'What is assigned to me', disabled: false }).click();
    await page.getByText('You are no longer mailed about assignments.').first().waitFor();
    await desk.settled(page);
    await desk.look(page, 'account-mails');
    const { items } = (await desk.world.api.as(ben).get('/members')).body;
    expect(items).toContainEqual(expect.objectContaining({ userId: ben.userId, assignmentMails: false }));
  });

  it('is left to others by who may not answer it', async () => {
    const viewer = await desk.world.given.member(author, 'viewer');
    const page = await desk.visit({ as: viewer });
    await page.getByText('1 snoozed').click();
    await page.getByRole('listitem').getByText('rejected', { exact: false }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Show again' }).count()).toBe(0);
  });

  it('is assigned to any of many members', async () => {
    await desk.world.app.get(DataSource).query(
      `with made as (
         insert into tenant_user (id, created_at, updated_at, email, is_operator)
         select gen_random_uuid(), now(), now(), 'member-' || n || '@author.example', false from generate_series(1, 120) n
         returning id
       )
       insert into membership (id, created_at, updated_at, tenant_id, user_id, role)
       select gen_random_uuid(), now(), now(), $1, id, 'viewer' from made`,
      [author.tenantId],
    );
    const page = await desk.visit({ as: author });
    await page.getByText('1 snoozed').click();
    await page.getByRole('button', { name: 'Show again' }).click();
    await page.getByRole('button', { name: /^Snooze or assign/ }).click();
    await page.getByRole('menuitem', { name: 'Assign to…' }).click();
    await page.getByRole('combobox', { name: 'Member' }).click();
    await page.getByRole('option').nth(121).waitFor();
  });

  it('has a mark as wide on a phone as at a desk', async () => {
    const page = await desk.visit({ as: author });
    const mark = new Home(page).needs.locator('svg').first().locator('..');
    const sizes = [];
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const { width: wide, height } = (await mark.boundingBox()) ?? { width: 0, height: 0 };
      sizes.push([wide, height]);
    }
    expect(sizes).toEqual([
      [20, 20],
      [20, 20],
    ]);
  });

  it('is snoozed in a calendar whose today is the day where the reader is', async () => {
    const now = desk.world.clock.now();
    const hours = now.getUTCHours() < 12 ? -12 : 14;
    // The names of these zones have the sign of POSIX, west of Greenwich.
    const timezoneId = `Etc/GMT${hours < 0 ? '+' : '-'}${Math.abs(hours)}`;
    const page = await desk.visit({ as: author, timezoneId });
    await page.getByRole('button', { name: /^Snooze or assign/ }).click();
    await page.getByRole('menuitem', { name: 'Snooze until…' }).click();
    await page.getByRole('button', { name: 'Calendar' }).click();
    const there = new Date(now.getTime() + hours * 3_600_000);
    await page.locator(`td [aria-current=date]`, { hasText: new RegExp(`^${there.getUTCDate()}$`) }).waitFor();
  });

  it('says in the account that the members could not be read', async () => {
    const page = await desk.visit({ as: author, path: '/settings/account' });
    await page.getByRole('checkbox', { name: 'What is assigned to me', disabled: false }).waitFor();
    await page.route('**/api/v1/members?*', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').first().waitFor();
  });
});
