import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { unzipped } from '../tenant-data/tenant-fixture.js';
import { BackupWorker, ExportWorker } from '../support/app.js';
import { expectStatus, type Publishable, type Tenant } from '../support/given.js';
import { Settings } from './pages/settings.js';
import { Desk, inChromium } from './support/desk.js';

const HOSTILE = '"><img src=x onerror=alert(1)> é漢';

inChromium('the settings', () => {
  let desk: Desk;
  let operator: Tenant;
  let owner: Publishable;
  let page: Page;
  let settings: Settings;
  beforeAll(async () => {
    desk = await Desk.open({ BACKUP_EVERY_HOURS: '6' });
    operator = await desk.world.given.tenant();
    owner = await desk.world.given.publishable();
  });
  afterAll(() => desk.close());

  const visit = async (as: Tenant, path: string): Promise<void> => {
    page = await desk.visit({ as, path });
    settings = new Settings(page);
  };
  const apiOf = ({ cookie }: Tenant) => desk.world.api.as({ cookie });

  it('create a token that is shown once, restricted by extension, and revoke it by its name', async () => {
    await visit(owner, '/settings/tokens');
    await settings.button('New token').click();
    const form = settings.dialog('New token');
    await form.getByRole('button', { name: 'Create token' }).click();
    await form.getByRole('alert').waitFor();
    await form.getByLabel('Name').fill(HOSTILE);
    await form.getByText('All extensions, also later ones').click();
    await form.getByText(/^Extension /).click();
    await form.getByRole('button', { name: 'Create token' }).click();
    const token = await settings.dialog('Your token').getByLabel('token', { exact: true }).textContent();
    const asToken = desk.world.api.as({ token: token ?? '' });
    expectStatus(await asToken.push({ extension: owner.extensionId, version: '1.0' }, Buffer.from('no zip')), 422);
    await settings.button('I have saved it').click();
    await settings.row('Access tokens', 'Push versions').filter({ hasText: 'one extension' }).waitFor();
    await desk.look(page, 'settings-tokens');
    await settings.row('Access tokens', HOSTILE.slice(0, 12)).getByRole('button').click();
    await settings.confirm('Revoke token', HOSTILE, 'Revoke token');
    await settings.row('Access tokens', HOSTILE.slice(0, 12)).waitFor({ state: 'detached' });
    expect((await asToken.get('/extensions')).status).toBe(401);
  });

  it('rotate and delete a credential, whose key file the page itself reads', async () => {
    await visit(owner, '/settings/credentials');
    await settings.row('Credentials', owner.clientEmail).waitFor();
    await settings.button('Add a credential').click();
    const form = settings.dialog('Add a credential');
    await form.getByRole('combobox').click();
    await page.getByRole('option', { name: 'Chrome Web Store' }).click();
    await form.getByRole('link').first().waitFor();
    const file = join(desk.world.dataDir, 'key.json');
    await writeFile(file, '{"client_email":"a@b.example"}');
    await form.getByLabel(/^Key file/).setInputFiles(file);
    await form.getByText('it has no private_key').waitFor();
    const key = { client_email: 'nobody@b.example', private_key: 'not a key' };
    await writeFile(file, JSON.stringify(key));
    await form.getByLabel(/^Key file/).setInputFiles(file);
    await form.getByText('Read key.json.').waitFor();
    await form.getByLabel('Publisher ID').fill(owner.publisherId);
    await form.getByRole('button', { name: 'Check and save' }).click();
    await form.getByRole('alert').waitFor();
    await desk.look(page, 'settings-credential-form');
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await settings.button('Add a credential').and(page.locator(':focus')).waitFor();
    await settings
      .row('Credentials', owner.clientEmail)
      .getByRole('button', { name: /^Delete/ })
      .click();
    const asked = settings.dialog('Delete credential').getByLabel(/^Type/);
    const [, name = ''] = /“(.*)”/.exec((await settings.dialog('Delete credential').textContent()) ?? '') ?? [];
    await asked.fill(name);
    await settings.dialog('Delete credential').getByRole('button', { name: 'Delete credential' }).click();
    await settings.dialog('Delete credential').locator('[data-code=credential_in_use]').waitFor();
  });

  it('open no rotation for an address that names none of their credentials', async () => {
    const { credentialId } = await desk.world.given.publishable();
    for (const asked of ['.', '', credentialId]) {
      await visit(owner, `/settings/credentials?rotate=${asked}`);
      const path = `/api/v1/credentials/${asked === '.' ? '' : asked}`;
      await Promise.all([page.waitForResponse((answer) => answer.url().endsWith(path)), page.reload()]);
      await settings.row('Credentials', owner.clientEmail).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      await settings.button('Add a credential').click();
      await settings.dialog('Add a credential').waitFor();
    }
  });

  it('turn on a second factor by its QR code, and ask for a code where the service wants one again', async () => {
    const person = await desk.world.given.tenant();
    await visit(person, '/settings/account');
    await settings.button('Add an authenticator app').click();
    const dialog = settings.dialog('Add an authenticator app');
    await dialog.getByLabel('Password').fill(person.password);
    await dialog.getByLabel('Password').press('Enter');
    await dialog.getByRole('img', { name: /^QR code/ }).waitFor();
    const secret = (await dialog.getByLabel('secret to type instead', { exact: true }).textContent()) ?? '';
    const code = async () => generate({ secret, epoch: Math.floor(desk.world.clock.now().getTime() / 1000) });
    await desk.look(page, 'settings-second-factor');
    await dialog.getByLabel('Code', { exact: true }).fill(await code());
    await dialog.getByLabel('Code', { exact: true }).press('Enter');
    const codes = settings.dialog('Recovery codes').getByRole('listitem');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    await settings.button('I have saved them').click();
    await page.getByText('On, 10 recovery codes left').waitFor();
    await desk.world.forward(20 * 60_000);
    await settings.button('New recovery codes').click();
    const asked = settings.dialog('Confirm with your second factor');
    // A recovery code has letters, which a phone must be able to type.
    expect(await asked.getByLabel('Code', { exact: true }).getAttribute('inputmode')).toBeNull();
    await asked.getByLabel('Code', { exact: true }).fill('000000');
    await asked.getByLabel('Code', { exact: true }).press('Enter');
    await asked.getByRole('alert').waitFor();
    await asked.getByLabel('Code', { exact: true }).fill(await code());
    await asked.getByLabel('Code', { exact: true }).press('Enter');
    await settings.dialog('Recovery codes').waitFor();
    await settings.button('I have saved them').click();
    await desk.world.forward(20 * 60_000);
    await settings.button('New recovery codes').click();
    await settings.dialog('Confirm with your second factor').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-code=second_factor_required]').waitFor();
    await desk.look(page, 'settings-account');
  });

  it('invite a member with a link to hand over, change a role that nobody else changed, and remove the member', async () => {
    const { email, userId } = await desk.world.given.member(owner, 'viewer');
    await visit(owner, '/settings/members');
    await settings.button('Invite').click();
    await settings.dialog('Invite a member').getByLabel('E-mail').fill('colleague@author.example');
    await settings.dialog('Invite a member').getByLabel('E-mail').press('Enter');
    const link = await settings.dialog('Invited').getByLabel('link', { exact: true }).textContent();
    expect(link).toContain('/invitation#');
    await settings.button('Done').click();
    await settings.row('Invitations', 'colleague@author.example').waitFor();
    await desk.look(page, 'settings-members');
    await settings.button(`Change role of ${email}`).click();
    const dialog = settings.dialog('Change role');
    await dialog.getByRole('combobox').click();
    await page.getByRole('option', { name: 'support' }).click();
    await desk.world.forward(1000);
    expectStatus(await apiOf(owner).patch(`/members/${userId}`, { role: 'admin' }), 200);
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await dialog.locator('[data-code=precondition_failed]').waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await settings.row('Members', email).filter({ hasText: 'admin' }).waitFor();
    await settings.button(`Remove ${email}`).click();
    await settings.confirm('Remove member', email, 'Remove member');
    await settings.row('Members', email).waitFor({ state: 'detached' });
  });

  it('trust a repository, and show the workflow that pushes from it', async () => {
    await visit(owner, '/settings/ci');
    await page.getByText('No repository is trusted yet').waitFor();
    await settings.button('Trust a repository').click();
    const dialog = settings.dialog('Trust a repository');
    await dialog.getByLabel('Name of the rule').fill('Releases');
    await dialog.getByLabel('Repository').fill('acme/tab-counter');
    await dialog.getByLabel('Repository').press('Enter');
    await settings.row('Trust rules', 'acme/tab-counter').waitFor();
    expect(await page.getByLabel('Workflow').textContent()).toContain(`PIERHEAD_TENANT: ${owner.tenantId}`);
    await desk.look(page, 'settings-ci');
  });

  it('filter the audit log in the address, and export what is filtered', async () => {
    await visit(owner, '/settings/audit?subject=trust_rule');
    await settings.row('Audit log', 'Trust rule created').waitFor();
    expect(await settings.row('Audit log', 'Extension created').count()).toBe(0);
    const href = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    expect(href).toBe('/api/v1/audit/export?subjectType=trust_rule&format=csv');
    await desk.look(page, 'settings-audit');
    await page.goto('/settings/audit?subject=session');
    await settings.row('Audit log', 'expires at: ').first().waitFor();
    expect(await page.getByText(/\dT\d\d:\d\d:/).count()).toBe(0);
    await page.getByLabel('From').fill('2099-01-01');
    await page.getByText('No matching entries').waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe('2099-01-01');
    const viewer = await desk.world.given.member(owner, 'viewer');
    await visit(viewer, '/settings/audit');
    await page.getByRole('alert').getByRole('link', { name: 'Go to Home' }).waitFor();
    expect(await page.getByRole('link', { name: /^Export/ }).count()).toBe(0);
  });

  it('lead from a member to what that person changed, from an entry to what it is about, and to the history of that', async () => {
    const studio = await desk.world.given.publishable();
    const admin = await desk.world.given.member(studio, 'admin');
    const { licenseId } = await desk.world.given.licensed({ extensionId: studio.extensionId }, studio);
    expectStatus(await desk.world.api.as(admin).post(`/licenses/${licenseId}/suspend`), 200);
    await visit(studio, '/settings/members');
    await page.getByRole('link', { name: `Changes by ${admin.email}` }).click();
    await settings.row('Audit log', 'License suspended').waitFor();
    expect(await settings.row('Audit log', 'License issued').count()).toBe(0);
    const who = page.getByRole('combobox', { name: 'Who' });
    expect(await who.textContent()).toContain(admin.email);
    await who.click();
    await page.getByRole('option', { name: 'Anyone' }).click();
    await settings.row('Audit log', 'License issued').getByRole('link', { name: 'CI', exact: true }).click();
    await settings.row('Audit log', 'License suspended').waitFor({ state: 'detached' });
    await who.filter({ hasText: 'CI' }).waitFor();
    const target = settings
      .row('Audit log', 'Target updated')
      .first()
      .getByRole('link', { name: 'chrome', exact: true });
    expect(await target.getAttribute('href')).toBe(`/extensions/${studio.extensionId}/targets/${studio.targetId}`);
    await settings
      .row('Audit log', 'License issued')
      .getByRole('link', { name: /^History of/ })
      .click();
    await settings.row('Audit log', 'Extension created').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('id')).toBe(licenseId);
    await desk.look(page, 'settings-audit-of-one');
    await settings.row('Audit log', 'License issued').getByRole('link').nth(1).click();
    await page.waitForURL(`**/licenses/${licenseId}`);
  });

  it('export the tenant, delete it by its name and password, and call that off', async () => {
    await visit(owner, '/settings/tenant');
    await settings.button('Export everything').click();
    await settings.row('Exports', 'being written').waitFor();
    await desk.world.app.get(ExportWorker).tick();
    const finished = settings.row('Exports', 'ready').getByRole('button', { name: 'Download' });
    await finished.waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), finished.click()]);
    const entries = await unzipped(await readFile(await saved.path()));
    expect([...entries.keys()]).toContain('manifest.json');
    await settings.button('Delete this workspace').click();
    const dialog = settings.dialog('Delete this workspace');
    await dialog.getByLabel('Type “Author” to confirm').fill('Author');
    await dialog.getByLabel('Password').fill('wrong password');
    await dialog.getByLabel('Password').press('Enter');
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Password').fill(owner.password);
    await dialog.getByLabel('Password').press('Enter');
    await settings.button('Cancel the deletion').waitFor();
    await desk.look(page, 'settings-tenant');
    await settings.button('Cancel the deletion').click();
    await settings.button('Delete this workspace').waitFor();
  });

  it('show each role what it may, the instance to its operator, and what went wrong while the service is away', async () => {
    await visit(await desk.world.given.member(owner, 'viewer'), '/settings');
    await settings.heading('Account').waitFor();
    expect(await settings.parts()).toEqual(['Account', 'Credentials', 'Members', 'Branding', 'Workspace']);
    await settings.open('Credentials');
    await settings.row('Credentials', owner.clientEmail).waitFor();
    expect(await settings.button('Add a credential').count()).toBe(0);
    await settings.open('Workspace');
    expect(await settings.button('Delete this workspace').count()).toBe(0);
    await page.goto('/settings/instance');
    await page.locator('[data-code=operator_required]').first().waitFor();

    await desk.world.app.get(BackupWorker).tick();
    await visit(operator, '/settings/instance');
    await page.getByText(/^succeeded/).waitFor();
    const { lastBackup } = (await apiOf(operator).get('/instance')).body;
    await page.getByText(lastBackup.name, { exact: true }).waitFor();
    await settings.row('Workspaces', 'Author').first().waitFor();
    await page.getByText('ENCRYPTION_KEYS').first().waitFor();
    expect(await page.getByLabel('Report').textContent()).toMatch(/^Pierhead: /);
    await desk.look(page, 'settings-instance');
    const phone = await desk.visit({ as: operator, path: '/settings/instance', width: 360 });
    await desk.settled(phone);
    const tab = phone.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Instance' });
    const box = await tab.boundingBox();
    expect((box?.x ?? 360) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    await settings.open('Members');
    await settings.button('Invite').click();
    await page.context().setOffline(true);
    await settings.dialog('Invite a member').getByLabel('E-mail').fill('later@author.example');
    await settings.dialog('Invite a member').getByLabel('E-mail').press('Enter');
    await settings.dialog('Invite a member').getByText('could not be reached').waitFor();
    await page.context().setOffline(false);
    await settings.dialog('Invite a member').getByRole('button', { name: 'Invite' }).click();
    await settings.dialog('Invited').waitFor();
  });
});
