import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { Author } from '../reconcile/author.js';
import { ExtensionPages } from './pages/extension.js';
import { Home } from './pages/home.js';
import { Desk, inChromium } from './support/desk.js';
import { Keyboard } from './support/keyboard.js';

const COMMIT = '8f3a1c5e0b2d4f6a7c9e1d3b5f7a9c0e2d4b6f81';

inChromium('a version that waits for another person', () => {
  let desk: Desk;
  let author: Author;
  let bob: Tenant;
  const push = async (version: string, permissions: readonly string[] = []): Promise<void> => {
    const zip = new Uint8Array(
      await packageOf(version, { permissions, update_url: 'https://example.com/updates.xml' }),
    );
    const query = { extension: author.mine.extensionId, version, commit: COMMIT };
    expectStatus(await desk.world.api.as(author.mine).push(query, zip), 201);
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
  };

  beforeAll(async () => {
    desk = await Desk.open();
    author = await Author.in(desk.world, { published: '1.0.0' });
    await author.set({ preflight: 'off' });
    const zip = new Uint8Array(await packageOf('1.0.0'));
    expectStatus(
      await desk.world.api.as(author.mine).push({ extension: author.mine.extensionId, version: '1.0.0' }, zip),
      201,
    );
    await author.reconcile();
    bob = await desk.world.given.member(author.mine, 'publisher');
  });
  afterAll(() => desk.close());

  it('is what an owner requires, by the menu of the extension', async () => {
    const page = await desk.visit({ as: author.mine, path: `/extensions/${author.mine.extensionId}` });
    const pages = new ExtensionPages(page);
    await pages.openSettings();
    await page.getByRole('button', { name: 'Require approvals' }).click();
    await page.getByRole('dialog').getByText('another person than the one who pushed', { exact: false }).waitFor();
    await desk.lookAtDialog(page, 'approvals-require');
    await page.getByRole('dialog').getByRole('button', { name: 'Require approvals' }).click();
    await page.getByText('requires approvals now', { exact: false }).first().waitFor();
    const { body } = await desk.world.api.as(author.mine).get(`/extensions/${author.mine.extensionId}`);
    expect(body.approval).toEqual({ required: true });
  });

  it('is shown to who pushed it as waiting for somebody else', async () => {
    await push('1.1.0', ['tabs', 'storage']);
    const page = await desk.visit({ as: author.mine });
    const { needs } = new Home(page);
    await needs.getByText('waits for the approval of another person.', { exact: false }).waitFor();
    await needs.getByRole('link', { name: 'Look' }).click();
    await page.getByText('waits for another person', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' });
    await desk.look(page, 'approvals-own');
  });

  it('shows the other person where it comes from and what it changes, and goes out once approved by keyboard alone', async () => {
    const page = await desk.visit({ as: bob });
    const { needs } = new Home(page);
    await needs.getByText(`CI (${author.mine.email}) wants to send`, { exact: false }).waitFor();
    await desk.look(page, 'approvals-home');
    await needs.getByRole('link', { name: 'Decide' }).click();
    await page.getByText('waits for you', { exact: true }).waitFor();
    await page.getByText(COMMIT).waitFor();
    await page.getByRole('heading', { name: 'What changes since 1.0.0' }).waitFor();
    await page.getByRole('list', { name: 'Permissions' }).getByText('tabs').waitFor();
    await page.getByText('The manifest has the key "update_url". Remove it.').waitFor();
    await desk.look(page, 'approvals-waiting');
    const keys = new Keyboard(page);
    await keys.press(page.getByRole('button', { name: 'Approve', exact: true }));
    await page.getByRole('dialog').getByText('1.1.0 goes to every enabled store', { exact: false }).waitFor();
    await desk.lookAtDialog(page, 'approvals-approve');
    await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Approve 1.1.0' }));
    await page.getByText(`${bob.email} approved it.`).waitFor();
    await page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' });
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
  });

  it('is not sent once rejected, and says why where it was pushed', async () => {
    await author.act('approve');
    await author.reconcile();
    await push('1.2.0');
    const [asked] = (await desk.world.api.as(author.mine).get('/approvals')).body.items;
    const page = await desk.visit({ as: bob, path: `/approvals/${asked.id}` });
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByLabel('Why').fill('It asks for too much.');
    await desk.lookAtDialog(page, 'approvals-reject');
    await page.getByRole('button', { name: 'Reject 1.2.0' }).click();
    await page.getByText(`${bob.email} rejected it: It asks for too much.`).waitFor();
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
    const own = await desk.visit({ as: author.mine });
    await new Home(own).needs.getByText('was not approved for Chrome Web Store', { exact: false }).waitFor();
    await new Home(own).needs.getByRole('link', { name: 'See why' }).click();
    await own.getByText(`${bob.email} rejected version 1.2.0: It asks for too much.`, { exact: false }).waitFor();
    await desk.look(own, 'approvals-rejected');
  });
});
