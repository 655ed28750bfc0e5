import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api.js';
import { DataSource, MailDeliveryWorker, startWorld, type World } from '../support/app.js';
import { DAY, MINUTE } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { partOf } from '../support/smtp-server.js';

const PASSWORD = 'a long enough password';
const newEmail = (): string => `${randomUUID()}@author.example`;
const expired = { status: 410, body: { code: 'invitation_expired' } };

describe('an invitation', () => {
  let world: World;
  let owner: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    owner = await world.given.tenant();
  });
  afterAll(() => world.close());

  const invite = (email: string, role = 'viewer', by: Pick<Tenant, 'cookie'> = owner): Promise<Answer> =>
    world.api.as({ cookie: by.cookie }).post('/invitations', { email, role });
  const tokenOf = ({ body }: Answer): string => body.link.split('#')[1];
  const show = (token: string): Promise<Answer> => world.api.post('/invitations/show', { token });
  const accept = (token: string, password = PASSWORD, at = world): Promise<Answer> =>
    at.api.post('/invitations/accept', { token, password });
  const listed = async (): Promise<readonly { readonly id: string; readonly email: string }[]> =>
    (await world.api.as({ cookie: owner.cookie }).get('/invitations?limit=100')).body.items;

  it('has a link that is shown once, outside of what servers log, and kept only as a hash', async () => {
    const email = newEmail();
    const answer = await invite(email.toUpperCase(), 'support');
    const { link, ...shown } = answer.body;
    expect(answer.status).toBe(201);
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:0\/invitation#[\w-]{43}$/);
    expect(shown).toMatchObject({ email, role: 'support', invitedBy: owner.email, mailed: false });
    const { mailed: _, ...row } = shown;
    expect((await listed())[0]).toEqual(row);
    const token = tokenOf(answer);
    const rows = await world.app.get(DataSource).query('select * from invitation where email = $1', [email]);
    expect(JSON.stringify(rows)).not.toContain(token);
    await accept(token);
    expect(world.log.join('\n')).not.toContain(token);
  });

  it('shows the tenant, the role and the address before it is accepted', async () => {
    const email = newEmail();
    const token = tokenOf(await invite(email, 'publisher'));
    for (let times = 0; times < 2; times += 1)
      expect(await show(token)).toMatchObject({
        status: 200,
        body: { tenantName: 'Author', email, role: 'publisher', expiresAt: expect.any(String) },
      });
  });

  it('makes a new user with the password, who has no tenant of their own, also while sign-up is closed', async () => {
    const shut = await startWorld({ with: world, env: { SIGNUP: 'closed' } });
    const email = newEmail();
    const answer = await accept(tokenOf(await invite(email, 'support')), PASSWORD, shut);
    const joined = { id: owner.tenantId, name: 'Author', role: 'support' };
    expect(answer).toMatchObject({ status: 200, body: joined });
    expect(answer.headers.get('set-cookie')).toBeNull();
    const login = await shut.api.post('/auth/login', { email, password: PASSWORD });
    expect(login).toMatchObject({ status: 200, body: { user: { email }, role: 'support', tenants: [joined] } });
    await shut.close();
  });

  it('lets an existing user join with their own password, and survives a wrong one', async () => {
    const ann = await world.given.tenant();
    const token = tokenOf(await invite(ann.email));
    expect(await accept(token, 'a wrong password')).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    expect((await accept(token, ann.password)).status).toBe(200);
    const { body } = await world.api.as({ cookie: ann.cookie }).get('/auth/me');
    expect(body.tenants.map(({ id }: { readonly id: string }) => id)).toEqual([ann.tenantId, owner.tenantId]);
    expect(body.tenant.id).toBe(ann.tenantId);
  });

  it('lets only the invited user join without a password', async () => {
    const [ann, ben] = [await world.given.tenant(), await world.given.tenant()];
    const token = tokenOf(await invite(ann.email));
    const join = ({ cookie }: Tenant): Promise<Answer> => world.api.as({ cookie }).post('/invitations/join', { token });
    expect(await join(ben)).toMatchObject({ status: 403, body: { code: 'invitation_for_another' } });
    expect(await join(ann)).toMatchObject({ status: 200, body: { id: owner.tenantId, role: 'viewer' } });
    expect(await join(ann)).toMatchObject(expired);
  });

  it.each([
    ['a new user', async () => newEmail()],
    ['an existing user', async () => (await world.given.tenant()).email],
  ])('lets one of ten simultaneous requests of %s in', async (_, emailOf) => {
    const other = await startWorld({ with: world });
    const token = tokenOf(await invite(await emailOf()));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (__, at) => accept(token, PASSWORD, at % 2 === 0 ? world : other)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'invitation_expired')).toHaveLength(9);
    await other.close();
  });

  it('expires after exactly seven days', async () => {
    const email = newEmail();
    const token = tokenOf(await invite(email));
    world.clock.forward(7 * DAY - MINUTE);
    expect((await show(token)).status).toBe(200);
    world.clock.forward(MINUTE);
    expect(await show(token)).toMatchObject(expired);
    expect(await accept(token)).toMatchObject(expired);
    owner = await world.given.loggedIn(owner);
    expect((await listed()).map((one) => one.email)).not.toContain(email);
  });

  it('no longer works once it is revoked or replaced', async () => {
    const email = newEmail();
    const first = await invite(email, 'admin');
    const second = await invite(email, 'viewer');
    expect(await accept(tokenOf(first))).toMatchObject(expired);
    expect((await listed()).filter((one) => one.email === email)).toHaveLength(1);
    const revoke = (): Promise<Answer> =>
      world.api.as({ cookie: owner.cookie }).delete(`/invitations/${second.body.id}`);
    expect((await revoke()).status).toBe(204);
    expect(await accept(tokenOf(second))).toMatchObject(expired);
    expect(await revoke()).toMatchObject({ status: 404, body: { code: 'invitation_not_found' } });
  });

  it('of an owner is neither revoked nor replaced by an admin', async () => {
    const admin = await world.given.member(owner, 'admin');
    const [email, other] = [newEmail(), newEmail()];
    const first = await invite(email, 'owner');
    const revoke = (id: string, by: Pick<Tenant, 'cookie'>): Promise<Answer> =>
      world.api.as({ cookie: by.cookie }).delete(`/invitations/${id}`);
    const refused = { status: 403, body: { code: 'owner_required' } };
    expect(await revoke(first.body.id, admin)).toMatchObject(refused);
    expect(await invite(email, 'viewer', admin)).toMatchObject(refused);
    expect((await show(tokenOf(first))).body.role).toBe('owner');
    expect((await revoke((await invite(other, 'admin')).body.id, admin)).status).toBe(204);
    const second = await invite(email, 'owner');
    expect((await show(tokenOf(first))).status).toBe(410);
    expect((await revoke(second.body.id, owner)).status).toBe(204);
  });

  it('no longer works once its sender may not send it any more', async () => {
    const admin = await world.given.member(owner, 'admin');
    const token = tokenOf(await invite(newEmail(), 'publisher', admin));
    expect((await show(token)).status).toBe(200);
    await world.api.as({ cookie: owner.cookie }).patch(`/members/${admin.userId}`, { role: 'publisher' });
    expect(await show(token)).toMatchObject(expired);
    expect(await accept(token)).toMatchObject(expired);
  });

  it.each(['', 'x', 'y'.repeat(43), 'z'.repeat(64)])('is not found by %j', async (token) => {
    for (const answer of [await show(token), await accept(token)]) expect([400, 410]).toContain(answer.status);
  });

  it('gives the same answer for an address with an account and one without', async () => {
    const { email: known } = await world.given.tenant();
    const told = [await invite(known), await invite(newEmail())].map(({ status, headers, body }) => ({
      status,
      headers: [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name)),
      members: Object.keys(body),
      rest: { role: body.role, mailed: body.mailed, invitedBy: body.invitedBy, expiresAt: body.expiresAt },
    }));
    expect(told[0]).toEqual(told[1]);
  });

  it('is refused for a member', async () => {
    const viewer = await world.given.member(owner, 'viewer');
    expect(await invite(viewer.email)).toMatchObject({ status: 409, body: { code: 'already_member' } });
  });

  it('is refused when the tenant has reached its limit, open invitations included', async () => {
    const small = await startWorld({ with: world, env: { MAX_MEMBERS: '3' } });
    const tenant = await world.given.tenant();
    const at = (email: string): Promise<Answer> =>
      small.api.as({ cookie: tenant.cookie }).post('/invitations', { email, role: 'viewer' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => at(newEmail())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    const { email } = answers.find(({ status }) => status === 201)?.body ?? {};
    expect((await at(email)).status).toBe(201);
    expect(await at(newEmail())).toMatchObject({ status: 403, body: { code: 'member_limit_reached', limit: 3 } });
    await small.close();
  });
});

