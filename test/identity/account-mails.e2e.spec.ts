import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generate } from 'otplib';
import { everything } from '../licensing/delivery/codes.js';
import {
  MailDeliveryWorker,
  operatorOf,
  PasswordResetsService,
  startWorld,
  withWorkContext,
  type World,
} from '../support/app.js';
import { DAY, SECOND } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { proveAddress } from '../support/prove-address.js';
import { headerOf, partOf, type SmtpServer } from '../support/smtp-server.js';

const NEW = 'a heron counts seven reeds';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';

describe('a mail tells a user', () => {
  let smtp: SmtpServer;
  let world: World;
  let user: Tenant;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    user = await world.given.tenant();
  });

  const post = (path: string, body?: object) =>
    world.api.as({ cookie: user.cookie }).post(path, body, { headers: { 'user-agent': FIREFOX } });
  const mails = async () => {
    await world.app.get(MailDeliveryWorker).tick();
    return smtp.to(user.email);
  };
  const subjects = async () => (await mails()).map((mail) => headerOf(mail, 'Subject'));
  const change = (currentPassword: string, newPassword: string) =>
    post('/auth/password', { currentPassword, newPassword });
  const codeOf = (secret: string) => generate({ secret, epoch: Math.floor(world.clock.now().getTime() / SECOND) });

  it('that the password was changed, when and from where, without an address or a secret', async () => {
    expect((await change('a wrong password', NEW)).status).toBe(403);
    expectStatus(await change(user.password, NEW), 204);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    const said = mail === undefined ? '' : partOf(mail, 'text/plain');
    expect(said).toContain(
      `The password of your account was changed at Pierhead (http://127.0.0.1:0) on ${world.clock.now().toUTCString()}, from Firefox 130 on Linux.`,
    );
    for (const secret of [user.password, NEW, '127.0.0.1 ', user.email, user.userId])
      expect(said).not.toContain(secret);
    expect(world.log.join('\n')).not.toContain(user.email);
    expect(await everything(world)).not.toContain(NEW);
  });

  it('that it was reset, by a link or by the operator', async () => {
    expectStatus(await world.api.post('/auth/password/reset-request', { email: user.email }), 202);
    await world.app.get(PasswordResetsService).whenIdle();
    const [link] = await mails();
    const [, token] = /token=([\w-]{43})/.exec(link === undefined ? '' : partOf(link, 'text/plain')) ?? [];
    expectStatus(await world.api.post('/auth/password/reset', { token, newPassword: NEW }), 204);
    const operator = await operatorOf(world.app);
    await withWorkContext({ actor: { kind: 'operator', name: 'reset-password' } }, () =>
      operator.resetPassword(user.email, 'another long password'),
    );
    // Two mails that wait together are sent side by side and may arrive in either order.
    const texts = (await mails()).slice(1).map((mail) => partOf(mail, 'text/plain'));
    expect(texts.filter((text) => text.includes(', by the operator of the service.'))).toHaveLength(1);
    expect(await subjects()).toEqual(['Set a new password', 'Your password was reset', 'Your password was reset']);
  });

  it('that a second factor was added or removed', async () => {
    await proveAddress(world, user);
    const { secret } = expectStatus(await post('/auth/second-factor', { password: user.password }), 201).body;
    expect(await subjects()).toEqual([]);
    const { recoveryCodes } = expectStatus(
      await post('/auth/second-factor/confirm', { code: await codeOf(secret) }),
      200,
    ).body;
    expect(await subjects()).toEqual(['A second factor was added']);
    const proof = { password: user.password, code: recoveryCodes[0] };
    expectStatus(await post('/auth/second-factor/disable', proof), 204);
    expect(await subjects()).toEqual(['A second factor was added', 'Your second factor was removed']);
    for (const mail of await mails())
      for (const one of [secret, ...recoveryCodes]) expect(mail.source).not.toContain(one);
  });

  it('ten times a day at most, and nothing where the service sends no mail', async () => {
    const silent = await startWorld({ with: world });
    const api = silent.api.as({ cookie: user.cookie });
    expectStatus(await api.post('/auth/password', { currentPassword: user.password, newPassword: NEW }), 204);
    expect(await subjects()).toEqual([]);
    await silent.close();
    for (let time = 0; time < 12; time += 1) expectStatus(await change(NEW, NEW), 204);
    expect(await subjects()).toHaveLength(10);
    world.clock.forward(DAY + SECOND);
    expectStatus(await change(NEW, NEW), 204);
    expect(await subjects()).toHaveLength(11);
  });
});
