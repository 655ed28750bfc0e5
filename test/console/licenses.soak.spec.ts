import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { expectStatus, type Tenant } from '../support/given.js';
import { Licenses } from './pages/licenses.js';
import { Desk, inChromium } from './support/desk.js';
import { Keyboard } from './support/keyboard.js';

const HOSTILE = `<img src=x onerror=alert(1)> "é漢" ${'W'.repeat(60)}`;

inChromium('the license desk', () => {
  let desk: Desk;
  let owner: Tenant;
  let extensionId: string;
  let planId: string;
  beforeAll(async () => {
    desk = await Desk.open();
    owner = await desk.world.given.tenant();
    extensionId = await desk.world.given.extension(owner, 'Tab Counter');
    const plan = { extensionId, tier: `pro <b>&amp;</b> ${'x'.repeat(10)}` };
    planId = expectStatus(await desk.world.api.as(owner).post('/plans', plan), 201).body.id;
  });
  afterAll(() => desk.close());

  const issue = async (buyerEmail: string) =>
    expectStatus(await desk.world.api.as(owner).post('/licenses', { planId, buyerEmail }), 201).body;
  const licenseOf = async (id: string) => expectStatus(await desk.world.api.as(owner).get(`/licenses/${id}`), 200).body;

  it('says how the first license is made, imports those of another tool after a preview, and exports them', async () => {
    const page = await desk.visit({ as: owner, path: '/licenses' });
    const licenses = new Licenses(page);
    await licenses.isHeaded('Licenses');
    await page.getByRole('heading', { name: 'No licenses yet' }).waitFor();
    await desk.look(page, 'licenses-empty');

    await licenses.more('Import from CSV');
    await licenses.choose('Extension', 'Tab Counter');
    const tier = 'pro <b>&amp;</b> xxxxxxxxxx';
    const lines = [
      'email,tier,code',
      `=ann@example.com,${tier},38b1460a-5104-4067-a91d-77b872934d51`,
      `bob@example.com,gold,`,
    ];
    await licenses.dialog.getByLabel('Lines').fill(lines.join('\n'));
    await licenses.press('Preview');
    await licenses.dialog.getByText('1 to import, 0 already exist, 1 with a fault.').waitFor();
    await licenses.dialog.getByText('Line 3: The extension has no plan for the tier gold.').waitFor();
    await desk.look(page, 'licenses-import');
    await licenses.press('Import 1 license');
    await licenses.says('Imported 1 license.');
    await licenses.press('Done');
    await licenses.row('=ann@example.com').waitFor();

    const saved = page.waitForEvent('download');
    await licenses.more('Export all as CSV');
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text).toContain("'=ann@example.com");
    await licenses.find('38B1460A51044067A91D77B872934D51');
    await licenses.isHeaded('License …34D51');
    expect(page.url()).not.toContain('38B1');
  });

  it('finds a license by mail, end of code and whole code, keeps filters in the address, and revokes by keyboard alone', async () => {
    const { id, code, codeHint } = await issue('ann@buyer.example');
    await issue('bob@buyer.example');
    const page = await desk.visit({ as: owner, path: '/licenses?status=active' });
    const licenses = new Licenses(page);
    await licenses.row('ann@buyer.example').waitFor();
    await desk.look(page, 'licenses');
    await licenses.find('ann@buyer.example');
    await licenses.row('bob@buyer.example').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?status=active&email=ann%40buyer.example');
    await licenses.find(codeHint);
    await licenses.row(codeHint).waitFor();
    await licenses.find('nobody@buyer.example');
    await page.getByRole('heading', { name: 'No license matches' }).waitFor();
    await licenses.find(code);
    await licenses.isHeaded(`License …${codeHint}`);
    expect(page.url()).toMatch(new RegExp(`/licenses/${id}$`));

    const keys = new Keyboard(page);
    const revoke = page.getByRole('button', { name: 'Revoke' });
    const confirm = licenses.dialog.getByLabel(`Type “${codeHint}” to confirm`);
    await keys.press(revoke);
    await confirm.waitFor();
    await page.keyboard.press('Escape');
    await licenses.dialog.waitFor({ state: 'detached' });
    await keys.at(revoke);
    await page.keyboard.press('Enter');
    await confirm.waitFor();
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    expect((await licenseOf(id)).status).toBe('active');
    await keys.type(confirm, codeHint);
    await keys.press(licenses.dialog.getByRole('button', { name: 'Revoke the license' }));
    await licenses.says('Revoked the license.');
    await licenses.dialog.waitFor({ state: 'detached' });
    // The button is gone with what it was for.
    await revoke.waitFor({ state: 'detached' });
    await page.locator('#main:focus').waitFor();
    expect(await licenseOf(id)).toMatchObject({ status: 'revoked', revokedFor: 'tenant' });
  });

  it('frees a seat, changes the limit unless somebody else has, suspends, and shows a new code once', async () => {
    const { id, code, codeHint } = await issue(`${'w'.repeat(60)}@buyer.example`);
    const device = { code, extensionId, fingerprint: randomUUID(), deviceInfo: { label: HOSTILE.slice(0, 64) } };
    expectStatus(await desk.world.api.post('/licensing/activate', device), 200);
    const page = await desk.visit({ as: owner, path: `/licenses/${id}` });
    const licenses = new Licenses(page);
    await licenses.isHeaded(`License …${codeHint}`);
    await desk.look(page, 'license');

    await page.getByRole('button', { name: 'Change' }).click();
    expectStatus(await desk.world.api.as(owner).patch(`/licenses/${id}`, { maxActivations: 9 }), 200);
    await licenses.dialog.getByLabel('Devices').fill('12');
    await licenses.press('Save');
    await licenses.dialog.getByText('Somebody changed the license meanwhile').waitFor();
    await licenses.press('Save mine');
    await licenses.says('Changed the license.');
    expect((await licenseOf(id)).seats.max).toBe(12);

    await page.getByRole('button', { name: 'Free' }).click();
    await licenses.press('Free the seat');
    await licenses.says('Freed the seat: 0 of 12 are in use.');
    await page.getByRole('heading', { name: 'No device yet' }).waitFor();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await licenses.press('Suspend');
    await page.getByText('suspended by you').waitFor();
    await page.getByRole('button', { name: 'Replace the code' }).click();
    await licenses.press('Replace the code');
    await licenses.dialog.getByText('It is not stored and cannot be shown again.').waitFor();
    await licenses.press('Done');

    desk.line.cut();
    await page.getByRole('button', { name: 'Reinstate' }).click();
    await licenses.press('Reinstate');
    await licenses.dialog.getByText('The service could not be reached.', { exact: false }).waitFor();
    desk.line.mend();
    await licenses.press('Reinstate');
    await licenses.says('Reinstated the license.');
  });

  it('changes all licenses of a filter after a preview', async () => {
    for (const at of [1, 2, 3]) await issue(at === 3 ? 'other@bulk.example' : 'many@bulk.example');
    const page = await desk.visit({ as: owner, path: '/licenses?email=many%40bulk.example' });
    const licenses = new Licenses(page);
    await licenses.row('many@bulk.example').first().waitFor();
    await licenses.more('Change all of these');
    await licenses.press('Preview');
    await licenses.dialog.getByText('2 match. Of them 2 change, 0 stay as they are, 0 cannot change.').waitFor();
    await desk.look(page, 'licenses-bulk');
    await licenses.press('Change 2 licenses');
    await licenses.says('Changed 2 licenses.');
    const listed = expectStatus(await desk.world.api.as(owner).get('/licenses?status=suspended'), 200).body.items;
    expect(listed.map(({ buyerEmail }: { readonly buyerEmail: string }) => buyerEmail)).toEqual([
      'many@bulk.example',
      'many@bulk.example',
    ]);
  });

  it('shows a viewer what there is, and nothing to change it', async () => {
    const viewer = await desk.world.given.member(owner, 'viewer');
    const page = await desk.visit({ as: viewer, path: '/licenses' });
    const licenses = new Licenses(page);
    await licenses.row('many@bulk.example').first().waitFor();
    expect(await page.getByRole('button', { name: 'Issue a license' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Plans and payments', 'Export all as CSV']);
  });
});