describe('the page that an invitation opens', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const send = async (path: string, fields: Readonly<Record<string, string>>) => {
    const accept = { accept: 'text/html' };
    const init = { method: 'POST', body: new URLSearchParams(fields), headers: accept };
    const answer = await fetch(world.url + path, init);
    return { status: answer.status, text: await answer.text() };
  };

  it('takes the secret from the link without a request that carries it, shows the invitation, and lets the person join', async () => {
    const owner = await world.given.tenant();
    const email = newEmail();
    const token = await world.given.invitation(owner, email, 'support');
    const opened = await fetch(`${world.url}/invitation`);
    const [, script = ''] = /<script>([^]*)<\/script>/.exec(await opened.text()) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(opened.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'`);
    expect(opened.headers.get('cache-control')).toBe('no-store');
    const shown = await send('/invitation', { token });
    expect(shown).toMatchObject({
      status: 200,
      text: expect.stringContaining(`${owner.email} invites ${email} to Author`),
    });
    expect(shown.text).toContain(`name="token" value="${token}"`);
    const joined = await send('/invitation/accept', { token, password: PASSWORD });
    expect(joined).toMatchObject({ status: 200, text: expect.stringContaining('You are a member of Author') });
    expect((await world.api.post('/auth/login', { email, password: PASSWORD })).body.role).toBe('support');
    const spent = { status: 410, text: expect.stringContaining('<h1>Invitation no longer valid</h1>') };
    expect(await send('/invitation', { token })).toMatchObject(spent);
    expect(await send('/invitation/accept', { token, password: PASSWORD })).toMatchObject(spent);
    expect(world.log.join('\n')).not.toContain(token);
  });

  it('answers a common password with a page, and the link keeps working', async () => {
    const token = await world.given.invitation(await world.given.tenant(), newEmail());
    expect(await send('/invitation/accept', { token, password: '1234567890' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('<h1>'),
    });
    expect((await send('/invitation', { token })).status).toBe(200);
  });
});

describe('an invitation of a service that sends mail', () => {
  it('is mailed to the invited address, and withdrawn when it is revoked before', async () => {
    const { smtp, world } = await startMailingWorld();
    const owner = await world.given.tenant();
    const api = world.api.as({ cookie: owner.cookie });
    const [email, revoked] = [newEmail(), newEmail()];
    const { body } = expectStatus(await api.post('/invitations', { email, role: 'support' }), 201);
    const { id } = expectStatus(await api.post('/invitations', { email: revoked, role: 'support' }), 201).body;
    expect(body.mailed).toBe(true);
    expectStatus(await api.delete(`/invitations/${id}`), 204);
    await world.app.get(MailDeliveryWorker).tick();
    expect(smtp.taken.flatMap(({ to }) => to)).toEqual([email]);
    expect(smtp.taken.map((mail) => partOf(mail, 'text/plain'))).toEqual([expect.stringContaining(body.link)]);
    await world.close();
  });
});
