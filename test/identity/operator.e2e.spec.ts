import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generate } from 'otplib';
import {
  DataSource,
  operatorOf,
  startWorld,
  type OperatorService,
  withWorkContext,
  type World,
} from '../support/app.js';
import { MINUTE } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';

describe('the operator', () => {
  let world: World;
  let locked: World;
  let operator: OperatorService;
  beforeAll(async () => {
    world = await startWorld();
    const oidc = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'pierhead' };
    locked = await startWorld({ with: world, env: oidc });
    operator = await operatorOf(locked.app);
  });
  afterAll(async () => {
    await locked.close();
    await world.close();
  });

  /** Presses the button of a link. */
  const press = (url: string): Promise<Response> =>
    fetch(url.replace(/^https?:\/\/[^/]+/, world.url), { method: 'POST', redirect: 'manual' });
  const me = (response: Response): Promise<{ readonly body: Tenant }> =>
    world.api.as({ cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' }).get('/auth/me');

  it('makes a link by which a user logs in once, with a button that previews do not press', async () => {
    const { email } = await world.given.tenant();
    const { link } = await operator.loginLink(email.toUpperCase());
    const page = await fetch(link.replace(/^https?:\/\/[^/]+/, world.url));
    expect([page.status, page.headers.getSetCookie(), page.headers.get('referrer-policy')]).toEqual([
      200,
      [],
      'same-origin',
    ]);
    const response = await press(link);
    expect([response.status, response.headers.get('location')]).toEqual([303, 'http://127.0.0.1:0/']);
    expect((await me(response)).body).toMatchObject({ user: { email } });
    const second = await press(link);
    expect([second.status, second.headers.getSetCookie()]).toEqual([410, []]);
    expect(world.log.join()).not.toContain(new URL(link).searchParams.get('token'));
  });

  it('makes a link that admits one of ten who press its button at once, and nobody after 15 minutes', async () => {
    const { email } = await world.given.tenant();
    const { link } = await operator.loginLink(email);
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await press(link)).status));
    expect(statuses.toSorted((one, other) => one - other)).toEqual([303, ...Array<number>(9).fill(410)]);
    const late = await operator.loginLink(email);
    world.clock.forward(15 * MINUTE);
    expect((await press(late.link)).status).toBe(410);
    for (const token of ['', 'x', 'A'.repeat(43)]) {
      const refused = await world.api.post(`//login-link?token=${token}`);
      expect(refused).toMatchObject({ status: 410, body: { code: 'login_link_invalid' } });
    }
  });

  it('switches passwords off and on for all processes at once, while sessions continue and links work', async () => {
    const { email, password, cookie } = await world.given.tenant();
    const logIn = async (): Promise<number> => (await world.api.post('/auth/login', { email, password })).status;
    expect(await operator.disablePasswordLogin()).toEqual({ passwordLogin: 'off' });
    expect(await logIn()).toBe(403);
    expect((await world.api.get('/auth/methods')).body).toEqual({
      password: false,
      signup: false,
      firstRun: false,
      oidc: null,
    });
    expect((await world.api.as({ cookie }).get('/auth/me')).status).toBe(200);
    expect((await press((await operator.loginLink(email)).link)).status).toBe(303);
    expect(await operator.disablePasswordLogin()).toEqual({ passwordLogin: 'off' });
    expect(await operator.enablePasswordLogin()).toEqual({ passwordLogin: 'on' });
    expect(await logIn()).toBe(200);
  });

  it('is not let to lock everybody out', async () => {
    const unlocked = await operatorOf(world.app);
    await expect(unlocked.disablePasswordLogin()).rejects.toThrow(/OIDC_ISSUER is not set/);
  });

  it('sets a password, which ends all sessions of the user', async () => {
    const { email, password, cookie } = await world.given.tenant();
    await operator.resetPassword(email, 'another long password');
    expect((await world.api.as({ cookie }).get('/auth/me')).status).toBe(401);
    expect((await world.api.post('/auth/login', { email, password })).status).toBe(401);
    expect((await world.api.post('/auth/login', { email, password: 'another long password' })).status).toBe(200);
    for (const weak of ['short', 'password123', email])
      await expect(operator.resetPassword(email, weak)).rejects.toMatchObject({ name: 'RefusedToOperator' });
  });

  it('removes a lost second factor, which ends all sessions of the user', async () => {
    const { email, password, cookie, userId, tenantId } = await world.given.tenant();
    const api = world.api.as({ cookie });
    const { secret } = expectStatus(await api.post('/auth/second-factor', { password }), 201).body;
    await expect(operator.removeSecondFactor(email)).rejects.toMatchObject({ name: 'RefusedToOperator' });
    const code = await generate({ secret, epoch: Math.floor(world.clock.now().getTime() / 1000) });
    expectStatus(await api.post('/auth/second-factor/confirm', { code }), 200);
    const lineOf = async () => (await operator.users()).find((line) => line.email === email);
    expect(await lineOf()).toMatchObject({ secondFactor: true });
    expect((await world.api.post('/auth/login', { email, password })).body.code).toBe('second_factor_required');
    const asOperator = { actor: { kind: 'operator', name: 'remove-second-factor' } } as const;
    const removals = [email.toUpperCase(), email].map((one) =>
      withWorkContext(asOperator, () => operator.removeSecondFactor(one)),
    );
    const ended = (await Promise.allSettled(removals)).toSorted((one, other) => (one.status < other.status ? -1 : 1));
    expect(ended).toMatchObject([{ value: { user: email, secondFactor: 'removed' } }, { status: 'rejected' }]);
    expect(await lineOf()).toMatchObject({ secondFactor: false });
    expect((await api.get('/auth/me')).status).toBe(401);
    expectStatus(await world.api.post('/auth/login', { email, password }), 200);
    const sql = `select subject_id, actor_name from audit_entry where tenant_id = $1 and action = $2`;
    const entries = await world.app.get(DataSource).query(sql, [tenantId, 'user.second_factor_disabled']);
    expect(entries).toEqual([{ subject_id: userId, actor_name: 'remove-second-factor' }]);
    await expect(operator.removeSecondFactor(email)).rejects.toMatchObject({ name: 'RefusedToOperator' });
    await expect(operator.removeSecondFactor('nobody@author.example')).rejects.toMatchObject({
      name: 'NotFoundForOperator',
    });
  });

  it('makes a member or a stranger an owner of a tenant, named by id or by a name that is its own', async () => {
    const { tenantId } = await world.given.tenant();
    const { email, cookie, tenantId: own } = await world.given.tenant();
    for (const _ of ['a stranger', 'an owner already'])
      expect(await operator.makeOwner(email, tenantId)).toMatchObject({ user: email, id: tenantId, role: 'owner' });
    const tenants = await operator.tenants();
    expect(tenants.find(({ id }) => id === tenantId)).toMatchObject({ members: 2, owners: [expect.anything(), email] });
    const user = (await operator.users()).find((line) => line.email === email);
    expect(user).toMatchObject({ tenants: ['Author (owner)', 'Author (owner)'], password: true, openid: false });
    expect((await world.api.as({ cookie }).get('/auth/me')).body.tenant.id).toBe(own);
    await expect(operator.makeOwner(email, 'Author')).rejects.toMatchObject({ name: 'RefusedToOperator' });
    await expect(operator.makeOwner(email, 'Nobody')).rejects.toMatchObject({ name: 'NotFoundForOperator' });
    await expect(operator.makeOwner('nobody@author.example', tenantId)).rejects.toMatchObject({
      name: 'NotFoundForOperator',
    });
  });
});
