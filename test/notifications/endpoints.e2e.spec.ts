import { hostname } from 'node:os';
import { lookup } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { DAY, HOUR, SECOND } from '../support/clock.js';
import { startMailingWorld } from '../support/mailing-world.js';
import type { SmtpServer } from '../support/smtp-server.js';
import { deliverWebhooks, Team } from './team.js';
import { isSignedUnder, Receiver } from './receiver.js';

const LIVE = { kind: 'webhook', url: 'https://hooks.example/x' };

describe('an endpoint', () => {
  let receiver: Receiver;
  let world: World;
  beforeAll(async () => {
    receiver = await Receiver.start();
    world = await startWorld();
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  it('can be added, read, listed, changed and deleted, and shows its secret once', async () => {
    const team = await Team.in(world, receiver);
    const { secret, ...shown } = await team.listen();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toMatchObject({
      kind: 'webhook',
      url: receiver.url(team.path),
      address: null,
      enabled: true,
      disabledBecause: null,
      formerSecretUntil: null,
    });
    expect(shown.events).toHaveLength(19);
    const path = `/notifications/endpoints/${shown.id}`;
    expect((await team.api.get(path)).body).toEqual(shown);
    const mail = await team.addAddress('Alerts@Author.example');
    expect(mail).toMatchObject({ kind: 'mail', url: null, address: 'alerts@author.example', secret: null });
    const list = await team.api.get('/notifications/endpoints?limit=1');
    expect(list.body).toMatchObject({ items: [{ id: mail.id }], nextCursor: expect.any(String) });
    const rest = await team.api.get(`/notifications/endpoints?cursor=${list.body.nextCursor}`);
    expect(rest.body).toEqual({ items: [shown], nextCursor: null });
    const changed = await team.api.patch(path, { events: ['live'], enabled: false });
    expect(changed.body).toMatchObject({ id: shown.id, events: ['live'], enabled: false });
    expect(await team.api.patch(path, { enabled: false })).toMatchObject({ body: { code: 'nothing_to_update' } });
    expect(await team.api.patch(path, {})).toMatchObject({ status: 400, body: { code: 'nothing_to_update' } });
    expect((await team.api.delete(path)).status).toBe(204);
    expect(await team.api.get(path)).toMatchObject({ status: 404, body: { code: 'endpoint_not_found' } });
    expect(await team.api.delete(path)).toMatchObject({ status: 404 });
  });

  it('shows where it goes, and not the rest of its URL, to those who cannot change it', async () => {
    const owner = await world.given.tenant();
    const url = 'https://hooks.example/services/MARKED-secret';
    const { id } = (await world.api.as(owner).post('/notifications/endpoints', { kind: 'webhook', url })).body;
    const scopes = ['extensions:read'];
    const { token } = (await world.api.as({ cookie: owner.cookie }).post('/access-tokens', { name: 'Reader', scopes }))
      .body;
    for (const reader of [await world.given.member(owner, 'viewer'), { token }]) {
      const api = world.api.as({ token: reader.token });
      expect((await api.get(`/notifications/endpoints/${id}`)).body.url).toBe('https://hooks.example/…');
      expect((await api.get('/notifications/endpoints')).text).not.toContain('MARKED');
    }
    const admin = await world.given.member(owner, 'admin');
    expect((await world.api.as({ token: admin.token }).get(`/notifications/endpoints/${id}`)).body.url).toBe(url);
  });

  it.each([
    [{}, 'kind'],
    [{ kind: 'pigeon' }, 'kind'],
    [{ kind: 'webhook' }, 'url'],
    [{ kind: 'mail' }, 'address'],
    [{ ...LIVE, address: 'a@b.example' }, 'address'],
    [{ kind: 'mail', address: 'a@b.example', url: LIVE.url }, 'url'],
    [{ kind: 'mail', address: 'a@b.example, c@d.example' }, 'address'],
    [{ kind: 'mail', address: 'a@b.example\r\nBcc: c@d.example' }, 'address'],
    [{ ...LIVE, url: 'hooks.example' }, 'url'],
    [{ ...LIVE, url: 'http://hooks.example/' }, 'url'],
    [{ ...LIVE, url: 'http://10.0.0.1/' }, 'url'],
    [{ ...LIVE, url: 'https://169.254.169.254/' }, 'url'],
    [{ ...LIVE, url: `https://hooks.example/${'x'.repeat(2048)}` }, 'url'],
    [{ ...LIVE, events: [] }, 'events'],
    [{ ...LIVE, events: ['live', 'live'] }, 'events'],
    [{ ...LIVE, events: ['test'] }, 'events'],
    [{ ...LIVE, enabled: 'yes' }, 'enabled'],
    [{ ...LIVE, secret: 'whsec_mine' }, 'secret'],
  ])('of %j is refused, naming %s, and nothing is added', async (body, field) => {
    const team = await Team.in(world, receiver);
    const answer = await team.api.post('/notifications/endpoints', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field }] } });
    expect((await team.api.get('/notifications/endpoints')).body.items).toEqual([]);
  });

  it('cannot change its kind', async () => {
    const team = await Team.in(world, receiver);
    const { id } = await team.listen();
    const { id: mail } = await team.addAddress('a@author.example');
    for (const [endpoint, body, field] of [
      [id, { address: 'a@b.example' }, 'address'],
      [id, { url: 'http://hooks.example' }, 'url'],
      [mail, { url: LIVE.url }, 'url'],
      [mail, { kind: 'webhook' }, 'kind'],
    ] as const)
      expect(await team.api.patch(`/notifications/endpoints/${endpoint}`, body)).toMatchObject({
        status: 400,
        body: { errors: [{ field }] },
      });
    expect(await team.api.post(`/notifications/endpoints/${mail}/rotate`)).toMatchObject({
      status: 409,
      body: { code: 'endpoint_has_no_secret' },
    });
  });

  it('is one of at most twenty, however many are added at once', async () => {
    const team = await Team.in(world, receiver);
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => team.api.post('/notifications/endpoints', LIVE)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({
      status: 403,
      body: { code: 'endpoint_limit_reached', limit: 20 },
    });
  });

  it('with a new secret is signed with both for a day, then with the new one only', async () => {
    const team = await Team.in(world, receiver);
    const { id, secret: former } = await team.listen();
    const rotated = (await team.api.post(`/notifications/endpoints/${id}/rotate`)).body;
    expect(rotated.secret).not.toBe(former);
    const until = new Date(world.clock.now().getTime() + DAY).toISOString();
    expect(rotated.formerSecretUntil).toBe(until);
    await team.happens('stuck_in_review');
    await team.after(DAY - SECOND);
    await team.happens('stuck_in_review');
    await team.after(SECOND);
    const signed = team.received.map((each) => [former, rotated.secret].map((one) => isSignedUnder(each, one ?? '')));
    expect(signed).toEqual([
      [true, true],
      [false, true],
    ]);
    expect((await team.api.get(`/notifications/endpoints/${id}`)).body.formerSecretUntil).toBeNull();
  });

  it('can be tested whichever events it subscribes to, while it is enabled', async () => {
    const team = await Team.in(world, receiver);
    const { id } = await team.listen({ events: ['live'] });
    const sent = await team.api.post(`/notifications/endpoints/${id}/test`);
    expect(sent).toMatchObject({ status: 201, body: { kind: 'test', status: 'waiting', endpointId: id, attempts: 0 } });
    await deliverWebhooks(world);
    expect(team.received).toMatchObject([{ id: sent.body.notificationId, body: { type: 'test' } }]);
    expect(await team.delivery()).toMatchObject({ status: 'delivered', attempts: 1, lastStatus: 204 });
    await team.api.patch(`/notifications/endpoints/${id}`, { enabled: false });
    expect(await team.api.post(`/notifications/endpoints/${id}/test`)).toMatchObject({
      status: 409,
      body: { code: 'endpoint_disabled' },
    });
  });

  it('belongs to its tenant: another tenant neither sees it nor receives its notifications', async () => {
    const [team, other] = [await Team.in(world, receiver), await Team.in(world, receiver)];
    const { id } = await team.listen();
    await other.listen();
    await team.happens('phase_rejected');
    await deliverWebhooks(world);
    const { id: delivery } = await team.delivery();
    expect(other.received).toEqual([]);
    expect(await other.deliveries()).toEqual([]);
    expect(await other.notifications()).toEqual([]);
    const endpoint = `/notifications/endpoints/${id}`;
    for (const asked of [
      other.api.get(endpoint),
      other.api.patch(endpoint, { enabled: false }),
      other.api.delete(endpoint),
      other.api.post(`${endpoint}/rotate`),
      other.api.post(`${endpoint}/test`),
      other.redeliver(delivery),
    ])
      expect(await asked).toMatchObject({ status: 404 });
    expect((await team.api.get(endpoint)).body).toMatchObject({ id, enabled: true });
  });
});

