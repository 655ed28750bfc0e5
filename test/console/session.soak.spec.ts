import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { generate } from 'otplib';
import { SECOND } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { SignIn } from './pages/sign-in.js';
import { Desk, inChromium } from './support/desk.js';

inChromium('a session', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk.close());

  const rail = (page: Awaited<ReturnType<Desk['visit']>>) => page.getByRole('navigation', { name: 'Console' });

  it('begins with a password, and ends for good at log-out', async () => {
    const owner = await desk.world.given.tenant();
    const page = await desk.visit();
    const signIn = new SignIn(page);
    await signIn.logIn({ email: owner.email, password: 'a wrong password' });
    await page.getByRole('alert').waitFor();
    await desk.look(page, 'sign-in-refused');
    await signIn.logIn(owner);
    await rail(page).waitFor();
    await page.getByRole('button', { name: `menu of ${owner.email}` }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.locator('html[data-scheme=dark]').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: `menu of ${owner.email}` }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await signIn.heading('Log in').waitFor();
    await page.goto('/start');
    await signIn.heading('Log in').waitFor();
  });

  it('that ends in the middle is asked for over the page, and what was under way goes on', async () => {
    const owner = await desk.world.given.tenant();
    const page = await desk.visit({ as: owner, path: '/start' });
    const name = page.getByLabel('Name of the extension');
    await name.fill('Typed before');
    await desk.world.api.as({ cookie: owner.cookie }).post('/auth/logout');
    await page.getByRole('button', { name: 'Register' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Log in again' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    await desk.look(page, 'session-ended');
    expect(await name.inputValue()).toBe('Typed before');
    await new SignIn(page).logIn({ password: owner.password });
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Registered as Typed before').waitFor();
  });

  it('shows that the service is away, and goes on when it is back', async () => {
    const owner = await desk.world.given.tenant();
    const page = await desk.visit({ as: owner, path: '/start' });
    await page.getByLabel('Name of the extension').fill('While it was away');
    desk.line.cut();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('alert').filter({ hasText: 'No connection' }).waitFor();
    desk.line.mend();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Registered as While it was away').waitFor();
  });

  it('asks for the code of a second factor only when the service wants one', async () => {
    const owner = await desk.world.given.tenant();
    const api = desk.world.api.as({ cookie: owner.cookie });
    const { secret } = expectStatus(await api.post('/auth/second-factor', { password: owner.password }), 201).body;
    const epoch = Math.floor(desk.world.clock.now().getTime() / SECOND);
    const shown = await api.post('/auth/second-factor/confirm', { code: await generate({ secret, epoch }) });
    const { recoveryCodes } = expectStatus(shown, 200).body;
    const page = await desk.visit();
    const signIn = new SignIn(page);
    expect(await page.getByLabel('Code').count()).toBe(0);
    await signIn.logIn(owner);
    await page.getByLabel('Code').waitFor();
    await signIn.logIn({ password: owner.password, code: recoveryCodes[0] });
    await rail(page).waitFor();
  });
});
