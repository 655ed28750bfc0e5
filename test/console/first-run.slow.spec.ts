import { afterAll, beforeAll, expect, it } from 'vitest';
import { SignIn } from './pages/sign-in.js';
import { Desk, inChromium } from './support/desk.js';

const OWNER = {
  team: 'Studio <b>Ann</b> & Co. "é漢"',
  email: 'ann@author.example',
  password: 'correct horse battery staple',
};

inChromium('a service that nobody uses yet', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());

  it('lets the first who comes create the owner, by keyboard alone, and names each fault at its field', async () => {
    const page = await desk.visit();
    const signIn = new SignIn(page);
    await signIn.heading('Create the owner').waitFor();
    await desk.look(page, 'first-run');
    await signIn.createOwner({ ...OWNER, password: 'short' });
    const password = page.getByLabel('Password');
    await password.and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByText('at least 10', { exact: false }).first().waitFor();
    await password.fill(OWNER.password);
    await password.press('Enter');
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    expect(await page.getByText(OWNER.team).first().textContent()).toBe(OWNER.team);
    // Home sends a team without extensions on to its checklist.
    await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor();
    await desk.look(page, 'first-page');

    const later = await desk.visit();
    await new SignIn(later).heading('Log in').waitFor();
  });
});
