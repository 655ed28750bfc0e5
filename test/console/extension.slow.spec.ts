import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page, Route } from 'playwright-core';
import type { Answer, Api } from '../support/api.js';
import { DataSource } from '../support/app.js';
import { expectStatus, type Publishable } from '../support/given.js';
import { packageOf, zipOf } from '../support/packages.js';
import { Author } from '../reconcile/author.js';
import { Publisher } from '../reconcile/publisher.js';
import { ExtensionPages } from './pages/extension.js';
import { SignIn } from './pages/sign-in.js';
import { Desk, hush, inChromium } from './support/desk.js';
import { Keyboard } from './support/keyboard.js';

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '\u202Egnp.exe \u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627',
  '🦉👩‍👩‍👧‍👦',
  'x'.repeat(10_000),
].join(' ');
/** A name that may be given: without the mark that turns the direction of what follows. */
const NAME = HOSTILE.replace('\u202E', '').slice(0, 200);

inChromium('the pages of an extension', () => {
  let desk: Desk;
  let owner: Publishable;
  let api: Api;
  const at = (rest = '') => `/extensions/${owner.extensionId}${rest}`;
  const target = () => at(`/targets/${owner.targetId}`);
  const open = async (rest = '', path = at(rest)): Promise<{ readonly page: Page; readonly pages: ExtensionPages }> => {
    const page = await desk.visit({ as: owner, path });
    return { page, pages: new ExtensionPages(page) };
  };
  const called = (name: string): Promise<Answer> => api.patch(at(), { name });

  beforeAll(async () => {
    desk = await Desk.open();
    owner = await desk.world.given.publishable({ published: '1.0.0' });
    api = desk.world.api.as(owner);
    expectStatus(await called('Night Owl'), 200);
  });
  afterAll(() => desk.close());

  it('push a version by keyboard alone, after a check that keeps nothing, and follow it until it is live', async () => {
    const { page, pages } = await open('/push');
    await pages.title('Push a version').waitFor();
    await pages.package('none', Buffer.from('no zip'));
    await page.getByText('This file is not a zip.').waitFor();
    await pages.package('folder', await zipOf({ 'owl/manifest.json': '{}' }));
    await page.getByText('no manifest.json at its root').waitFor();

    await pages.package('1.1.0', await packageOf('1.1.0', { permissions: ['tabs'], host_permissions: ['<all_urls>'] }));
    const push = page.getByRole('button', { name: /^Push 1\.1\.0/ });
    await push.waitFor();
    await page.getByText('Goes to Chrome.').waitFor();
    await page.getByText('tabs, <all_urls>').waitFor();
    await page.getByText('Read and change all your data on all websites').waitFor();
    expect((await api.get(`/artifacts?extension=${owner.extensionId}`)).body.artifacts).toEqual([]);
    const keys = new Keyboard(page);
    const sent = new Promise<Route>((held) => void page.route('**/api/v1/artifacts?*', held, { times: 1 }));
    await keys.press(push);
    const upload = await sent;
    // Who closes the page now is asked first.
    const leave = `window.dispatchEvent(new Event('beforeunload', { cancelable: true }))`;
    expect(await page.evaluate(leave)).toBe(false);
    await upload.continue();

    await pages.title('1.1.0').waitFor();
    expect(await page.evaluate(leave)).toBe(true);
    await page.locator('#main:focus').waitFor();
    await page.getByText('Pushed 1.1.0.').first().waitFor();
    expectStatus(await api.post(`${at()}/reconcile`), 200);
    await pages.way('Chrome').getByText('in review', { exact: true }).waitFor();
    await page.getByText('1.1.0 by', { exact: false }).or(page.getByText(owner.email)).first().waitFor();
    await desk.look(page, 'version');
  });

  it('say once what a version asks for beyond the one that is live', async () => {
    const mine = await desk.world.given.publishable({ published: '1.0.0' });
    const own = desk.world.api.as(mine);
    const query = { extension: mine.extensionId, version: '1.0.0' };
    expectStatus(await own.push(query, new Uint8Array(await packageOf('1.0.0'))), 201);
    expectStatus(await own.post(`/extensions/${mine.extensionId}/reconcile`), 200);
    const page = await desk.visit({ as: mine, path: `/extensions/${mine.extensionId}/push` });
    const wider = { permissions: ['history'], host_permissions: ['https://example.com/*'] };
    await new ExtensionPages(page).package('1.1.0', await packageOf('1.1.0', wider));
    await page.getByText('Unlike version 1.0.0, which is live, this one asks for', { exact: false }).waitFor();
    await page.getByText('history, https://example.com/*', { exact: true }).waitFor();
    await page.getByText('Access to "https://example.com/*"', { exact: true }).waitFor();
    await desk.look(page, 'push-wider');
  });

  it('publish an approved version that waits, by keyboard alone, behind what will happen', async () => {
    expectStatus(await api.patch(target(), { release: 'manual' }), 200);
    const { page, pages } = await open();
    await pages.title('Night Owl').waitFor();
    await pages.versions.getByText('in review').waitFor();
    await desk.look(page, 'extension');
    const keys = new Keyboard(page);
    const publish = pages.act('Chrome', 'Publish');
    await keys.press(publish);
    await pages.dialog.waitFor();
    await page.keyboard.press('Escape');
    await pages.dialog.waitFor({ state: 'detached' });
    await keys.at(publish);
    await page.keyboard.press('Enter');
    await pages.dialog.getByText('1.1.0 goes live at Chrome as soon as the store has approved it.').waitFor();
    await pages.dialog.getByText('Next step:').waitFor();
    await keys.press(pages.dialog.getByRole('button', { name: 'Publish the approved version' }));
    await pages.dialog.waitFor({ state: 'detached' });
    await keys.at(publish);
    await page.getByText('Chrome publishes the version once it is approved.').first().waitFor();

    await pages.choose('Chrome', 'Pause');
    await pages.dialog.getByRole('button', { name: 'Pause' }).click();
    await pages.stores.getByText('paused').waitFor();
    await pages.act('Chrome', 'Resume').click();
    await pages.dialog.getByRole('button', { name: 'Resume' }).click();
    await pages.stores.getByText('paused').waitFor({ state: 'detached' });
  });

  it('show names and words of stores as text, in their own direction, however long', async () => {
    expectStatus(await called(NAME), 200);
    const sql = 'update target_status set message = $2 where target_id = $1';
    await desk.world.app.get(DataSource).query(sql, [owner.targetId, HOSTILE]);
    const { page, pages } = await open();
    await pages.title(NAME.slice(0, 40)).waitFor();
    await page.getByText('<script>alert(1)</script>').first().waitFor();
    await desk.look(page, 'hostile');
    await page.goto(at('/timeline?kind=pinned&version=1.1.0'));
    await pages.timeline.getByText('Version 1.1.0 was pinned').waitFor();
    // The columns, the day, and the event.
    expect(await pages.timeline.getByRole('row').count()).toBe(3);
    await pages.timeline.getByRole('link', { name: owner.email }).waitFor();
    await page.goto(at('/timeline?kind=target_changed'));
    await pages.timeline.getByText('“Item”, “Credential”').first().waitFor();
    await page.goto(at('/timeline?version=9.9.9'));
    await page.getByText('No event matches the filter.').waitFor();
    expectStatus(await called('Night Owl'), 200);
    await page.goto(at('/push'));
    await pages.package('hostile', await packageOf('1.2.0', { name: HOSTILE }));
    await page.getByText('<script>alert(1)</script>').first().waitFor();
    const { height } = (await page.getByRole('definition').first().boundingBox()) ?? { height: Infinity };
    expect(height).toBeLessThan(200);
    await desk.look(page, 'hostile-push');
  });

  it('ask before unsaved settings are left, by a link or back', async () => {
    const { page, pages } = await open();
    await pages.openStore('Chrome');
    const percent = await pages.share();
    await percent.fill('33');
    const back = page.getByRole('link', { name: '← Night Owl' });
    await back.click();
    await pages.dialog.getByText('Leave without saving?').waitFor();
    await desk.lookAtDialog(page, 'unsaved');
    await pages.dialog.getByRole('button', { name: 'Stay' }).click();
    await pages.dialog.waitFor({ state: 'detached' });
    expect(await percent.inputValue()).toBe('33');
    await page.goBack();
    await pages.dialog.getByText('Leave without saving?').waitFor();
    expect(page.url()).toContain('/targets/');
    await pages.dialog.getByRole('button', { name: 'Discard and leave' }).click();
    await pages.title('Night Owl').waitFor();
    await pages.openStore('Chrome');
    expect(await percent.count()).toBe(0);
    // What is unchanged is left at once.
    await back.click();
    await pages.title('Night Owl').waitFor();
  });

  it('name platforms as their makers do', async () => {
    const safari = await desk.world.given.targetOf(owner, owner.extensionId, 'safari');
    const { pages } = await open(`/targets/${safari}`);
    for (const name of ['macOS', 'iOS']) await pages.settings.getByText(name, { exact: true }).waitFor();
  });

  it('write nothing over what somebody else has changed unseen', async () => {
    const { page, pages } = await open('', target());
    const notes = pages.settings.getByLabel('When another version is in review');
    await pages.title('Chrome').waitFor();
    await notes.waitFor();
    const percent = await pages.share();
    await percent.fill('20');
    expectStatus(await api.patch(target(), { rolloutPercent: 50 }), 200);
    await pages.save.click();
    await page.getByText('Somebody else changed this target. Nothing was saved.').waitFor();
    await page.getByText('now 50; yours: 20').waitFor();
    await desk.look(page, 'conflict');
    expect((await api.get(target())).body.rolloutPercent).toBe(50);
    await page.getByRole('button', { name: 'Keep theirs' }).click();
    expect(await percent.inputValue()).toBe('50');

    await percent.fill('60');
    await desk.world.given.pinned(owner, '1.2.0');
    await pages.save.click();
    await page.getByText('Saved the settings of Chrome.').first().waitFor();
    expect((await api.get(target())).body.rolloutPercent).toBe(60);
  });

  it('offer a version to as many as was typed, and never to everyone by a number that cannot be read', async () => {
    expectStatus(await api.patch(target(), { rolloutPercent: 10 }), 200);
    const { page, pages } = await open('', target());
    const percent = pages.settings.getByLabel('Percent of users');
    for (const unread of ['twenty', '20.5', '0', '101', '-20', '']) {
      await percent.fill(unread);
      await pages.settings.getByText('must be a whole number from 1 to 100.').first().waitFor();
      await pages.save.click();
      await desk.settled(page);
      expect(await percent.inputValue()).toBe(unread);
      expect((await api.get(target())).body.rolloutPercent).toBe(10);
    }
    await percent.fill('20 %');
    await pages.save.click();
    await page.getByText('Saved the settings of Chrome.').first().waitFor();
    expect((await api.get(target())).body.rolloutPercent).toBe(20);
    await pages.everyone.click();
    await pages.save.click();
    await pages.settings.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' });
    expect((await api.get(target())).body.rolloutPercent).toBeNull();
  });

  it('keep what was typed when the session ends or the service is out of reach', async () => {
    const { page, pages } = await open('', target());
    const percent = await pages.share();
    await percent.fill('70');
    const speak = await hush(page);
    desk.line.cut();
    await pages.save.click();
    await pages.settings.getByText('No connection').waitFor();
    desk.line.mend();
    const { items } = (await desk.world.api.as({ cookie: owner.cookie }).get('/auth/sessions')).body;
    for (const { id } of items) await desk.world.api.as({ cookie: owner.cookie }).delete(`/auth/sessions/${id}`);
    await pages.save.click();
    await page.getByRole('form', { name: 'Log in' }).waitFor();
    await speak();
    await new SignIn(page).logIn({ password: owner.password });
    await page.getByText('Saved the settings of Chrome.').first().waitFor();
    expect(await percent.inputValue()).toBe('70');
  });

  it('understand pasted addresses, show what only the store supports, and delete by name', async () => {
    const edge = await desk.world.given.targetOf(owner, owner.extensionId, 'edge');
    const again = await desk.world.given.loggedIn(owner);
    const page = await desk.visit({ as: again, path: at(`/targets/${edge}`) });
    const pages = new ExtensionPages(page);
    await pages.title('Edge').waitFor();
    const address = pages.settings.getByLabel('Address of the item at Microsoft Edge Add-ons');
    await address.fill('https://chromewebstore.google.com/detail/owl/abcdefghijklmnopabcdefghijklmnop');
    await page.getByText('This is an address of Chrome Web Store.').waitFor();
    await address.fill('https://microsoftedge.microsoft.com/addons/detail/owl/abcdefghijklmnopabcdefghijklmnop?hl=en');
    await page.getByText('Recognized: the ids below are filled in.').waitFor();
    expect(await pages.settings.getByLabel('Percent of users').count()).toBe(0);
    await pages.save.click();
    await page.getByText('Saved the settings of Edge.').first().waitFor();
    expect((await api.get(at(`/targets/${edge}`))).body.crxId).toBe('abcdefghijklmnopabcdefghijklmnop');

    await page.getByRole('link', { name: 'Add one' }).waitFor();
    await page.getByRole('button', { name: 'Delete target' }).click();
    const confirm = pages.dialog.getByRole('button', { name: 'Delete target' });
    expect(await confirm.isDisabled()).toBe(true);
    await pages.dialog.getByLabel('Type “Edge” to confirm').fill('Edge');
    await confirm.click();
    await pages.title('Night Owl').waitFor();
    expect((await api.get(at(`/targets/${edge}`))).status).toBe(404);
  });

  it('rename an extension, add a target to it, and delete it by name once nobody has a license of it', async () => {
    const { given } = desk.world;
    const id = await given.extension(owner, 'Barn Owl');
    const { licenseId } = await given.licensed({ extensionId: id }, owner);
    const page = await desk.visit({ as: await given.loggedIn(owner), path: `/extensions/${id}` });
    const pages = new ExtensionPages(page);
    await pages.title('Barn Owl').waitFor();
    await pages.openSettings();
    await pages.settings.getByLabel('Name').fill('Night Owl');
    await pages.save.click();
    await pages.settings.locator('[data-code=duplicate_name]').waitFor();
    await pages.settings.getByLabel('Name').fill('Snowy Owl');
    await pages.settings.getByRole('checkbox', { name: 'Count pings of installs' }).click();
    await pages.settings.getByRole('checkbox', { name: 'Activate by a button in mails with a code' }).click();
    await desk.look(page, 'extension-settings');
    await pages.save.click();
    await pages.title('Snowy Owl').waitFor();
    await page.getByText('Saved the settings.').first().waitFor();
    expect((await api.get(`/extensions/${id}`)).body).toMatchObject({
      analytics: { enabled: false },
      licensing: { enabled: true, activationLink: true },
    });

    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Add a target' }).click();
    await pages.dialog.getByRole('combobox', { name: 'Store' }).click();
    await page.getByRole('option', { name: 'Firefox Add-ons' }).click();
    await desk.lookAtDialog(page, 'add-target');
    await pages.dialog.getByRole('button', { name: 'Add' }).click();
    await pages.title('Firefox without item').waitFor();
    await page.getByRole('link', { name: '← Snowy Owl' }).click();
    expect(await pages.stores.getByRole('link', { name: /^Firefox/ }).count()).toBe(2);

    await pages.openSettings();
    await page.getByRole('button', { name: 'Delete extension' }).click();
    const remove = pages.dialog.getByRole('button', { name: 'Delete extension' });
    expect(await remove.isDisabled()).toBe(true);
    await pages.dialog.getByLabel('Type “Snowy Owl” to confirm').fill('Snowy Owl');
    await remove.click();
    await pages.dialog.locator('[data-code=licenses_issued]').waitFor();
    expectStatus(await api.post(`/licenses/${licenseId}/revoke`), 200);
    expectStatus(await api.delete(`/licenses/${licenseId}`), 204);
    await remove.click();
    await page.getByText('Deleted Snowy Owl.').first().waitFor();
    await page.waitForURL(`${desk.line.url}/`);
    expect((await api.get(`/extensions/${id}`)).status).toBe(404);
  });

  it('promote what one store has to others, behind what follows there, and take it back', async () => {
    const { world } = desk;
    const tenant = await world.given.tenant();
    const publisher = await Publisher.in(world, ['chrome', 'firefox', 'edge'], tenant);
    await publisher.push('1.0.0');
    await publisher.reconcile();
    const [{ id: extension }] = (await world.api.as(tenant).get('/extensions')).body.items;
    const [{ manifest }] = (await world.api.as(tenant).get(`/artifacts?extension=${extension}`)).body.artifacts;
    const gecko = { id: manifest.geckoId, data_collection_permissions: { required: ['none'] } };
    const zip = await packageOf('1.1.0', { browser_specific_settings: { gecko }, permissions: ['tabs'] });
    const pushed = { extension, version: '1.1.0', store: 'chrome' };
    expectStatus(await world.api.as(tenant).push(pushed, new Uint8Array(zip)), 201);
    await publisher.reconcile();

    const page = await desk.visit({ as: tenant, path: `/extensions/${extension}` });
    const pages = new ExtensionPages(page);
    await pages.choose('Chrome', 'Promote to other stores');
    await pages.dialog.getByText('Next step: upload. Version 1.1.0 is pinned').first().waitFor();
    await desk.look(page, 'promote');
    await pages.dialog.getByText('Edge: 1.1.0').click();
    await pages.dialog.getByRole('button', { name: 'Promote 1.1.0 to Firefox', exact: true }).click();
    await pages.dialog.getByText('1.1.0 is pinned for Firefox.').waitFor();
    await pages.dialog.getByText('Next step:').waitFor();
    expect((await publisher.status('firefox')).desiredVersion).toBe('1.1.0');
    expect((await publisher.status('edge')).desiredVersion).toBe('1.0.0');
    await desk.look(page, 'promoted');

    await pages.dialog.getByRole('button', { name: 'Undo' }).click();
    await pages.dialog.waitFor({ state: 'detached' });
    await page.getByText('Firefox goes on with what was pinned before.').first().waitFor();
    expect((await publisher.status('firefox')).desiredVersion).toBe('1.0.0');
  });

  it('roll back to the version before under the next number', async () => {
    const author = await Author.in(desk.world, { weeklyUsers: 50_000 });
    for (const version of ['1.0.0', '1.1.0']) {
      await author.push(version);
      if (version === '1.1.0') await author.set({ rolloutPercent: 10 });
      await author.reconcile();
      await author.act('approve');
      await author.reconcile();
    }
    const page = await desk.visit({ as: author.mine, path: `/extensions/${author.mine.extensionId}` });
    const pages = new ExtensionPages(page);
    await page.getByRole('button', { name: 'Roll back', exact: true }).click();
    expect(await pages.dialog.getByLabel('Version to bring back').inputValue()).toBe('1.0.0');
    expect(await pages.dialog.getByLabel('New number').inputValue()).toBe('1.1.1');
    await pages.dialog.getByLabel('Reason').fill('It miscounts.');
    await desk.look(page, 'roll-back');
    await pages.dialog.getByLabel('Type “Chrome” to confirm').fill('Chrome');
    await pages.dialog.getByRole('button', { name: 'Roll back' }).click();
    await page.getByText('Chrome brings 1.0.0 back as 1.1.1.').first().waitFor();
    await pages.versions.getByRole('link', { name: '1.1.1' }).click();
    await page.getByText('Brings back').waitFor();
  });

  it('show where a version stopped, and what identifies it to the support of Edge', async () => {
    const author = await Author.in(desk.world, { published: '1.0.0' });
    await author.push('1.1.0');
    await author.reconcile();
    await author.act('reject');
    await author.reconcile();
    const page = await desk.visit({ as: author.mine, path: `/extensions/${author.mine.extensionId}/versions/1.1.0` });
    const way = new ExtensionPages(page).way('Chrome');
    await way.getByText('In review (stopped here)').waitFor();
    await way.getByRole('heading', { name: 'What Chrome says' }).waitFor();

    const tenant = await desk.world.given.tenant();
    const publisher = await Publisher.in(desk.world, ['edge'], tenant);
    await publisher.push('1.0.0');
    await publisher.reconcile();
    const { items } = (await desk.world.api.as(tenant).get('/extensions')).body;
    const { items: versions } = (await desk.world.api.as(tenant).get(`/extensions/${items[0].id}/releases`)).body;
    const { storeIds } = versions[0].targets.find(({ store }: { readonly store: string }) => store === 'edge');
    const edge = await desk.visit({ as: tenant, path: `/extensions/${items[0].id}/versions/1.0.0` });
    await edge.getByText('Ask Edge’s support about this version').click();
    const inquiry = await edge.getByLabel('inquiry', { exact: true }).textContent();
    expect(inquiry).toContain(`What is the status of version 1.0.0 of ${items[0].name}?`);
    expect(inquiry).toContain(`uploadOperation: ${storeIds.uploadOperation}`);
    await edge.goto('/extensions/none/versions/%25');
    await edge.locator('[data-code=extension_not_found]').waitFor();
  });

  it('say what is not there, and hide from those who may only look what they may not do', async () => {
    const viewer = await desk.world.given.member(await desk.world.given.loggedIn(owner), 'viewer');
    const page = await desk.visit({ as: viewer, path: at('/versions/0.0.1') });
    await page.getByText('No such version').waitFor();
    await page.goto('/extensions/01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d4');
    await page.locator('[data-code=extension_not_found]').waitFor();
    await page.goto(at());
    await new ExtensionPages(page).title('Night Owl').waitFor();
    expect(await page.getByRole('link', { name: 'Push a version' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /: Chrome$|^Actions for|^Add a target/ }).count()).toBe(0);
    await page.goto(at('/push'));
    await page.getByText('Your role may not push.').waitFor();
    expect(await page.locator('input[type=file]').count()).toBe(0);
  });
});
