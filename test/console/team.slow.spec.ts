import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeIn } from '../licensing/delivery/codes.js';
import { MailDeliveryWorker } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { partOf, SmtpServer } from '../support/smtp-server.js';
import { Licenses } from './pages/licenses.js';
import { Desk, inChromium } from './support/desk.js';

inChromium('the people of a license', () => {
  let smtp: SmtpServer;
  let desk: Desk;
  let owner: Tenant;
  let extensionId: string;
  let planId: string;
  beforeAll(async () => {
    smtp = await SmtpServer.start();
    desk = await Desk.open(smtp.env);
    owner = await desk.world.given.tenant();
    extensionId = await desk.world.given.extension(owner, 'Tab Counter');
    const plan = { extensionId, tier: 'team', maxActivations: 5 };
    planId = expectStatus(await api().post('/plans', plan), 201).body.id;
  });
  afterAll(async () => {
    await desk.close();
    await smtp.close();
  });

  const api = () => desk.world.api.as(owner);
  const issue = async (): Promise<string> =>
    expectStatus(await api().post('/licenses', { planId, buyerEmail: 'boss@buyer.example' }), 201).body.id;
  const mailed = async (email: string): Promise<string> => {
    await desk.world.app.get(MailDeliveryWorker).tick();
    const mail = smtp.to(email).at(-1);
    return mail === undefined ? '' : codeIn(partOf(mail, 'text/plain'));
  };
  const seat = async (code: string, label: string): Promise<void> => {
    const device = { code, extensionId, fingerprint: label, deviceInfo: { label } };
    expect(expectStatus(await desk.world.api.post('/licensing/activate', device), 200).body.success).toBe(true);
  };

  it('are as many as its plan says, or as it says itself', async () => {
    const id = await issue();
    const page = await desk.visit({ as: owner, path: '/plans' });
    const licenses = new Licenses(page);
    await page.getByRole('button', { name: 'More for team' }).click();
    await page.getByRole('menuitem', { name: 'Team…' }).click();
    await licenses.dialog.getByLabel('People besides the buyer').fill('many');
    await licenses.press('Save');
    await licenses.dialog.getByText('People besides the buyer must be').waitFor();
    await licenses.dialog.getByLabel('People besides the buyer').fill('3');
    await licenses.dialog.getByLabel('Devices for each of them').fill('2');
    await licenses.press('Save');
    await licenses.says('Changed the plan team.');
    await page.getByText('for 3 people besides the buyer, 2 each').waitFor();

    await page.goto(`/licenses/${id}`);
    await page.getByRole('heading', { name: 'People, 0 of 3' }).waitFor();
    await desk.look(page, 'license-team-empty');
    await page.getByRole('button', { name: 'Change' }).click();
    expect(await licenses.dialog.getByLabel('People besides the buyer').inputValue()).toBe('');
    await licenses.dialog.getByLabel('People besides the buyer').fill('0');
    await licenses.press('Save');
    await licenses.says('Changed the license.');
    await page.getByRole('heading', { name: /^People/ }).waitFor({ state: 'detached' });
    expect(expectStatus(await api().get(`/licenses/${id}`), 200).body).toMatchObject({ maxMembers: 0, team: null });
  });

  it('are invited, use devices within their limit, get new codes, and are removed by their address', async () => {
    expectStatus(await api().patch(`/plans/${planId}`, { maxMembers: 2, seatsPerMember: 2 }), 200);
    const id = await issue();
    const page = await desk.visit({ as: owner, path: `/licenses/${id}` });
    const licenses = new Licenses(page);
    const people = page.getByRole('table', { name: 'People' });
    const row = (email: string) => people.getByRole('row').filter({ hasText: email });
    const invite = async (email: string): Promise<void> => {
      await page.getByRole('button', { name: 'Invite a person' }).click();
      await licenses.dialog.getByLabel('E-mail address').fill(email);
      await licenses.press('Invite');
    };
    await invite('nobody');
    await licenses.dialog.getByText('E-mail address must be').waitFor();
    await licenses.press('Cancel');
    for (const email of ['ann@team.example', 'ben@team.example']) {
      await invite(email);
      await row(email).getByText('invited').waitFor();
    }
    await invite('cid@team.example');
    await licenses.dialog.getByText('2 people can be on this license.').waitFor();
    await licenses.press('Cancel');

    const first = await mailed('ann@team.example');
    await seat(first, 'Chrome of Ann');
    await row('ann@team.example').getByText('joined').waitFor();
    await row('ann@team.example').getByText('1 of 2').waitFor();
    const devices = page.getByRole('table', { name: 'Devices that hold a seat' });
    await devices.getByRole('row').filter({ hasText: 'Chrome of Ann' }).getByText('ann@team.example').waitFor();
    await desk.look(page, 'license-team');

    await page.getByRole('button', { name: 'Make a link' }).click();
    await licenses.press('Make the link');
    const link = (await licenses.dialog.getByLabel('link', { exact: true }).textContent()) ?? '';
    expect((await fetch(link)).status).toBe(200);
    await desk.lookAtDialog(page, 'license-team-link');
    await licenses.press('Done');

    await page.getByRole('button', { name: 'Mail a new code to ann@team.example' }).click();
    await licenses.press('Mail a new code');
    await licenses.says('A mail with a new code is on its way to ann@team.example.');
    const second = await mailed('ann@team.example');
    await row('ann@team.example')
      .getByText(`…${second.slice(-5)}`)
      .waitFor();
    expect(second).not.toBe(first);

    await page.getByRole('button', { name: 'Remove ann@team.example' }).click();
    await licenses.confirm('ann@team.example', 'Remove');
    await licenses.says('ann@team.example is no longer on the license.');
    await page.getByRole('heading', { name: 'No device yet' }).waitFor();
    await page.getByRole('heading', { name: 'People, 1 of 2' }).waitFor();

    // The people on the license stay when its limit falls to nobody, and the page still lists them.
    expectStatus(await api().patch(`/licenses/${id}`, { maxMembers: 0 }), 200);
    await page.getByText('The license is for one person now.').waitFor();
    await row('ben@team.example').waitFor();
    expect(await page.getByRole('button', { name: 'Invite a person' }).count()).toBe(0);
  });

  it('are shown to a viewer, who changes nothing', async () => {
    const id = await issue();
    expectStatus(await api().post(`/licenses/${id}/members`, { email: 'ann@team.example' }), 201);
    const viewer = await desk.world.given.member(owner, 'viewer');
    const page = await desk.visit({ as: viewer, path: `/licenses/${id}` });
    await page.getByRole('cell', { name: 'ann@team.example' }).waitFor();
    await page.getByRole('heading', { name: 'People, 1 of 2' }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  });
});