describe('a service on a public address', () => {
  let receiver: Receiver;
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    receiver = await Receiver.start();
    ({ smtp, world } = await startMailingWorld({ PUBLIC_URL: 'https://pierhead.example', RATE_LIMITS: 'on' }));
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  it.each([
    'http://127.0.0.1:1/',
    'https://127.0.0.1:1/',
    'https://[::1]:1/',
    'https://2130706433/',
    'http://localhost/',
  ])('accepts no webhook to %s', async (url) => {
    const team = await Team.in(world, receiver);
    const answer = await team.api.post('/notifications/endpoints', { kind: 'webhook', url });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'url' }] } });
  });

  it('accepts none to its own machine either when it listens on every address and has no configured name', async () => {
    const open = await startWorld({ with: world, env: { HOST: '0.0.0.0' } });
    const team = await Team.in(open, receiver);
    for (const url of [`http://127.0.0.1:${receiver.port}/`, `http://localhost:${receiver.port}/`])
      expect(await team.api.post('/notifications/endpoints', { kind: 'webhook', url })).toMatchObject({ status: 400 });
    await open.close();
  });

  it('calls no name that resolves into its own network, and answers as for an unknown name', async () => {
    // No name server is asked for a label of 64 characters.
    const names = ['localhost', `${'x'.repeat(64)}.example`];
    const own = await lookup(hostname(), { all: true }).catch(() => []);
    if (own.length > 0 && own.every(({ address }) => /^(10|127|172\.(1[6-9]|2\d|3[01])|192\.168)\./.test(address)))
      names.push(hostname());
    for (const name of names) {
      const team = await Team.in(world, receiver);
      await team.listen({ url: `https://${name}:${receiver.port}${team.path}` });
      await team.happens('phase_rejected');
      await deliverWebhooks(world);
      expect(await team.delivery()).toMatchObject({
        status: 'waiting',
        attempts: 1,
        lastStatus: null,
        lastError: 'refused_address',
      });
      expect(team.received).toEqual([]);
    }
  });

  it('calls such a name when its operator allows it', async () => {
    const env = { PUBLIC_URL: 'https://pierhead.example', WEBHOOK_PRIVATE_ADDRESSES: 'allow' };
    const trusting = await startWorld({ with: world, env });
    const team = await Team.in(trusting, receiver);
    await team.listen({ url: `https://localhost:${receiver.port}${team.path}` });
    await team.happens('phase_rejected');
    await deliverWebhooks(trusting);
    // It speaks no TLS.
    expect(await team.delivery()).toMatchObject({ attempts: 1, lastError: 'network' });
    await trusting.close();
  });

  it('limits requested tests, so that nobody is flooded', async () => {
    const team = await Team.in(world, receiver);
    const { id } = await team.listenByMail('somebody@else.example', smtp);
    const statuses: number[] = [];
    for (let time = 0; time < 22; time += 1)
      statuses.push((await team.api.post(`/notifications/endpoints/${id}/test`)).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429, 429]);
  });

  it('deletes notifications after 90 days', async () => {
    const team = await Team.in(world, receiver);
    await team.happens('phase_rejected');
    await team.after(89 * DAY);
    expect(await team.notifications()).toHaveLength(1);
    await team.after(DAY + HOUR);
    expect(await team.notifications()).toEqual([]);
  });
});
