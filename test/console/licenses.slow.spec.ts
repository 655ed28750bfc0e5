import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { imported } from '../support/imported.js';
import { Licenses } from './pages/licenses.js';
import { Desk, inChromium } from './support/desk.js';
import { Keyboard } from './support/keyboard.js';

const TIER = `pro <b>&amp;</b> ${'x'.repeat(10)}`;
const KEPT = '38b1460a51044067a91d77b872934d51';
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
    const plan = { extensionId, tier: TIER };
    planId = expectStatus(await desk.world.api.as(owner).post('/plans', plan), 201).body.id;
  });
  afterAll(() => desk.close());

  const issue = async (buyerEmail: string, expiresAt?: string) =>
    expectStatus(await desk.world.api.as(owner).post('/licenses', { planId, buyerEmail, expiresAt }), 201).body;
  const licenseOf = async (id: string) => expectStatus(await desk.world.api.as(owner).get(`/licenses/${id}`), 200).body;

  it('says how the first license is made, finds one by an imported code, and exports all', async () => {
    const page = await desk.visit({ as: owner, path: '/licenses' });
    const licenses = new Licenses(page);
    await licenses.isHeaded('Licenses');
    await page.getByRole('heading', { name: 'No licenses yet' }).waitFor();
    await desk.look(page, 'licenses-empty');

    await imported(desk.world, owner, extensionId, `email,tier,code\n=ann@example.com,${TIER},${KEPT}`);
    await licenses.row('=ann@example.com').waitFor();

    const saved = page.waitForEvent('download');
    await licenses.more('Export all as CSV');
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text).toContain("'=ann@example.com");
    await licenses.find(KEPT.toUpperCase());
    await licenses.isHeaded('License …34D51');
    expect(page.url()).not.toContain('38B1');
  });

  it('issues one license to who presses the button twice', async () => {
    const page = await desk.visit({ as: owner, path: '/licenses' });
    const licenses = new Licenses(page);
    await page.getByRole('button', { name: 'Issue a license' }).click();
    await licenses.choose('Plan', 'Tab Counter');
    await licenses.dialog.getByLabel('Buyer’s e-mail address').fill('twice@buyer.example');
    let issued = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/v1/licenses')) issued += 1;
    });
    await licenses.dialog.getByRole('button', { name: 'Issue' }).dblclick();
    await page.getByRole('dialog', { name: 'The code' }).waitFor();
    expect(issued).toBe(1);
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
    expect(new URL(page.url()).search).toBe('?status=active&search=ann%40buyer.example');
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

    await page.getByRole('button', { name: 'Delete' }).click();
    await licenses.confirm(codeHint, 'Delete the license');
    await licenses.says(`Deleted the license …${codeHint}.`);
    await licenses.isHeaded('Licenses');
    await licenses.row('bob@buyer.example').waitFor();
    expect((await desk.world.api.as(owner).get(`/licenses/${id}`)).status).toBe(404);
  });

  it('has a calendar whose today is the day where the reader is', async () => {
    const now = desk.world.clock.now();
    const hours = now.getUTCHours() < 12 ? -12 : 14;
    // The names of these zones have the sign of POSIX, west of Greenwich.
    const timezoneId = `Etc/GMT${hours < 0 ? '+' : '-'}${Math.abs(hours)}`;
    const page = await desk.visit({ as: owner, path: '/licenses', timezoneId });
    await page.getByRole('button', { name: 'Issue a license' }).click();
    await page.getByRole('button', { name: 'Calendar' }).click();
    const there = new Date(now.getTime() + hours * 3_600_000);
    await page.locator(`td [aria-current=date]`, { hasText: new RegExp(`^${there.getUTCDate()}$`) }).waitFor();
  });

  it.each(['Europe/Berlin', 'America/Los_Angeles'])(
    'ends a license on the same day everywhere, read in %s',
    async (timezoneId) => {
      const buyerEmail = `${timezoneId.slice(-6)}@day.example`;
      const { id } = await issue(buyerEmail, '2098-12-31T23:59:59Z');
      const page = await desk.visit({ as: owner, path: `/licenses?email=${buyerEmail}`, timezoneId });
      const licenses = new Licenses(page);
      const end = licenses.row(buyerEmail).getByText('Dec 31, 2098');
      const exact = timezoneId === 'Europe/Berlin' ? 'Jan 1, 2099, 12:59:59 AM' : 'Dec 31, 2098, 3:59:59 PM';
      expect((await end.getAttribute('title'))?.replaceAll(/\s/g, ' ')).toBe(exact);
      await licenses.more('Change all of these');
      await licenses.choose('What to do', 'Extend the expiry');
      await licenses.dialog.getByLabel('New last day').fill('2099-01-31');
      await licenses.press('Preview');
      await licenses.dialog.getByText('until Dec 31, 2098 → until Jan 31, 2099').waitFor();
      await licenses.press('Change 1 license');
      await licenses.says('Changed 1 license.');
      await licenses.row(buyerEmail).getByText('Jan 31, 2099').waitFor();

      await licenses.row(buyerEmail).getByRole('link').first().click();
      await page.getByRole('definition').filter({ hasText: 'Jan 31, 2099 (' }).waitFor();
      await page.getByRole('button', { name: 'Change' }).click();
      const lastDay = licenses.dialog.getByLabel('Last day');
      expect(await lastDay.inputValue()).toBe('2099-01-31');
      const theirs = { expiresAt: '2099-02-28T23:59:59Z' };
      expectStatus(await desk.world.api.as(owner).patch(`/licenses/${id}`, theirs), 200);
      await lastDay.fill('2099-03-31');
      await licenses.press('Save');
      await licenses.dialog.getByText('expires on Feb 28, 2099.').waitFor();
      await licenses.press('Save mine');
      await licenses.says('Changed the license.');
      await page.getByRole('definition').filter({ hasText: 'Mar 31, 2099 (' }).waitFor();
      expect((await licenseOf(id)).expiresAt).toBe('2099-03-31T23:59:59.000Z');
    },
  );

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
    await licenses.dialog.getByLabel('Devices', { exact: true }).fill('12');
    await licenses.press('Save');
    await licenses.dialog.getByText('Somebody changed the license meanwhile').waitFor();
    await licenses.press('Save mine');
    await licenses.says('Changed the license.');
    expect((await licenseOf(id)).seats.max).toBe(12);
    await page.getByRole('button', { name: 'Change' }).click();
    await licenses.dialog.getByLabel('Devices', { exact: true }).fill('');
    await licenses.dialog.getByLabel('Campaign').fill('autumn');
    await licenses.press('Save');
    await licenses.dialog.waitFor({ state: 'detached' });
    expect(await licenseOf(id)).toMatchObject({ maxActivations: null, seats: { max: 3 }, campaign: 'autumn' });
    await page.getByRole('button', { name: 'Change' }).click();
    await licenses.dialog.getByLabel('Campaign').fill('');
    await licenses.press('Save');
    await licenses.dialog.waitFor({ state: 'detached' });
    expect(await licenseOf(id)).toMatchObject({ campaign: null });

    const changeAddress = async (address: string): Promise<void> => {
      await page.getByRole('button', { name: 'Change' }).click();
      await licenses.dialog.getByLabel('Buyer’s e-mail address').fill(address);
    };
    await changeAddress('moved@buyer.example');
    await licenses.dialog.getByRole('checkbox', { name: 'Mail a new code to this address' }).click();
    await licenses.press('Save');
    await licenses.dialog.waitFor({ state: 'detached' });
    expect(await licenseOf(id)).toMatchObject({ buyerEmail: 'moved@buyer.example', codeHint });
    await changeAddress('again@buyer.example');
    await licenses.press('Save');
    await licenses.says('A mail with a new code is on its way.');
    expect(await licenseOf(id)).toMatchObject({ buyerEmail: 'again@buyer.example', delivery: 'waiting' });
    expect((await licenseOf(id)).codeHint).not.toBe(codeHint);

    await page.getByRole('button', { name: 'Free' }).click();
    await licenses.press('Free the seat');
    await licenses.says('Freed the seat.');
    await page.getByRole('heading', { name: 'No device yet' }).waitFor();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await licenses.press('Suspend');
    await page.getByText('suspended by your team').waitFor();
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

  it('shows who changed a license and why, to those who may read the audit log, and leads there', async () => {
    const { id, codeHint } = await issue('history@buyer.example');
    const support = await desk.world.given.member(owner, 'support');
    expectStatus(await desk.world.api.as(support).post(`/licenses/${id}/suspend`), 200);
    await issue('other@buyer.example');
    const page = await desk.visit({ as: owner, path: `/licenses/${id}` });
    const licenses = new Licenses(page);
    const history = page.getByRole('table', { name: 'History' });
    await history.getByText('License suspended').waitFor();
    await history.getByText('suspended for: nothing → tenant').waitFor();
    await history.getByText(support.email).waitFor();
    expect(await history.getByText('License issued').count()).toBe(1);
    await page.getByRole('button', { name: 'Reinstate' }).click();
    await licenses.press('Reinstate');
    await history.getByText('License reinstated').waitFor();
    await desk.look(page, 'license-history');
    await page.getByRole('link', { name: 'Show it in the audit log' }).click();
    const log = page.getByRole('table', { name: 'Audit log' });
    await log.getByText('License reinstated').waitFor();
    expect(await log.getByRole('row').count()).toBe(4);
    await log.getByRole('link', { name: codeHint, exact: true }).first().click();
    await history.waitFor();

    const theirs = await desk.visit({ as: support, path: `/licenses/${id}` });
    await theirs.getByRole('heading', { name: 'No device yet' }).waitFor();
    await desk.settled(theirs);
    expect(await theirs.getByRole('heading', { name: 'History' }).count()).toBe(0);
  });

  it('changes all licenses of a filter after a preview', async () => {
    for (const at of [1, 2, 3])
      await issue(at === 3 ? 'other@bulk.example' : 'many@bulk.example', '2099-01-31T23:59:59Z');
    const page = await desk.visit({ as: owner, path: '/licenses?email=many%40bulk.example' });
    const licenses = new Licenses(page);
    await licenses.row('many@bulk.example').first().waitFor();
    await licenses.more('Change all of these');
    await licenses.choose('What to do', 'Extend the expiry');
    await licenses.dialog.getByLabel('New last day').fill('2099-02-28');
    await licenses.press('Preview');
    expect(await licenses.dialog.locator('time').first().getAttribute('title')).toMatch(/^Jan 31, 2099, 11:59:59\sPM$/);
    await licenses.choose('What to do', 'Suspend');
    await licenses.press('Preview');
    await licenses.dialog.getByText('2 match. 2 to change, 0 to stay as before, 0 that cannot change.').waitFor();
    await desk.look(page, 'licenses-bulk');
    await licenses.press('Change 2 licenses');
    await licenses.says('Changed 2 licenses.');
    const listed = expectStatus(await desk.world.api.as(owner).get('/licenses?status=suspended'), 200).body.items;
    expect(listed.map(({ buyerEmail }: { readonly buyerEmail: string }) => buyerEmail)).toEqual([
      'many@bulk.example',
      'many@bulk.example',
    ]);

    // What would change nothing is not offered.
    await licenses.more('Change all of these');
    await licenses.press('Preview');
    await licenses.dialog.getByText('2 match. 0 to change, 2 to stay as before, 0 that cannot change.').waitFor();
    expect(await licenses.dialog.getByRole('button', { name: 'Nothing to change' }).isDisabled()).toBe(true);
  });

  it('leads away from what does not exist, and names faults by the words of the form', async () => {
    const page = await desk.visit({ as: owner, path: `/licenses/${randomUUID()}` });
    const licenses = new Licenses(page);
    const alert = page.getByRole('alert');
    await alert.getByRole('link', { name: 'Go to Home' }).waitFor();
    expect(await alert.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.goto('/licenses');
    await page.getByRole('button', { name: 'Issue a license' }).click();
    await licenses.choose('Plan', 'Tab Counter');
    await licenses.dialog.getByLabel('Buyer’s e-mail address').fill('nobody');
    await licenses.press('Issue');
    await licenses.dialog.getByText('Buyer’s e-mail address must be').waitFor();
    expect(await licenses.dialog.getByRole('alert').textContent()).toBe('Correct the marked fields.');
  });

  it('shows a viewer what there is, and nothing to change it', async () => {
    const viewer = await desk.world.given.member(owner, 'viewer');
    const page = await desk.visit({ as: viewer, path: '/licenses' });
    const licenses = new Licenses(page);
    await licenses.row('many@bulk.example').first().waitFor();
    expect(await page.getByRole('button', { name: 'Issue a license' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Orders and sales', 'Plans and payments']);
  });

  it('names at most how many a change concerns, where the preview is of the first hundred only', async () => {
    const lines = Array.from({ length: 103 }, (_, at) => `crowd${at}@crowd.example,${TIER},${at}`);
    await imported(desk.world, owner, extensionId, ['email,tier,order', ...lines].join('\n'));
    const page = await desk.visit({ as: owner, path: `/licenses?extension=${extensionId}&status=active` });
    const licenses = new Licenses(page);
    await licenses.row('@crowd.example').first().waitFor();
    await licenses.more('Change all of these');
    await licenses.press('Preview');
    await licenses.dialog.getByRole('button', { name: /^Change up to 1\d\d licenses$/ }).waitFor();
  });

  it('issues many for a campaign, saves their codes, finds them by it, and revokes them together', async () => {
    const page = await desk.visit({ as: owner, path: '/licenses' });
    const licenses = new Licenses(page);
    await page.getByRole('button', { name: 'Issue many' }).click();
    await licenses.choose('Plan', 'Tab Counter');
    await licenses.dialog.getByLabel('Number').fill('3');
    await licenses.dialog.getByLabel('Campaign').fill('spring sale');
    await desk.look(page, 'licenses-issue-many');
    await licenses.press('Issue');
    const codes = page.getByRole('alertdialog', { name: '3 codes' });
    await codes.waitFor();
    // Nothing but the answer that they are saved closes it.
    await page.keyboard.press('Escape');
    const saved = page.waitForEvent('download');
    await codes.getByRole('button', { name: 'Save as CSV' }).click();
    const rows = (await readFile(await (await saved).path(), 'utf8')).trimEnd().split('\r\n');
    expect(rows).toHaveLength(4);
    expect(rows[1]).toMatch(/^([0-9A-Z]{5}-){4}[0-9A-Z]{5},,,/);
    expect(await codes.getByLabel('codes').textContent()).toBe(
      rows
        .slice(1)
        .map((row) => row.slice(0, 29))
        .join('\n'),
    );
    await codes.getByRole('button', { name: 'Done' }).click();

    await page.getByLabel('Campaign').fill('spring sale');
    await page.getByLabel('Campaign').press('Enter');
    await page.getByText('3 licenses', { exact: true }).waitFor();
    await licenses.row('no owner yet').nth(2).waitFor();
    await licenses.more('Change all of these');
    await licenses.choose('What to do', 'Revoke for good');
    await licenses.press('Preview');
    await licenses.dialog.getByLabel('Type 3 to confirm').fill('3');
    await licenses.press('Change 3 licenses');
    await licenses.says('Changed 3 licenses.');
    await licenses.row('revoked').nth(2).waitFor();
    await licenses.row('revoked').first().getByRole('link').first().click();
    await page.getByRole('link', { name: 'spring sale' }).click();
    await licenses.row('revoked').nth(2).waitFor();
    expect(await page.getByLabel('Campaign').inputValue()).toBe('spring sale');
  });

  it('mails codes to their owners, and says so', async () => {
    const page = await desk.visit({ as: owner, path: '/licenses' });
    const licenses = new Licenses(page);
    await page.getByRole('button', { name: 'Issue many' }).click();
    await licenses.choose('Plan', 'Tab Counter');
    await licenses.dialog.getByLabel('Or the owners’ e-mail addresses').fill('dan@gift.example\neve@gift.example');
    await licenses.choose('Delivery', 'Codes by mail');
    await licenses.press('Issue');
    await licenses.says('Issued 2 licenses. Their codes are being mailed.');
    await licenses.dialog.waitFor({ state: 'detached' });
  });

  it('issues gift links that work until a day, and shows each once', async () => {
    const lastDay = new Date(desk.world.clock.now().getTime() + DAY).toISOString().slice(0, 10);
    const page = await desk.visit({ as: owner, path: '/licenses' });
    const licenses = new Licenses(page);
    await page.getByRole('button', { name: 'Issue many' }).click();
    await licenses.choose('Plan', 'Tab Counter');
    await licenses.dialog.getByLabel('Number').fill('2');
    await licenses.choose('Delivery', 'Gift links');
    await licenses.dialog.getByLabel('Links expire on').fill(lastDay);
    await desk.lookAtDialog(page, 'issue-gifts');
    await licenses.press('Issue');
    const links = page.getByRole('alertdialog', { name: '2 gift links' });
    const [link = ''] = (await links.getByLabel('gift links').textContent())?.split('\n') ?? [];
    await desk.lookAtDialog(page, 'gift-links');
    await links.getByRole('button', { name: 'Done' }).click();
    await links.waitFor({ state: 'detached' });
    const open = async () => (await fetch(link)).text();
    expect(await open()).toContain('<button>');
    await desk.world.forward(2 * DAY);
    expect(await open()).not.toContain('<button>');
  });
});
