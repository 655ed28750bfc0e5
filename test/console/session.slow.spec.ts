import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generate } from 'otplib';
import type { Page, Route } from 'playwright-core';
import { MailDeliveryWorker, PasswordResetsService } from '../support/app.js';
import { SECOND } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { startOpenIdProvider, type OpenIdProvider } from '../support/openid-provider.js';
import { proveAddress } from '../support/prove-address.js';
import { partOf, SmtpServer } from '../support/smtp-server.js';
import { SignIn } from './pages/sign-in.js';
import { Desk, hush, inChromium } from './support/desk.js';

inChromium('a session', () => {
  let desk: Desk;
  let provider: OpenIdProvider;
  let smtp: SmtpServer;
  beforeAll(async () => {
    smtp = await SmtpServer.start();
    desk = await Desk.open(async (url) => {
      provider = await startOpenIdProvider(`${url}/api/v1/auth/oidc/callback`);
      return { ...provider.env, ...smtp.env, OIDC_NAME: 'Owl Login' };
    });
    desk.elsewhere.push(provider.issuer);
  });
  afterAll(async () => {
    await desk.close();
    await provider.close();
    await smtp.close();
  });

  /** Logs in at the provider, and consents. */
  const signInThere = async (page: Page, name: string): Promise<void> => {
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('any');
    await page.locator('button[type=submit]').click();
    await page.locator('button[type=submit]').click();
  };
  const rail = (page: Page) => page.getByRole('navigation', { name: 'Console' });

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

  it('begins with an invitation that says who invites to what, and shows no token', async () => {
    const owner = await desk.world.given.tenant();
    const email = `${randomUUID()}@author.example`;
    const token = await desk.world.given.invitation(owner, email);
    const page = await desk.visit({ path: `/invitation#${token}` });
    await page.waitForURL('**/invitation');
    expect(await page.getByRole('textbox').count()).toBe(0);
    await desk.look(page, 'invitation', () => 'html');
    await page.getByRole('button', { name: 'See the invitation' }).click();
    await page.getByText(`${owner.email} invites ${email} to Author`).waitFor();
    await desk.look(page, 'invitation-offer', () => 'html');
    expect(await page.getByText(token).count()).toBe(0);
    await page.getByRole('textbox').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'You are a member of Author' }).waitFor();
  });

  it('leaves a menu open while the page below it becomes another', async () => {
    const owner = await desk.world.given.tenant();
    const page = await desk.visit();
    const held = new Promise<Route>((resolve) => void page.route('**/api/v1/overview?*', resolve, { times: 1 }));
    await new SignIn(page).logIn(owner);
    const overview = await held;
    const menu = page.getByRole('button', { name: `menu of ${owner.email}` });
    await menu.click();
    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    await page.locator('html[data-scheme=light]').waitFor({ state: 'attached' });
    await menu.click();
    await overview.continue();
    await page.waitForURL('**/start');
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.locator('html[data-scheme=dark]').waitFor({ state: 'attached' });
  });

  it('that ends in the middle is asked for over the page, and what was under way goes on', async () => {
    const owner = await desk.world.given.tenant();
    const page = await desk.visit({ as: owner, path: '/start' });
    const name = page.getByLabel('Name of the extension');
    await name.fill('Typed before');
    const speak = await hush(page);
    await desk.world.api.as({ cookie: owner.cookie }).post('/auth/logout');
    await page.getByRole('button', { name: 'Register' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Log in again' });
    await dialog.waitFor();
    await speak();
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

  it('begins at the identity provider once it is linked, and no longer once it is unlinked', async () => {
    const owner = await desk.world.given.tenant();
    await proveAddress(desk.world, owner);
    provider.know({ sub: 'ann', email: 'ann@elsewhere.example', email_verified: true });
    const page = await desk.visit({ as: owner, path: '/settings/account' });
    await page.getByRole('button', { name: 'Link an identity' }).click();
    await signInThere(page, 'ann');
    await page.getByRole('table', { name: 'Linked identities' }).getByText('ann', { exact: true }).waitFor();
    await desk.look(page, 'settings-identities');

    const other = await desk.visit({ path: '/settings/account' });
    await other.getByRole('link', { name: 'Log in with Owl Login' }).click();
    await signInThere(other, 'ann');
    await other.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await other.getByText(owner.email).first().waitFor();
    const end = other.getByRole('button', { name: /^End the session|^End all others/ }).first();
    // The list of sessions is there before they end; afterwards the page cannot read it.
    await end.waitFor();

    await hush(other);
    await page.getByRole('button', { name: /^Unlink/ }).click();
    await page.getByText('No account is linked yet.').waitFor();
    // Unlinking ended the other session, which the page finds out when it asks for something.
    await end.click();
    await other.getByRole('alertdialog', { name: 'Log in again' }).waitFor();
  });

  it('that ends is begun again at the identity provider in another tab, and the page keeps what was typed', async () => {
    const owner = await desk.world.given.tenant();
    await proveAddress(desk.world, owner);
    provider.know({ sub: 'bea', email: 'bea@elsewhere.example', email_verified: true });
    const page = await desk.visit({ as: owner, path: '/settings/account' });
    await page.getByRole('button', { name: 'Link an identity' }).click();
    await signInThere(page, 'bea');
    await page.getByRole('table', { name: 'Linked identities' }).getByText('bea', { exact: true }).waitFor();
    await page.goto('/start?from=here');
    await page.getByLabel('Name of the extension').fill('Typed before');
    const speak = await hush(page);
    await desk.world.api.as({ cookie: owner.cookie }).post('/auth/logout');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Register' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Log in again' });
    const link = dialog.getByRole('link', { name: 'Log in with Owl Login' });
    await link.waitFor();
    await speak();
    expect(await link.getAttribute('href')).toBe('/api/v1/auth/oidc?returnTo=%2Fstart%3Ffrom%3Dhere');
    const opened = page.context().waitForEvent('page');
    await link.click();
    const tab = await opened;
    await signInThere(tab, 'bea');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Registered as Typed before').waitFor();
    await tab.close();
  });

  it('can be ended from another one', async () => {
    const owner = await desk.world.given.tenant();
    const lost = await desk.world.given.loggedIn(owner);
    const page = await desk.visit({ as: owner, path: '/settings/account' });
    const sessions = page.getByRole('table', { name: 'Sessions' });
    await sessions.getByRole('button', { name: /^End the session/ }).click();
    await page.getByText('The session has ended.').first().waitFor();
    await sessions.getByRole('button', { name: /^End the session/ }).waitFor({ state: 'detached' });
    expect((await desk.world.api.as({ cookie: lost.cookie }).get('/auth/me')).status).toBe(401);
    expect((await desk.world.api.as({ cookie: owner.cookie }).get('/auth/me')).status).toBe(200);
  });

  it('begins with a new password, once the old one is forgotten', async () => {
    const owner = await desk.world.given.tenant();
    const page = await desk.visit();
    await page.getByRole('form', { name: 'Log in' }).getByLabel('E-mail').fill(owner.email);
    await page.getByRole('button', { name: 'Forgotten password' }).click();
    await desk.look(page, 'forgotten');
    await page.getByRole('button', { name: 'Send a link' }).click();
    await page.getByText(`If ${owner.email} has an account`).waitFor();
    await desk.world.app.get(PasswordResetsService).whenIdle();
    await desk.world.app.get(MailDeliveryWorker).tick();
    const mail = smtp.to(owner.email).at(-1);
    const [, token = ''] =
      /reset-password\?token=([\w-]{43})\s/.exec(mail === undefined ? '' : partOf(mail, 'text/plain')) ?? [];
    await page.goto(`/account/reset-password?token=${token}`);
    const password = 'a heron counts seven reeds';
    await page.locator('input[type=password]').first().fill(password);
    await page.locator('button').click();
    await page.locator('input[type=password]').waitFor({ state: 'detached' });
    await page.goto('/');
    await new SignIn(page).logIn({ email: owner.email, password });
    await rail(page).waitFor();
  });

  it('asks for the code of a second factor only when the service wants one', async () => {
    const owner = await desk.world.given.tenant();
    await proveAddress(desk.world, owner);
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
