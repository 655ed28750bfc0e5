import { afterAll, beforeAll, expect, it } from 'vitest';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import { reviewedAtAppStore } from '../listings/reviewed.js';
import type { Publishable } from '../support/given.js';
import { Licenses } from './pages/licenses.js';
import { Desk, inChromium } from './support/desk.js';

const HOSTILE = '<img src=x onerror=alert(1)>';

inChromium('the page of reviews', () => {
  let desk: Desk;
  let owner: Publishable;
  beforeAll(async () => {
    desk = await Desk.open();
    const createTime = '2026-01-30T10:00:00Z';
    owner = await desk.world.given.publishable({
      reviews: [
        { id: 'a', rating: 5, comment: `Nice ${HOSTILE} ${'word '.repeat(100)}`, author: 'x'.repeat(90), createTime },
        { id: 'b', rating: 1, comment: 'عربي: لا يعمل', author: 'أمل', createTime },
        { id: 'c', rating: 3, createTime },
      ],
    });
  });
  afterAll(() => desk.close());

  it('shows what users wrote, finds it, and keeps the filter in the address', async () => {
    await reviewedAtAppStore(desk.world, owner, {
      title: 'Stopped working',
      body: 'It counts no tabs.',
      nickname: 'Ann',
    });
    const page = await desk.visit({ as: owner, path: '/analytics' });
    const reviews = new Licenses(page);
    await page.getByRole('link', { name: 'What users wrote at the stores' }).click();
    await reviews.isHeaded('Reviews');
    const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
    await page.getByText('4 unread, 2 of them with two stars or fewer.').waitFor();
    await desk.look(page, 'reviews');
    const rows = page.getByRole('table', { name: 'Reviews' }).getByRole('row');
    expect(await rows.filter({ hasText: 'أمل' }).getByRole('link').getAttribute('href')).toContain(owner.itemId);
    await reviews.choose('Store', 'Chrome');
    await reviews.choose('Stars', 'Two stars or fewer');
    await rows.filter({ hasText: 'Stopped working' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?store=chrome&maxStars=2');
    await press('Mark as read');
    await reviews.says('Marked as read.');
    await press('Mark as unread');
    await page.reload();
    await rows.filter({ hasText: 'أمل' }).getByText('Unread').waitFor();
    await press('Mark all as read');
    await page.getByText('Everything is read.').waitFor();
  });

  it('answers at the App Store, changes the answer, and takes it back', async () => {
    const { extensionId, appId } = await reviewedAtAppStore(desk.world, owner, { body: 'No tabs' });
    const safari = new SafariControl(desk.world.sandbox.url);
    const answered = async () => (await safari.state(appId)).customerReviews[0]?.response?.body;
    const page = await desk.visit({ as: owner, path: `/reviews?extension=${extensionId}` });
    const reviews = new Licenses(page);
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await press('Answer…');
    await page.getByLabel('Answer', { exact: true }).last().fill('Version 1.4.1 mends this.');
    await desk.lookAtDialog(page, 'answer of a review');
    await reviews.press('Answer publicly');
    await page.getByText('Your answer, which the store shows soon').waitFor();
    await desk.look(page, 'an answered review');
    expect(await answered()).toBe('Version 1.4.1 mends this.');
    await press('Change the answer…');
    await reviews.press('Take the answer back');
    await page.getByRole('button', { name: 'Answer…' }).waitFor();
    expect(await answered()).toBeUndefined();
  });
});
