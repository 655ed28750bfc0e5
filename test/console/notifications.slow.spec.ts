import { afterAll, beforeAll, expect, it } from 'vitest';
import { Receiver } from '../notifications/receiver.js';
import { deliverWebhooks, post } from '../notifications/team.js';
import { SECOND } from '../support/clock.js';
import type { Tenant } from '../support/given.js';
import { SmtpServer } from '../support/smtp-server.js';
import { Notifications } from './pages/notifications.js';
import { Desk, inChromium } from './support/desk.js';

inChromium('the page of notifications', () => {
  let receiver: Receiver;
  let smtp: SmtpServer;
  let desk: Desk;
  let owner: Tenant;
  beforeAll(async () => {
    receiver = await Receiver.start();
    smtp = await SmtpServer.start();
    desk = await Desk.open(smtp.env);
    owner = await desk.world.given.tenant();
  });
  afterAll(async () => {
    await desk.close();
    await receiver.close();
    await smtp.close();
  });

  it('adds a webhook whose secret is shown once, tests it, and sends again what the receiver refused', async () => {
    const page = await desk.visit({ as: owner, path: '/notifications' });
    const notifications = new Notifications(page);
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    await desk.look(page, 'notifications-empty');

    await notifications.add('Webhook', 'ftp://example');
    await notifications.dialog().getByText(/must/).first().waitFor();
    await desk.look(page, 'notifications-add');
    const url = receiver.url('/hooks/<b>?a="x"');
    await notifications.dialog().getByLabel('URL').fill(url);
    await notifications.dialog().getByRole('checkbox', { name: 'A review takes unusually long' }).press('Space');
    await notifications.dialog().getByLabel('URL').press('Enter');
    expect(await notifications.secret().getByLabel('secret', { exact: true }).textContent()).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    await notifications.secret().getByRole('button', { name: 'I have stored it' }).click();
    const place = new URL(url).href;
    const row = notifications.endpoint('/hooks/');
    await row.getByText('18 events').waitFor();

    const { pathname, search } = new URL(url);
    receiver.answer(pathname + search, 503, {}, 1);
    await row.getByRole('button', { name: 'Send a test' }).click();
    await page
      .getByText(/A test is on its way/)
      .first()
      .waitFor();
    await deliverWebhooks(desk.world);
    await notifications.deliveries().getByText('Answered 503').waitFor();
    await desk.look(page, 'notifications');
    await notifications.deliveries().getByRole('button', { name: 'Attempts' }).click();
    await notifications.dialog().getByLabel('Answer').getByText('MARKED words of the receiver').waitFor();
    expect(await notifications.dialog().getByLabel('Request').textContent()).not.toContain('webhook-signature');
    await desk.lookAtDialog(page, 'notifications-attempts');
    await page.keyboard.press('Escape');
    desk.world.clock.forward(6 * SECOND);
    await notifications.deliveries().getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Replayed the delivery.').first().waitFor();
    await deliverWebhooks(desk.world);
    await notifications.deliveries().getByText('delivered').waitFor();
    await notifications.deliveries().getByText('Answered 204 · 2 tries').waitFor();

    await notifications.filter('Outcome', 'Given up');
    await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor();
    expect(new URL(page.url()).search).toBe('?outcome=given_up');

    const name = (await row.locator('div').first().textContent()) ?? place;
    await notifications.act(name, 'Send an example…');
    await notifications.dialog().getByRole('combobox', { name: 'Example of' }).click();
    await page.getByRole('option', { name: 'A license is revoked' }).click();
    await notifications.dialog().getByRole('button', { name: 'Send', exact: true }).click();
    await notifications.dialog().waitFor({ state: 'detached' });
    await deliverWebhooks(desk.world);
    expect(receiver.at(pathname + search).at(-1)?.body).toMatchObject({
      type: 'license.revoked',
      data: { example: true },
    });
    await notifications.act(name, 'Make a new secret');
    await notifications.secret().getByRole('button', { name: 'I have stored it' }).press('Enter');
    await row.getByText('the former secret also signs').waitFor();
    await notifications.act(name, 'Switch off');
    await row.getByText('switched off').waitFor();
    await notifications.act(name, 'Delete');
    await notifications.dialog().getByRole('textbox').fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
  });

  it('says that an address is not confirmed, sends another link, and shows those who may only read no button', async () => {
    const page = await desk.visit({ as: owner, path: '/notifications' });
    const notifications = new Notifications(page);
    await notifications.add('E-mail', 'team@author.example');
    const row = notifications.endpoint('team@author.example');
    await row.getByText('not confirmed').waitFor();
    await row.getByText(/has a link by mail, which expires in/).waitFor();
    await post(desk.world);
    await notifications.act('team@author.example', 'Send another link');
    await page.getByText('Sent another link to team@author.example.').first().waitFor();
    await post(desk.world);
    expect(smtp.to('team@author.example')).toHaveLength(2);
    await desk.look(page, 'notifications-unconfirmed');

    await notifications.act('team@author.example', 'Edit');
    await notifications.dialog().getByRole('checkbox', { name: 'A version is live' }).waitFor();
    const [{ id }] = (await desk.world.api.as(owner).get('/notifications/endpoints')).body.items;
    await desk.world.api.as(owner).patch(`/notifications/endpoints/${id}`, { events: ['rejected'] });
    // The page behind the dialog follows; what is being edited does not.
    await page.getByText('E-mail · A store rejected a version').waitFor();
    await notifications.dialog().getByRole('checkbox', { name: 'A version is live' }).click();
    await notifications.dialog().getByRole('button', { name: 'Save' }).click();
    await notifications.dialog().getByRole('alert').waitFor();
    await notifications.dialog().getByRole('button', { name: 'Show what is there now' }).click();
    await notifications.dialog().getByRole('checkbox', { name: 'A version is live', checked: false }).waitFor();
    await page.keyboard.press('Escape');

    const reader = await desk.visit({ as: await desk.world.given.member(owner, 'viewer'), path: '/notifications' });
    await new Notifications(reader).endpoint('team@author.example').waitFor();
    expect(await reader.getByRole('main').getByRole('button').count()).toBe(0);
  });

  it('sends what happens to the licenses of one plan to an endpoint that asks for it', async () => {
    const seller = await desk.world.given.tenant();
    const extensionId = await desk.world.given.extension(seller, 'Night Owl');
    const planId = await desk.world.given.plan(seller, extensionId);
    await desk.world.given.plan(seller, extensionId);
    const { tier } = (await desk.world.api.as(seller).get(`/plans/${planId}`)).body;
    const page = await desk.visit({ as: seller, path: '/notifications' });
    const notifications = new Notifications(page);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = notifications.dialog();
    await dialog.getByLabel('URL').fill(receiver.url('/licenses'));
    expect(await dialog.getByRole('group', { name: 'Tiers' }).count()).toBe(0);
    await dialog.getByRole('checkbox', { name: 'A license is issued' }).click();
    const plans = dialog.getByRole('group', { name: 'Licenses of' });
    await plans.getByRole('checkbox', { name: 'All plans, also later ones' }).click();
    const submit = dialog.getByRole('button', { name: 'Add endpoint' });
    expect(await submit.isDisabled()).toBe(true);
    await plans.getByRole('checkbox', { name: `Night Owl, ${tier}` }).click();
    await desk.look(page, 'notifications-licenses');
    await submit.click();
    await notifications.secret().getByRole('button', { name: 'I have stored it' }).click();
    await notifications.endpoint('/licenses').getByText('20 events, of some extensions or plans').waitFor();
    const [endpoint] = (await desk.world.api.as(seller).get('/notifications/endpoints')).body.items;
    expect(endpoint).toMatchObject({ planIds: [planId], extensionIds: null, tiers: null });
    expect(endpoint.events).toContain('license.issued');
  });
});
