import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { Author } from '../reconcile/author.js';
import type { Answer } from '../support/api.js';
import { startWorld, VERSION, type World, Transactions, MailDeliveryWorker } from '../support/app.js';
import { DAY, HOUR, MINUTE, SECOND } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { headerOf, partOf, type SmtpServer } from '../support/smtp-server.js';
import { isSignedUnder, Receiver } from './receiver.js';
import { confirm, deliverWebhooks, Team } from './team.js';

describe('a notification', () => {
  let receiver: Receiver;
  let smtp: SmtpServer;
  let world: World;
  const secrets: string[] = [];
  beforeAll(async () => {
    receiver = await Receiver.start();
    ({ smtp, world } = await startMailingWorld());
  });
  afterEach(() => smtp.obey());
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  const deliverMails = (): Promise<void> => world.app.get(MailDeliveryWorker).tick();
  const team = async (wish: object = {}): Promise<Team> => {
    const made = await Team.in(world, receiver);
    secrets.push((await made.listen(wish)).secret ?? '');
    return made;
  };

  it('is sent once, by a webhook that the reference implementation verifies', async () => {
    const listening = await Team.in(world, receiver);
    const { secret } = await listening.listen();
    const targetId = randomUUID();
    await listening.happens('phase_rejected', { targetId, version: '1.2.0', data: { raw: 'MARKED' } });
    await deliverWebhooks(world);
    await deliverWebhooks(world);
    const [webhook, ...more] = listening.received;
    const [notification] = await listening.notifications();
    if (webhook === undefined || notification === undefined) throw new Error('Nothing came');
    expect(more).toEqual([]);
    const headers = webhook.headers as Record<string, string>;
    expect(new Webhook(secret ?? '').verify(webhook.raw, headers)).toEqual({
      type: 'rejected',
      timestamp: world.clock.now().toISOString(),
      data: {
        message: 'Store: phase_rejected.',
        extensionId: listening.extensionId,
        extensionName: 'Night Owl',
        targetId,
        version: '1.2.0',
        credentialId: null,
      },
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': `Pierhead/${VERSION}` });
    expect(webhook.id).toBe(notification.id);
    expect(await listening.delivery()).toMatchObject({
      notificationId: notification.id,
      kind: 'rejected',
      status: 'delivered',
      attempts: 1,
      lastStatus: 204,
      lastError: null,
      nextTryAt: null,
      deliveredAt: world.clock.now().toISOString(),
    });
  });

  it('goes to the endpoints that subscribe to its kind, and is recorded in any case', async () => {
    const listening = await team({ events: ['taken_down', 'credential_failing'] });
    await listening.happens('phase_action_required', { data: { cause: 'credential' } });
    await listening.happens('phase_action_required', { data: { cause: 'config' } });
    for (const kind of ['phase_taken_down', 'phase_in_review', 'observed', 'stuck_in_review'])
      await listening.happens(kind);
    await deliverWebhooks(world);
    expect(listening.received.map(({ body }) => body.type).toSorted()).toEqual(['credential_failing', 'taken_down']);
    const notifications = await listening.notifications();
    expect(notifications.map(({ kind }) => kind).toReversed()).toEqual([
      'credential_failing',
      'action_required',
      'taken_down',
      'stuck_in_review',
    ]);
  });

  it('of a version that goes live is sent once, although the store cannot be reached afterwards', async () => {
    const author = await Author.in(world);
    const url = receiver.url(`/${author.mine.tenantId}`);
    expectStatus(await world.api.as(author.mine).post('/notifications/endpoints', { kind: 'webhook', url }), 201);
    await author.push('1.0.0');
    await author.reconcile();
    await author.act('approve');
    await author.reconcile();
    expect(await author.status()).toMatchObject({ phase: 'live' });
    await author.fault('fetchStatus', { kind: 'status', status: 503, times: 1 });
    await author.reconcile();
    await world.forward(DAY);
    await author.reconcile();
    const phases = (await author.history()).filter((kind) => /phase_(live|backing_off)/.test(kind));
    expect(phases).toEqual(['phase_live', 'phase_backing_off', 'phase_live']);
    await deliverWebhooks(world);
    const received = receiver.at(`/${author.mine.tenantId}`);
    expect(received.map(({ body }) => body)).toMatchObject([
      {
        type: 'live',
        data: { version: '1.0.0', targetId: author.mine.targetId, extensionId: author.mine.extensionId },
      },
    ]);
  });

  it('of a change that was rolled back is not sent', async () => {
    const listening = await team();
    const failing = world.app.get(Transactions).run(async () => {
      await listening.happens('phase_rejected');
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await deliverWebhooks(world);
    expect(listening.received).toEqual([]);
    expect(await listening.notifications()).toEqual([]);
  });

  it('counts among those of its endpoint for a week, whether it arrived or not', async () => {
    const listening = await team();
    const week = async (): Promise<object> => {
      const [endpoint] = expectStatus(await listening.api.get('/notifications/endpoints'), 200).body.items;
      return endpoint.health.lastWeek;
    };
    expect(await week()).toEqual({ tried: 0, arrived: 0 });
    listening.answers(500, {}, 1);
    await listening.happens('phase_rejected');
    await deliverWebhooks(world);
    expect(await week()).toEqual({ tried: 1, arrived: 0 });
    await listening.happens('stuck_in_review');
    await deliverWebhooks(world);
    expect(await week()).toEqual({ tried: 2, arrived: 1 });
    await listening.after(6 * DAY);
    expect(await week()).toEqual({ tried: 2, arrived: 2 });
    await listening.after(2 * DAY);
    expect(await week()).toEqual({ tried: 0, arrived: 0 });
  });

  it('is retried when the receiver fails, at growing intervals, under one id and with new signatures', async () => {
    const listening = await team();
    listening.answers(500, {}, 4);
    await listening.happens('phase_rejected');
    const times: number[] = [];
    const healths: string[] = [];
    const health = async (): Promise<string> => {
      const [endpoint] = expectStatus(await listening.api.get('/notifications/endpoints'), 200).body.items;
      const { state, failed, of } = endpoint.health;
      return `${state} ${failed} of ${of}`;
    };
    expect(await health()).toBe('ok 0 of 0');
    await deliverWebhooks(world);
    for (const wait of [4 * SECOND, 2 * SECOND, 29 * SECOND, 5 * SECOND, 2 * MINUTE, MINUTE, 11 * MINUTE]) {
      await listening.after(wait);
      times.push(listening.received.length);
      healths.push(await health());
    }
    expect(times).toEqual([1, 2, 2, 3, 3, 4, 5]);
    // Shown of the endpoint as soon as a delivery has not arrived, and until one has.
    expect(healths).toEqual([...Array.from({ length: 6 }, () => 'failing 1 of 1'), 'ok 0 of 1']);
    expect(new Set(listening.received.map(({ id }) => id)).size).toBe(1);
    expect(new Set(listening.received.map(({ raw }) => raw)).size).toBe(1);
    const stamps = listening.received.map(({ headers }) => headers['webhook-timestamp']);
    expect(new Set(stamps).size).toBe(5);
    for (const each of listening.received) expect(isSignedUnder(each, secrets.at(-1) ?? '')).toBe(true);
    expect(await listening.delivery()).toMatchObject({ status: 'delivered', attempts: 5, lastStatus: 204 });
  });

  it('is given up after a day, and can be redelivered with another day of attempts', async () => {
    const listening = await team();
    listening.answers(503);
    await listening.happens('phase_rejected');
    await deliverWebhooks(world);
    for (let hours = 0; hours < 26; hours += 1) await listening.after(HOUR);
    const given = await listening.delivery();
    expect(given).toMatchObject({ status: 'given_up', lastStatus: 503, lastError: 'refused', nextTryAt: null });
    expect(given.attempts).toBeGreaterThanOrEqual(10);
    await listening.after(DAY);
    expect(listening.received).toHaveLength(given.attempts);
    expect(await listening.deliveries('?status=given_up')).toHaveLength(1);
    expect(await listening.deliveries('?status=waiting')).toEqual([]);
    const other = await listening.listen();
    expect(await listening.deliveries(`?endpoint=${other.id}`)).toEqual([]);
    expect(await listening.deliveries(`?endpoint=${given.endpointId}&status=given_up`)).toMatchObject([
      { id: given.id, message: 'Store: phase_rejected.', extensionName: 'Night Owl', version: null },
    ]);

    expect((await listening.redeliver(given.id)).body).toMatchObject({ status: 'waiting', attempts: given.attempts });
    await deliverWebhooks(world);
    expect(await listening.delivery()).toMatchObject({ status: 'waiting', attempts: given.attempts + 1 });
    listening.answers(200);
    await listening.after(6 * SECOND);
    expect(await listening.delivery()).toMatchObject({ status: 'delivered', attempts: given.attempts + 2 });
    expect(new Set(listening.received.map(({ id }) => id)).size).toBe(1);
    await listening.redeliver(given.id);
    await deliverWebhooks(world);
    expect(await listening.delivery()).toMatchObject({ status: 'delivered', attempts: given.attempts + 3 });
  });

  it('waits as long as the receiver asks', async () => {
    const listening = await team();
    listening.answers(429, { 'retry-after': '3600' }, 1);
    await listening.happens('phase_rejected');
    await deliverWebhooks(world);
    await listening.after(HOUR - SECOND);
    expect(listening.received).toHaveLength(1);
    await listening.after(SECOND);
    expect(listening.received).toHaveLength(2);
  });

  it('does not follow redirects', async () => {
    const listening = await team();
    const elsewhere = `/${randomUUID()}`;
    listening.answers(307, { location: receiver.url(elsewhere) }, 1);
    await listening.happens('phase_rejected');
    await deliverWebhooks(world);
    expect(receiver.at(elsewhere)).toEqual([]);
    expect(await listening.delivery()).toMatchObject({ status: 'waiting', lastStatus: 307, lastError: 'refused' });
  });

  it('is not sent to a receiver that answered 410 until the endpoint is enabled again', async () => {
    const listening = await team();
    listening.answers(410, {}, 1);
    await listening.happens('phase_rejected');
    await listening.happens('phase_taken_down');
    await deliverWebhooks(world);
    const [endpoint] = (await listening.api.get('/notifications/endpoints')).body.items;
    expect(endpoint).toMatchObject({ enabled: false, disabledBecause: 'gone' });
    const outcomes = (await listening.deliveries()).map(({ status, lastStatus, lastError }) => [
      status,
      lastStatus,
      lastError,
    ]);
    expect(outcomes.toReversed()).toEqual([
      ['given_up', 410, 'refused'],
      ['given_up', null, 'switched_off'],
    ]);
    await listening.happens('stuck_in_review');
    await listening.after(DAY);
    expect(listening.received).toHaveLength(1);
    const [last] = await listening.deliveries();
    expect(await listening.redeliver(last?.id ?? '')).toMatchObject({
      status: 409,
      body: { code: 'endpoint_disabled' },
    });
    const on = await listening.api.patch(`/notifications/endpoints/${endpoint.id}`, { enabled: true });
    expect(on.body).toMatchObject({ enabled: true, disabledBecause: null });
    await listening.redeliver(last?.id ?? '');
    await deliverWebhooks(world);
    expect(listening.received.map(({ body }) => body.type)).toEqual(['rejected', 'taken_down']);
  });

  it('follows the one before it, and is tried later when that fails', async () => {
    const listening = await team();
    for (const kind of ['phase_rejected', 'phase_taken_down', 'stuck_in_review']) await listening.happens(kind);
    await deliverWebhooks(world);
    const order = listening.received.map(({ body }) => body.type);
    expect(order).toEqual(['rejected', 'taken_down', 'stuck_in_review']);
    for (const kind of ['phase_rejected', 'phase_taken_down']) await listening.happens(kind);
    listening.answers(500, {}, 1);
    await deliverWebhooks(world);
    expect((await listening.deliveries()).slice(0, 2)).toMatchObject([
      { status: 'delivered', attempts: 1 },
      { status: 'waiting', attempts: 1, lastStatus: 500 },
    ]);
  });

  it('is given up with the others that wait when its endpoint is switched off during a call that fails', async () => {
    const listening = await team();
    for (const kind of ['phase_rejected', 'phase_taken_down']) await listening.happens(kind);
    const held = receiver.hold(listening.path);
    const calling = deliverWebhooks(world);
    await held.reached;
    const [{ id }] = (await listening.api.get('/notifications/endpoints')).body.items;
    expect((await listening.api.patch(`/notifications/endpoints/${id}`, { enabled: false })).status).toBe(200);
    listening.answers(500, {}, 1);
    held.open();
    await calling;
    expect(listening.received).toHaveLength(1);
    expect((await listening.deliveries()).map(({ status, lastError }) => [status, lastError])).toEqual([
      ['given_up', 'switched_off'],
      ['given_up', 'refused'],
    ]);
  });

  describe('with others behind the one that is being sent', () => {
    /** Changes the endpoint during the first of four calls. */
    const changedDuringFirst = async (change: (listening: Team, at: string) => Promise<Answer>) => {
      const listening = await Team.in(world, receiver);
      const { id } = await listening.listen();
      for (let at = 1; at <= 4; at += 1) await listening.happens('phase_rejected', { version: `1.0.${at}` });
      const held = receiver.hold(listening.path);
      const calling = deliverWebhooks(world);
      await held.reached;
      const answer = await change(listening, `/notifications/endpoints/${id}`);
      expect(answer.status).toBeLessThan(300);
      held.open();
      await calling;
      return { listening, answer };
    };

    it('goes to the new address', async () => {
      const moved = `/${randomUUID()}`;
      const { listening } = await changedDuringFirst(({ api }, at) => api.patch(at, { url: receiver.url(moved) }));
      expect([listening.received.length, receiver.at(moved).length]).toEqual([1, 3]);
    });

    it('is given up once the endpoint is switched off', async () => {
      const { listening } = await changedDuringFirst(({ api }, at) => api.patch(at, { enabled: false }));
      expect(listening.received).toHaveLength(1);
      const statuses = (await listening.deliveries()).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual(['delivered', 'given_up', 'given_up', 'given_up']);
    });

    it('goes nowhere once the endpoint is deleted', async () => {
      const { listening } = await changedDuringFirst(({ api }, at) => api.delete(at));
      expect(listening.received).toHaveLength(1);
    });

    it('is signed with the new secret, too', async () => {
      const { listening, answer } = await changedDuringFirst(({ api }, at) => api.post(`${at}/rotate`));
      expect(listening.received.filter((each) => isSignedUnder(each, answer.body.secret))).toHaveLength(3);
    });

    it('is called all the same after a refusal', async () => {
      const listening = await team();
      for (let at = 1; at <= 4; at += 1) await listening.happens('phase_rejected', { version: `1.0.${at}` });
      listening.answers(503);
      await deliverWebhooks(world);
      expect((await listening.deliveries()).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
    });
  });

  it('is sent by mail, and its delivery shows the outcome', async () => {
    const listening = await Team.in(world, receiver);
    const address = `${randomUUID()}@author.example`;
    await listening.listenByMail(address, smtp);
    smtp.refuse('RCPT TO', '450 4.2.1 busy', 1);
    const targetId = randomUUID();
    await listening.happens('phase_live', { version: '2.0.0', targetId, message: 'Store: <b>live</b>.' });
    await deliverMails();
    expect(await listening.delivery()).toMatchObject({ status: 'waiting', attempts: 1, lastStatus: 450 });
    await world.forward(2 * MINUTE);
    await deliverMails();
    const [, mail, ...more] = smtp.to(address);
    if (mail === undefined) throw new Error('No mail came');
    expect(more).toEqual([]);
    expect(headerOf(mail, 'Subject')).toBe('Night Owl 2.0.0 is live');
    expect(partOf(mail, 'text/plain')).toContain(`/extensions/${listening.extensionId}/targets/${targetId}\n`);
    expect(partOf(mail, 'text/plain')).toContain('Store: <b>live</b>.');
    expect(partOf(mail, 'text/html')).toContain('Store: &lt;b&gt;live&lt;/b&gt;.');
    const done = await listening.delivery();
    expect(done).toMatchObject({ status: 'delivered', attempts: 2, lastStatus: null, nextTryAt: null });
    await listening.redeliver(done.id);
    await listening.redeliver(done.id);
    await deliverMails();
    expect(smtp.to(address)).toHaveLength(3);
    expect(await listening.delivery()).toMatchObject({ status: 'delivered', attempts: 3 });
  });

  it('by mail names the store, says how many users have the version, and links to its pages', async () => {
    const author = await Author.in(world, { published: '1.0.0', weeklyUsers: 20_000 });
    const address = `${randomUUID()}@author.example`;
    expectStatus(await world.api.as(author.mine).post('/notifications/endpoints', { kind: 'mail', address }), 201);
    await confirm(world, smtp, address);
    await author.set({ rolloutPercent: 10 });
    await author.push('1.1.0');
    await author.reconcile();
    await author.act('approve');
    await author.reconcile();
    expect((await author.status()).message).toBe('Version 1.1.0 is live for 10 % of users.');
    await deliverMails();
    const mail = smtp.to(address).at(-1);
    if (mail === undefined) throw new Error('No mail came');
    expect(headerOf(mail, 'Subject')).toMatch(/ 1\.1\.0 is live \(Chrome Web Store\)$/);
    const text = partOf(mail, 'text/plain');
    expect(text).toContain('Chrome Web Store: Version 1.1.0 is live for 10 % of users.');
    expect(text).toContain(`https://chromewebstore.google.com/detail/${author.mine.itemId}`);
    expect(text).toContain('https://chrome.google.com/webstore/devconsole');
  });

  it('of a refusal names the store once', async () => {
    const author = await Author.in(world, { published: '1.0.0' });
    await author.push('1.1.0');
    const error = { code: 400, status: 'FAILED_PRECONDITION', message: 'The listing has no icon.' };
    await author.fault('publish', { kind: 'status', status: 400, body: { error } });
    await author.reconcile();
    const { items } = (await world.api.as(author.mine).get('/notifications')).body;
    expect(items.map(({ message }: { readonly message: string }) => message)).toEqual([
      expect.stringMatching(/^Chrome Web Store needs a person: .*no icon/),
    ]);
  });

  it('is not sent to an endpoint that was disabled or deleted in the meantime', async () => {
    const [off, deleted] = [await Team.in(world, receiver), await Team.in(world, receiver)];
    const addresses = [`${randomUUID()}@author.example`, `${randomUUID()}@author.example`];
    for (const [index, each] of [off, deleted].entries()) {
      const ids = [(await each.listen()).id, (await each.listenByMail(addresses[index] ?? '', smtp)).id];
      await each.happens('phase_rejected');
      for (const id of ids)
        if (each === off) await each.api.patch(`/notifications/endpoints/${id}`, { enabled: false });
        else await each.api.delete(`/notifications/endpoints/${id}`);
    }
    await deliverWebhooks(world);
    await deliverMails();
    expect([...off.received, ...deleted.received]).toEqual([]);
    expect(addresses.map((address) => smtp.to(address).length)).toEqual([1, 1]);
    expect((await off.deliveries()).map(({ status }) => status)).toEqual(['given_up', 'given_up']);
    expect(await deleted.deliveries()).toEqual([]);
    expect(await deleted.notifications()).toHaveLength(1);
  });

  it('outlives the extension', async () => {
    const listening = await team();
    await listening.happens('phase_taken_down');
    expect((await listening.api.delete(`/extensions/${listening.extensionId}`)).status).toBe(204);
    await deliverWebhooks(world);
    expect(listening.received).toHaveLength(1);
  });

  it('reaches one endpoint while another keeps its caller waiting', async () => {
    const [slow, quick] = [await team(), await team()];
    for (let time = 0; time < 10; time += 1) await slow.happens('stuck_in_review');
    await quick.happens('stuck_in_review');
    const held = receiver.hold(slow.path);
    const quickly = receiver.next(quick.path);
    const ticking = deliverWebhooks(world);
    await Promise.all([held.reached, quickly]);
    await deliverWebhooks(world);
    expect(slow.received).toHaveLength(1);
    held.open();
    await ticking;
    expect(slow.received).toHaveLength(10);
  });

  it('shows no secret and no text of a receiver in responses or the log', async () => {
    const listening = await team();
    listening.answers(500, {}, 1);
    await listening.happens('phase_rejected');
    await deliverWebhooks(world);
    const [endpoint] = (await listening.api.get('/notifications/endpoints')).body.items;
    const answers = [
      await listening.api.get('/notifications/endpoints'),
      await listening.api.get(`/notifications/endpoints/${endpoint.id}`),
      await listening.api.get('/notifications/deliveries'),
      await listening.api.get('/notifications'),
    ];
    const said = [...answers.map(({ text }) => text), ...world.log].join('\n');
    expect(said).toContain('webhook delivered');
    for (const secret of [...secrets, ...secrets.map((each) => each.slice('whsec_'.length)), 'MARKED', listening.path])
      expect({ secret, isSaid: said.replaceAll(endpoint.url, '').includes(secret) }).toEqual({ secret, isSaid: false });
    const rows = await world.app.get(Transactions).query('select * from notification_endpoint');
    const kept = JSON.stringify(rows);
    for (const secret of secrets) expect(kept.includes(secret.slice('whsec_'.length))).toBe(false);
  });

  it('is sent soon after its event, without waiting for the next poll', async () => {
    const env = { ...smtp.env, RECONCILE_EVERY_SECONDS: '30' };
    const awake = await startWorld({ with: world, env });
    const listening = await Team.in(awake, receiver);
    await listening.listen();
    const address = `${randomUUID()}@author.example`;
    await listening.listenByMail(address, smtp);
    const called = receiver.next(listening.path);
    const mailed = smtp.next(address);
    await listening.happens('phase_rejected');
    await Promise.all([called, mailed]);
    await awake.close();
    expect(listening.received).toHaveLength(1);
    expect(smtp.to(address)).toHaveLength(2);
  });

  describe('with several processes', () => {
    let other: World;
    beforeAll(async () => {
      other = await startWorld({ with: world, env: smtp.env });
    });
    afterAll(() => other.close());

    it('is sent once when all of them start together', async () => {
      const teams = await Promise.all(Array.from({ length: 4 }, () => team()));
      for (const each of teams) for (const kind of ['phase_rejected', 'phase_taken_down']) await each.happens(kind);
      await Promise.all([
        deliverWebhooks(world),
        deliverWebhooks(other),
        deliverWebhooks(world),
        deliverWebhooks(other),
      ]);
      await deliverWebhooks(world);
      expect(teams.map(({ received }) => received.length)).toEqual([2, 2, 2, 2]);
    });

    it('is sent although the process died right after recording it', async () => {
      const dying = await startWorld({ with: world, env: smtp.env });
      const listening = await Team.in(dying, receiver);
      await listening.listen();
      await listening.happens('phase_rejected');
      await dying.close();
      await deliverWebhooks(other);
      expect(listening.received).toHaveLength(1);
    });

    it('is sent again under the same id when the process died during the call, and settled once', async () => {
      const listening = await team();
      await listening.happens('phase_rejected');
      const held = receiver.hold(listening.path);
      const frozen = deliverWebhooks(world);
      await held.reached;
      await deliverWebhooks(other);
      expect(listening.received).toHaveLength(1);
      const { id } = await listening.delivery();
      expect((await listening.redeliver(id)).body).toMatchObject({ id, attempts: 0 });
      await world.app
        .get(Transactions)
        .query('update notification_delivery set lease_until = clock_timestamp() where id = $1', [id]);
      await deliverWebhooks(other);
      expect(listening.received.map((each) => each.id)).toEqual([listening.received[0]?.id, listening.received[0]?.id]);
      const done = await listening.delivery();
      expect(done).toMatchObject({ status: 'delivered', attempts: 1 });
      listening.answers(500, {}, 1);
      held.open();
      await frozen;
      expect(await listening.delivery()).toEqual(done);
    });
  });
});
