import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { DataSource, MailDeliveryWorker, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import type { SmtpServer } from '../support/smtp-server.js';
import { codeOf, everything } from './delivery/codes.js';
import { claimsOf, Shop } from './shop.js';
import { Team } from './team.js';

describe('a team', () => {
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld({ MAILS_BY_HAND_PER_TENANT: '1000' }));
  });
  afterAll(() => world.close());

  const open = (wish: Parameters<typeof Team.open>[2] = {}): Promise<Team> => Team.open(world, smtp, wish);

  it('has members with a code of their own, which is mailed to them', async () => {
    const team = await open();
    const email = `${randomUUID()}@member.example`;
    const invited = expectStatus(await team.invite(email.toUpperCase()), 201).body;
    expect(invited).toMatchObject({ email, devices: 0, joinedAt: null });
    const { code } = await team.mailed(email);
    expect(code.slice(-5)).toBe(invited.codeHint);
    expect(code).not.toBe(team.shop.license.code);
    expect(expectStatus(await team.shop.activate('desk', { code }), 200).body).toMatchObject({
      success: true,
      seats: { used: 1, max: 6 },
    });
    expect((await team.members())[0]).toMatchObject({ devices: 1, joinedAt: world.clock.now().toISOString() });
    expect((await team.license()).team).toEqual({ members: 1, maxMembers: 3, seatsPerMember: null });
    expect((await team.license()).devices).toEqual([expect.objectContaining({ memberId: invited.id })]);
    expect((await everything(world)).includes(code)).toBe(false);
  });

  it('is told who shares the license, in the look of the seller', async () => {
    const team = await open();
    const email = `${randomUUID()}@member.example`;
    expectStatus(await team.shop.mine('PATCH', '/branding', { displayName: 'Owl & Sons' }), 200);
    await team.invite(email);
    const { text } = await team.mailed(email);
    expect(text).toContain((await team.license()).buyerEmail);
    expect(text).toContain('Owl & Sons');
    expect(text).toContain('/buyer?seller=');
  });

  it('invites an address once, however often it is asked, and mails one code', async () => {
    const team = await open();
    const email = `${randomUUID()}@member.example`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => team.invite(email)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await team.members()).toHaveLength(1);
    await world.app.get(MailDeliveryWorker).tick();
    expect(smtp.to(email)).toHaveLength(1);
  });

  it('has no more people than its plan says, and all that it has when the number falls', async () => {
    const team = await open();
    for (let one = 0; one < 3; one += 1) expectStatus(await team.join(), 200);
    const full = { status: 409, body: { code: 'team_full', maxMembers: 3 } };
    expect(await team.invite()).toMatchObject(full);
    // Half of the devices: half of the people.
    expectStatus(await team.change({ maxActivations: 3 }), 200);
    expect((await team.license()).team).toEqual({ members: 3, maxMembers: 1, seatsPerMember: null });
    expect(await team.invite()).toMatchObject({ ...full, body: { maxMembers: 1 } });
    for (const { code, device } of team.joined)
      expect((await team.shop.check(device, { code })).body.isActive).toBe(true);
    const [first] = await team.members();
    expect(expectStatus(await team.invite(first?.email), 201).body.id).toBe(first?.id);
    // Twice as many as the plan: twice the people.
    expectStatus(await team.change({ maxActivations: 12 }), 200);
    expect((await team.license()).team).toMatchObject({ maxMembers: 6 });
    expectStatus(await team.invite(), 201);
    expectStatus(await team.change({ maxMembers: 0 }), 200);
    expect((await team.license()).team).toBeNull();
    expect(await team.invite()).toMatchObject({ status: 409, body: { code: 'license_not_a_team' } });
  });

  it('gives the last place to one of two hundred', async () => {
    const team = await open({ maxMembers: 1 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => team.invite()));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([201, 409]));
    expect(await team.members()).toHaveLength(1);
  });

  it('shares the devices of the license', async () => {
    const team = await open({ maxActivations: 3 });
    const [ann, bob] = [await team.join(), await team.join()].map(({ body }) => body.code as string);
    expectStatus(await team.shop.activate('buyer'), 200);
    const full = { success: false, reason: 'seat_limit_reached', seats: { used: 3, max: 3 } };
    for (const code of [ann, bob, undefined])
      expect((await team.shop.activate(randomUUID(), code === undefined ? {} : { code })).body).toMatchObject(full);
  });

  it('has as many devices for each as the plan says, and not more than the license altogether', async () => {
    const team = await open({ maxActivations: 3, seatsPerMember: 2 });
    const [ann, bob] = [expectStatus(await team.join(), 200).body, expectStatus(await team.join(), 200).body];
    expect((await team.shop.activate('ann 2', { code: ann.code })).body.seats).toEqual({ used: 2, max: 2 });
    const refused = { success: false, reason: 'seat_limit_reached' };
    expect((await team.shop.activate('ann 3', { code: ann.code })).body).toMatchObject({
      ...refused,
      seats: { used: 2, max: 2 },
    });
    expect((await team.shop.activate('bob 2', { code: bob.code })).body).toMatchObject({
      ...refused,
      seats: { used: 1, max: 2 },
    });
    expect((await team.shop.release('ann 2', { code: ann.code })).body.seats).toEqual({ used: 1, max: 2 });
    expect((await team.shop.activate('bob 2', { code: bob.code })).body.success).toBe(true);
    expectStatus(await team.change({ seatsPerMember: 1 }), 200);
    // Devices that hold a seat keep it.
    expect((await team.shop.check('bob 2', { code: bob.code })).body).toMatchObject({
      isActive: true,
      seats: { used: 2, max: 1 },
    });
  });

  it('never has a seat too many, when all its people come at once', async () => {
    const team = await open({ maxActivations: 4, seatsPerMember: 2 });
    const codes = [await team.join(), await team.join(), await team.join()].map(({ body }) => body.code as string);
    const answers = await Promise.all(
      codes.flatMap((code) => Array.from({ length: 4 }, () => team.shop.activate(randomUUID(), { code }))),
    );
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
    expect(await team.shop.used()).toBe(4);
  });

  it('passes a device from one person to another, as one seat', async () => {
    const team = await open({ maxActivations: 3, seatsPerMember: 2 });
    const [ann, bob] = [expectStatus(await team.join(), 200).body, expectStatus(await team.join(), 200).body];
    const used = await team.shop.used();
    expect((await team.shop.check(ann.device, { code: bob.code })).body.reason).toBe('seat_not_active');
    expect(await team.shop.release(ann.device, { code: bob.code })).toMatchObject({ status: 404 });
    expect((await team.shop.activate(ann.device, { code: bob.code })).body).toMatchObject({
      success: true,
      seats: { used: 2, max: 2 },
    });
    expect((await team.shop.check(ann.device, { code: ann.code })).body).toMatchObject({
      reason: 'seat_not_active',
      seats: { used: 0, max: 2 },
    });
    expect(await team.shop.used()).toBe(used);
    expect((await team.shop.activate(ann.device)).body).toMatchObject({ success: true, seats: { used: 2, max: 3 } });
  });

  it('loses the seats of a member who is removed, and their code is unknown from then on', async () => {
    const team = await open();
    const [ann, bob] = [expectStatus(await team.join(), 200).body, expectStatus(await team.join(), 200).body];
    const { id = '' } = (await team.members()).find(({ email }) => email === ann.email) ?? {};
    expectStatus(await team.remove(id), 204);
    expect(await team.remove(id)).toMatchObject({ status: 404, body: { code: 'license_member_not_found' } });
    const { code, device } = ann;
    const unknown = { isActive: false, reason: 'invalid_code', tier: null, seats: { used: 0, max: 0 } };
    expect((await team.shop.check(device, { code })).body).toMatchObject(unknown);
    expect((await team.shop.activate(device, { code })).body).toMatchObject(unknown);
    expect(claimsOf(await team.shop.check(device, { code }))).not.toHaveProperty('sub');
    expect(await team.shop.release(device, { code })).toMatchObject({ status: 404 });
    expect((await team.shop.check(bob.device, { code: bob.code })).body.isActive).toBe(true);
    expect(await team.shop.used()).toBe(1);
    expect((await everything(world)).includes(ann.email)).toBe(false);
    expectStatus(await team.invite(ann.email), 201);
    expect((await team.mailed(ann.email)).code).not.toBe(code);
  });

  it('is licensed while its license is', async () => {
    const team = await open();
    const { code, device } = expectStatus(await team.join(), 200).body;
    const reasonNow = async () => (await team.shop.check(device, { code })).body.reason;
    const act = async (what: string) =>
      expectStatus(await team.shop.mine('POST', `/licenses/${team.shop.licenseId}/${what}`), 200).body;
    await act('suspend');
    expect(await reasonNow()).toBe('suspended');
    await act('reinstate');
    await act('rotate');
    expect(await reasonNow()).toBe('active');
    expectStatus(await team.change({ expiresAt: new Date(world.clock.now().getTime() - 1).toISOString() }), 200);
    expect(await reasonNow()).toBe('expired');
    await act('revoke');
    expect(await reasonNow()).toBe('revoked');
    expect(await team.invite()).toMatchObject({ status: 409, body: { code: 'license_revoked' } });
  });

  it('gets a new code for a member who lost theirs; the old one goes on for a while on devices that use it', async () => {
    const team = await open();
    const { code: old, device, email } = expectStatus(await team.join(), 200).body;
    const [{ id } = { id: '' }] = await team.members();
    expectStatus(await team.shop.mine('POST', `${team.path}/${id}/resend`), 200);
    const { code } = await team.mailed(email);
    expect(code).not.toBe(old);
    const until = new Date(world.clock.now().getTime() + 7 * DAY).toISOString();
    expect((await team.shop.check(device, { code: old })).body).toMatchObject({
      isActive: true,
      codeValidUntil: until,
    });
    expect((await team.shop.activate('another', { code: old })).body.reason).toBe('code_replaced');
    expect((await team.shop.check(device, { code })).body).toMatchObject({ isActive: true });
    expect((await team.shop.check(device, { code })).body).not.toHaveProperty('codeValidUntil');
    expectStatus(await team.remove(id), 204);
    expect((await team.shop.check(device, { code: old })).body.reason).toBe('invalid_code');
  });

  it('keeps the seats of its members alive', async () => {
    const team = await open({ maxActivations: 2 });
    const { code, device } = expectStatus(await team.join(), 200).body;
    await team.shop.seated();
    await world.forward(20 * DAY);
    await Promise.all(Array.from({ length: 20 }, () => team.shop.check(device, { code })));
    const seen = (await team.license()).devices.find(({ memberId }: { memberId: string | null }) => memberId !== null);
    expect(new Date(seen.lastSeenAt).getTime()).toBeGreaterThan(world.clock.now().getTime() - HOUR);
    await world.forward(20 * DAY);
    // The buyer's device has been idle for 40 days, the member's for 20.
    expect((await team.shop.activate('new', { code })).body.success).toBe(true);
    expect((await team.shop.check(device, { code })).body.isActive).toBe(true);
  });

  it('is found by the code of any of its people', async () => {
    const team = await open();
    const { code } = expectStatus(await team.join(), 200).body;
    expect((await team.shop.mine('POST', '/licenses/find', { code })).body.id).toBe(team.shop.licenseId);
  });

  it('is erased with its license', async () => {
    const team = await open();
    const { email } = expectStatus(await team.join(), 200).body;
    const waiting = `${randomUUID()}@member.example`;
    expectStatus(await team.invite(waiting), 201);
    await team.shop.mine('POST', `/licenses/${team.shop.licenseId}/revoke`);
    expectStatus(await team.shop.mine('DELETE', `/licenses/${team.shop.licenseId}`), 204);
    const all = await everything(world);
    expect([email, waiting].map((one) => all.includes(one))).toEqual([false, false]);
    await world.app.get(MailDeliveryWorker).tick();
    expect(smtp.to(waiting)).toEqual([]);
  });

  it('belongs to one tenant, and each act of the tenant is recorded without an address', async () => {
    const team = await open();
    const stranger = world.api.as(await world.given.tenant());
    const { email } = expectStatus(await team.join(), 200).body;
    const [{ id } = { id: '' }] = await team.members();
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/resend`],
    ] as const)
      expect((await stranger.call(method, team.path + path, method === 'POST' ? { email } : undefined)).status).toBe(
        404,
      );
    expectStatus(await team.shop.mine('POST', `${team.path}/${id}/resend`), 200);
    expectStatus(await team.remove(id), 204);
    const entries: readonly { action: string }[] = await world.app
      .get(DataSource)
      .query(`select action from audit_entry where tenant_id = $1 and action like 'license.member%' order by id`, [
        team.shop.license.tenantId,
      ]);
    expect(entries.map(({ action }) => action)).toEqual([
      'license.member_invited',
      'license.member_resent',
      'license.member_removed',
    ]);
  });

  it('tells its seats that are freed, with the reason', async () => {
    const team = await open();
    const listener = { kind: 'webhook', url: 'http://127.0.0.1:9/', events: ['license.seat_freed'] };
    expectStatus(await team.shop.mine('POST', '/notifications/endpoints', listener), 201);
    const { code } = expectStatus(await team.join(), 200).body;
    expectStatus(await team.shop.activate('second', { code }), 200);
    const [{ id } = { id: '' }] = await team.members();
    expectStatus(await team.remove(id), 204);
    expect(await team.freedFor()).toEqual(['tenant', 'tenant']);
  });

  it('refuses what is no address', async () => {
    const team = await open();
    for (const email of ['', 'ann', null, 7])
      expect(await team.shop.mine('POST', team.path, { email })).toMatchObject({ status: 400 });
    expect(await team.members()).toEqual([]);
  });

  it('does not count for a license of one person', async () => {
    const shop = await Shop.open(world);
    const answer: Answer = await shop.mine('POST', `/licenses/${shop.licenseId}/members`, { email: 'a@b.example' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'license_not_a_team' } });
    expect((await shop.mine('GET', `/licenses/${shop.licenseId}`)).body.team).toBeNull();
    await world.app.get(MailDeliveryWorker).tick();
    expect(smtp.to('a@b.example')).toEqual([]);
    expect(() => codeOf(smtp.to('a@b.example').at(-1))).toThrow('No mail');
  });
});
