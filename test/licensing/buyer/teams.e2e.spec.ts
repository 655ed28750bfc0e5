import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailDeliveryWorker, type World } from '../../support/app.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { expectStatus } from '../../support/given.js';
import { startMailingWorld } from '../../support/mailing-world.js';
import type { SmtpServer } from '../../support/smtp-server.js';
import { codeIn, everything } from '../delivery/codes.js';
import { Team } from '../team.js';
import { Browser, formOf, formsOf, type Form, type Page } from './buyer.js';

const newEmail = (): string => `${randomUUID()}@member.example`;

describe("a team on the buyers' page", () => {
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  afterAll(() => world.close());

  /** A team, its buyer's browser and page. */
  const open = async (wish: Parameters<typeof Team.open>[2] = {}) => {
    const team = await Team.open(world, smtp, wish);
    const browser = new Browser(world, smtp);
    const listener = { kind: 'webhook', url: 'http://127.0.0.1:9/', events: ['license.seat_freed'] };
    expectStatus(await team.shop.mine('POST', '/notifications/endpoints', listener), 201);
    const page = await browser.enter((await team.license()).buyerEmail);
    return { team, browser, page };
  };
  const withEmail = (form: Form, email: string): Form => ({ ...form, fields: { ...form.fields, email } });
  const reload = (browser: Browser): Promise<Page> => browser.get('/buyer/licenses');
  const joinForm = (link: string, email: string): Form => ({
    action: '/buyer/team/join',
    fields: { token: new URL(link).searchParams.get('token') ?? '', email },
  });
  const linkIn = ({ text }: Page): string =>
    /http[^<]*\/buyer\/team\/join\?token=[^<]+/.exec(text)?.[0].replaceAll('&amp;', '&') ?? '';

  it('is invited by address, seen with its devices, and removed', async () => {
    const { team, browser, page } = await open();
    expect(page.text).toContain('0 of 3 people besides you');
    const email = newEmail();
    const invite = withEmail(formOf(page, 'team/invite'), ` ${email.toUpperCase()} `);
    for (let time = 0; time < 2; time += 1) expect(await browser.send(invite)).toMatchObject({ status: 303 });
    const { code } = await team.mailed(email);
    expect(smtp.to(email)).toHaveLength(1);
    expectStatus(await team.shop.activate('desk', { code, deviceInfo: 'Her laptop' }), 200);
    const seen = await reload(browser);
    expect(seen.text).toContain('1 of 3 people besides you');
    for (const said of [email, 'Her laptop', '1 device', 'joined']) expect(seen.text).toContain(said);
    expect(seen.text).not.toContain(code);
    const remove = formOf(seen, 'team/remove');
    for (let time = 0; time < 2; time += 1) expect(await browser.send(remove)).toMatchObject({ status: 303 });
    expect((await reload(browser)).text).not.toContain(email);
    expect((await team.shop.check('desk', { code })).body.reason).toBe('invalid_code');
    expect(await team.freedFor()).toEqual(['buyer']);
  });

  it('is joined by a link, which asks for an address and mails the code there', async () => {
    const { team, browser, page } = await open();
    const made = await browser.send(formOf(page, 'team/link'));
    const link = linkIn(made);
    expect(link).toContain(`seller=${team.shop.license.tenantId}`);
    const stranger = new Browser(world, smtp);
    const asked = await stranger.get(link.replace(/^https?:\/\/[^/]+/, ''));
    expect(asked.status).toBe(200);
    expect(await team.members()).toEqual([]);
    const email = newEmail();
    const join = withEmail(formOf(asked, 'team/join'), email);
    const joined = await stranger.send(join);
    expect(joined).toMatchObject({ status: 200, text: expect.stringContaining('Check your inbox') });
    expect((await stranger.send(join)).text).toBe(joined.text);
    const { code } = await team.mailed(email);
    expect(smtp.to(email)).toHaveLength(1);
    expect(joined.text).not.toContain(code);
    expect((await team.shop.activate('desk', { code })).body.success).toBe(true);
    expect((await everything(world)).includes(new URL(link).searchParams.get('token') ?? '')).toBe(false);
  });

  it('has one link at a time, which ends after seven days', async () => {
    const { browser, page } = await open();
    const spent = { status: 410, text: expect.stringContaining('This link no longer works') };
    const first = linkIn(await browser.send(formOf(page, 'team/link')));
    const second = linkIn(await browser.send(formOf(page, 'team/link')));
    const stranger = new Browser(world, smtp);
    expect(await stranger.send(joinForm(first, newEmail()))).toMatchObject(spent);
    await world.forward(7 * DAY - MINUTE);
    expect(await stranger.send(joinForm(second, newEmail()))).toMatchObject({ status: 200 });
    await world.forward(MINUTE);
    expect(await stranger.send(joinForm(second, newEmail()))).toMatchObject(spent);
    expect(await stranger.send(joinForm('http://x/?token=guessed', newEmail()))).toMatchObject(spent);
    expect(await stranger.send(joinForm(second, 'nobody'))).toMatchObject({ status: 400 });
  });

  it('is joined by a link that the seller made, which replaces the one before', async () => {
    const { team, browser, page } = await open();
    const ofBuyer = linkIn(await browser.send(formOf(page, 'team/link')));
    const made = expectStatus(await team.shop.mine('POST', `${team.path}/link`), 201).body;
    expect(made.expiresAt).toBe(new Date(world.clock.now().getTime() + 7 * DAY).toISOString());
    const stranger = new Browser(world, smtp);
    expect((await stranger.get(made.url.replace(/^https?:\/\/[^/]+/, ''))).status).toBe(200);
    expect((await stranger.send(joinForm(ofBuyer, newEmail()))).status).toBe(410);
    const email = newEmail();
    expect((await stranger.send(joinForm(made.url, email))).status).toBe(200);
    expect(await team.members()).toMatchObject([{ email, joinedAt: null }]);
    expect((await everything(world)).includes(new URL(made.url).searchParams.get('token') ?? '')).toBe(false);
    expectStatus(await team.change({ maxMembers: 0 }), 200);
    expect(await team.shop.mine('POST', `${team.path}/link`)).toMatchObject({
      status: 409,
      body: { code: 'license_not_a_team' },
    });
    expectStatus(await team.shop.mine('POST', `/licenses/${team.shop.licenseId}/revoke`), 200);
    expect(await team.shop.mine('POST', `${team.path}/link`)).toMatchObject({
      status: 409,
      body: { code: 'license_revoked' },
    });
  });

  it('takes nobody who finds no place, and says what that means', async () => {
    const { team, browser, page } = await open({ maxMembers: 2 });
    const link = linkIn(await browser.send(formOf(page, 'team/link')));
    const stranger = new Browser(world, smtp);
    const answers = await Promise.all(Array.from({ length: 20 }, () => stranger.send(joinForm(link, newEmail()))));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200,
      200,
      ...Array.from({ length: 18 }, () => 409),
    ]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain('The team is full');
    expectStatus(await team.change({ maxMembers: 1 }), 200);
    const seen = await reload(browser);
    expect(seen.text).toContain('2 of 1 person besides you');
    expect(seen.text).toContain('All of them stay');
    expect(formsOf(seen).map(({ action }) => action)).not.toContain('/buyer/team/invite');
    expect(await browser.send(withEmail(formOf(page, 'team/invite'), newEmail()))).toMatchObject({ status: 409 });
  });

  it('lets a member see the license with the own devices alone, free them, replace the code, and leave', async () => {
    const { team } = await open({ seatsPerMember: 2 });
    await team.shop.activate('buyer', { deviceInfo: 'The desk of the buyer' });
    const [ann, bob] = [expectStatus(await team.join(), 200).body, expectStatus(await team.join(), 200).body];
    const browser = new Browser(world, smtp);
    const page = await browser.enter(ann.email);
    for (const said of ['Shared with you', '1 of 2 devices', ann.email, ann.code.slice(-5)])
      expect(page.text).toContain(said);
    for (const hidden of [bob.email, 'The desk of the buyer', 'people besides you', (await team.license()).buyerEmail])
      expect(page.text).not.toContain(hidden);

    // What is the buyer's, and what is another member's, stays.
    const foreign = (await team.license()).devices.find(
      ({ memberId }: { memberId: string | null }) => memberId === null,
    );
    const free = formOf(page, 'release');
    await browser.send({ ...free, fields: { ...free.fields, device: foreign.id } });
    for (const action of ['team/invite', 'team/remove', 'team/link']) {
      const fields = { ...free.fields, email: newEmail(), member: ann.email };
      expect(await browser.send({ action: `/buyer/${action}`, fields })).toMatchObject({ status: 409 });
    }
    expect(await team.shop.used()).toBe(3);
    expect(await team.members()).toHaveLength(2);

    const replaced = codeIn((await browser.send(formOf(page, 'rotate'))).text);
    expect((await team.shop.check(ann.device, { code: ann.code })).body).toHaveProperty('codeValidUntil');
    expect((await team.shop.check(ann.device, { code: replaced })).body.isActive).toBe(true);
    await browser.send(free);
    expect((await team.shop.check(ann.device, { code: replaced })).body.reason).toBe('seat_not_active');
    expectStatus(await team.shop.activate(ann.device, { code: replaced }), 200);
    const leave = formOf(await reload(browser), 'team/leave');
    expect(await browser.send(leave)).toMatchObject({ status: 303 });
    expect((await team.shop.check(ann.device, { code: replaced })).body.reason).toBe('invalid_code');
    expect((await team.shop.check(bob.device, { code: bob.code })).body.isActive).toBe(true);
    expect(await team.freedFor()).toEqual(['member', 'member']);
    // The last license of the address: its session is over, and the address is gone.
    expect((await reload(browser)).status).toBe(303);
    expect((await everything(world)).includes(ann.email)).toBe(false);
  });

  it('keeps the session of who leaves one license of several', async () => {
    const [one, other] = [await open(), await open()];
    const email = newEmail();
    for (const { team } of [one, other]) expectStatus(await team.invite(email), 201);
    const browser = new Browser(world, smtp);
    const page = await browser.enter(email);
    expect(formsOf(page).filter(({ action }) => action === '/buyer/team/leave')).toHaveLength(2);
    await browser.send(formOf(page, 'team/leave'));
    expect(formsOf(await reload(browser)).filter(({ action }) => action === '/buyer/team/leave')).toHaveLength(1);
  });

  it('signs a member out when the license is erased', async () => {
    const { team } = await open();
    const { email } = expectStatus(await team.join(), 200).body;
    const browser = new Browser(world, smtp);
    await browser.enter(email);
    await team.shop.mine('POST', `/licenses/${team.shop.licenseId}/revoke`);
    expectStatus(await team.shop.mine('DELETE', `/licenses/${team.shop.licenseId}`), 204);
    expect((await reload(browser)).status).toBe(303);
    expect((await everything(world)).includes(email)).toBe(false);
  });

  it('changes nothing for a form of another page or another buyer', async () => {
    const { team, browser, page } = await open();
    const stranger = await open();
    for (const action of ['team/invite', 'team/link']) {
      const form = withEmail(formOf(page, action), newEmail());
      expect(await browser.send({ ...form, fields: { ...form.fields, form: '' } })).toMatchObject({ status: 403 });
      expect(await browser.send(form, { origin: 'https://evil.example' })).toMatchObject({ status: 403 });
      const theirs = formOf(stranger.page, action).fields['form'] ?? '';
      expect(await stranger.browser.send({ ...form, fields: { ...form.fields, form: theirs } })).toMatchObject({
        status: 409,
      });
    }
    expect(await team.members()).toEqual([]);
    await world.app.get(MailDeliveryWorker).tick();
  });

  it('is not offered for a license of one person', async () => {
    const { team, browser, page } = await open();
    expectStatus(await team.change({ maxMembers: 0 }), 200);
    expect((await reload(browser)).text).not.toContain('besides you');
    expect(await browser.send(formOf(page, 'team/link'))).toMatchObject({ status: 409 });
  });
});
