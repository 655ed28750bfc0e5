import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generate } from 'otplib';
import type { Answer } from '../support/api.js';
import { DataSource, MailDeliveryWorker, PasswordResetsService, startWorld, type World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { startOpenIdProvider, type OpenIdProvider } from '../support/openid-provider.js';
import { partOf, type SmtpServer } from '../support/smtp-server.js';

const NEW = 'a heron counts seven reeds';
const notConfirmed = { status: 403, body: { code: 'address_not_confirmed' } };

describe('an account that a stranger made in the name of an address', () => {
  let provider: OpenIdProvider;
  let smtp: SmtpServer;
  let world: World;
  /** The same service before a mail server was set, when anything could be attached. */
  let mailless: World;
  beforeAll(async () => {
    provider = await startOpenIdProvider('http://127.0.0.1:0/api/v1/auth/oidc/callback');
    ({ smtp, world } = await startMailingWorld(provider.env));
    mailless = await startWorld({ with: world, env: provider.env });
  });
  afterAll(async () => {
    await mailless.close();
    await world.close();
    await provider.close();
  });

  const count = async (sql: string, ...values: readonly string[]): Promise<number> =>
    Number((await world.app.get(DataSource).query(`select count(*) from ${sql}`, [...values]))[0].count);
  const attachedTo = ({ userId }: Tenant): Promise<number[]> =>
    Promise.all([
      count('user_identity where user_id = $1', userId),
      count('second_factor where user_id = $1', userId),
      count('access_token where created_by = $1', userId),
      count('invitation where invited_by = $1', userId),
      count('session where user_id = $1', userId),
    ]);
  const attachEverything = async (stranger: Tenant): Promise<void> => {
    const api = mailless.api.as({ cookie: stranger.cookie });
    const { secret } = expectStatus(await api.post('/auth/second-factor', { password: stranger.password }), 201).body;
    const code = await generate({ secret, epoch: world.clock.now().getTime() / 1000 });
    expectStatus(await api.post('/auth/second-factor/confirm', { code }), 200);
    await world.given.invitation(stranger, `${randomUUID()}@stranger.example`);
    const sql = `insert into user_identity (id, created_at, updated_at, user_id, issuer, subject) values ($1, now(), now(), $2, 'https://login.example', 'the stranger')`;
    await world.app.get(DataSource).query(sql, [randomUUID(), stranger.userId]);
  };
  /** What the owner of the address does with nothing but the mailbox. @returns the mail's text */
  const takeOver = async ({ email }: Tenant): Promise<string> => {
    expectStatus(await world.api.post('/auth/password/reset-request', { email }), 202);
    await world.app.get(PasswordResetsService).whenIdle();
    await world.app.get(MailDeliveryWorker).tick();
    const mail = smtp.to(email).at(-1);
    const text = mail === undefined ? '' : partOf(mail, 'text/plain');
    const [, token = ''] = /reset-password\?token=([\w-]{43})\s/.exec(text) ?? [];
    expectStatus(await world.api.post('/auth/password/reset', { token, newPassword: NEW }), 204);
    return text;
  };
  const logIn = (email: string): Promise<Answer> => world.api.post('/auth/login', { email, password: NEW });

  it('is its owner’s alone from the first proof of the address on', async () => {
    const stranger = await world.given.tenant();
    await attachEverything(stranger);
    expect((await attachedTo(stranger)).every((each) => each > 0)).toBe(true);
    const text = await takeOver(stranger);
    expect(text.replaceAll(/\s+/g, ' ')).toContain('It ends everything that was attached to the account before');
    expect(await attachedTo(stranger)).toEqual([0, 0, 0, 0, 0]);
    expect((await world.api.as({ token: stranger.token }).get('/extensions')).status).toBe(401);
    // No second factor of the stranger's locks the owner out.
    expectStatus(await logIn(stranger.email), 200);
  });

  it('keeps what its owner attaches after the first proof', async () => {
    const owner = await world.given.tenant();
    await takeOver(owner);
    const { headers } = expectStatus(await logIn(owner.email), 200);
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const wanted = { name: 'CI', scopes: ['extensions:read'] };
    expectStatus(await world.api.as({ cookie }).post('/access-tokens', wanted), 201);
    const text = await takeOver(owner);
    expect(text).not.toContain('everything that was attached');
    expect(await count('access_token where created_by = $1', owner.userId)).toBe(1);
  });

  it.each([
    ['a second factor', (api: Tenant) => ['/auth/second-factor', { password: api.password }] as const],
    ['a person of the identity provider', () => ['/auth/oidc/link', {}] as const],
  ])('cannot be given %s before the address is proven', async (_, what) => {
    const stranger = await world.given.tenant();
    const [path, body] = what(stranger);
    expect(await world.api.as({ cookie: stranger.cookie }).post(path, body)).toMatchObject(notConfirmed);
    await takeOver(stranger);
    const { headers } = expectStatus(await logIn(stranger.email), 200);
    const api = world.api.as({ cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' });
    const again = await api.post(path, 'password' in body ? { password: NEW } : body);
    expect([200, 201]).toContain(again.status);
  });
});
