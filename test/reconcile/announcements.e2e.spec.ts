import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHmac } from 'node:crypto';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import type { Answer } from '../support/api.js';
import { ListingsWorker, startWorld, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';

const ORIGIN = 'https://pierhead.author.example';
const STATE = 'APP_STORE_VERSION_APP_VERSION_STATE_UPDATED';

type Sent = Awaited<ReturnType<SafariControl['announce']>>[number];

describe('announcements of the App Store', () => {
  let world: World;
  let control: SafariControl;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await startWorld({ env: { PUBLIC_URL: ORIGIN } });
    control = new SafariControl(world.sandbox.url);
    tenant = await world.given.tenant();
  });
  afterAll(() => world.close());

  const read = () => world.app.get(ListingsWorker).tick();
  const send = ({ url, body, headers }: Sent): Promise<Answer> =>
    world.api.post(url.slice(`${ORIGIN}/api/v1`.length), undefined, { raw: Buffer.from(body), headers });

  /** An extension whose version is in review at the App Store. */
  const inReview = async () => {
    const { teamId, ...credentials } = await control.key();
    const { appId } = await control.app({ issuerId: teamId });
    const api = world.api.as(tenant);
    const credentialId: string = expectStatus(await api.post('/credentials', { store: 'safari', credentials }), 201)
      .body.id;
    const extension = await world.given.extension(tenant);
    const targetId = await world.given.targetOf(tenant, extension, 'safari');
    const path = `/extensions/${extension}/targets/${targetId}`;
    expectStatus(await api.patch(path, { storeItemId: appId, credentialId, enabled: true, encryption: 'exempt' }), 200);
    expectStatus(await api.push({ extension, version: '1.0', store: 'safari' }), 201);
    await control.deliver(appId, { version: '1.0' });
    expectStatus(await api.post(`/extensions/${extension}/reconcile`), 200);
    const status = async () => expectStatus(await api.get(path), 200).body.status;
    expect((await status()).phase).toBe('in_review');
    return { appId, targetId, teamId, status };
  };

  it('make a target due at once, and say nothing themselves', async () => {
    const { appId, targetId, status } = await inReview();
    await read();
    const [sent, ...others] = await control.announce(appId, { type: STATE });
    expect(others).toEqual([]);
    expect(sent?.url).toBe(`${ORIGIN}/api/v1/stores/announcements/${targetId}`);
    const now = world.clock.now().toISOString();
    expect((await status()).nextCheckAt > now).toBe(true);
    await control.act(appId, 'approve');
    expectStatus(await send(sent as Sent), 204);
    expect(await status()).toMatchObject({ phase: 'in_review', nextCheckAt: now });
    await world.tick();
    expect((await status()).phase).not.toBe('in_review');
  });

  it('count once, however often they come', async () => {
    const { appId, status } = await inReview();
    await read();
    const [sent] = await control.announce(appId, { type: STATE });
    const id: string = JSON.parse((sent as Sent).body).data.id;
    const answers = await Promise.all([send(sent as Sent), send(sent as Sent), send(sent as Sent)]);
    expect(answers.map((one) => one.status)).toEqual([204, 204, 204]);
    await world.tick();
    const { nextCheckAt } = await status();
    const [again] = await control.announce(appId, { type: STATE, id });
    expectStatus(await send(again as Sent), 204);
    expect((await status()).nextCheckAt).toBe(nextCheckAt);
    const [next] = await control.announce(appId, { type: STATE });
    expectStatus(await send(next as Sent), 204);
    expect((await status()).nextCheckAt < nextCheckAt).toBe(true);
  });

  it('are taken from the store alone', async () => {
    const [mine, theirs] = [await inReview(), await inReview()];
    await world.forward(DAY);
    await read();
    const [sent] = await control.announce(mine.appId, { type: STATE });
    const [other] = await control.announce(theirs.appId, { type: STATE });
    const { url, body, headers } = sent as Sent;
    const before = (await mine.status()).nextCheckAt;
    const signed = (text: string, secret: string) => ({
      'x-apple-signature': `hmacsha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
    });
    const forgeries: readonly Sent[] = [
      { url, body, headers: {} },
      { url, body, headers: { 'x-apple-signature': '' } },
      { url, body, headers: { 'x-apple-signature': `hmacsha256=${'0'.repeat(64)}` } },
      { url, body, headers: signed(body, '') },
      { url, body: `${body} `, headers },
      { url, body: '', headers },
      { url, body: body.replace('{', '['), headers },
      { ...(other as Sent), url },
      { url: url.replace(/[^/]+$/, 'nobody'), body, headers },
    ];
    for (const forged of forgeries)
      expect(await send(forged)).toMatchObject({ status: 401, body: { code: 'announcement_not_signed' } });
    expect((await mine.status()).nextCheckAt).toBe(before);
    const large = await send({ url, body: 'x'.repeat(70_000), headers });
    expect(large.status).toBe(413);
    expectStatus(await send(sent as Sent), 204);
  });

  it('are asked for once, and again where somebody has changed or deleted the webhook', async () => {
    const { appId } = await inReview();
    await read();
    const writes = async () => (await control.state(appId)).counters.writes;
    const after = await writes();
    await world.forward(DAY);
    await read();
    expect(await writes()).toBe(after);
    await control.webhook(appId, { enabled: false });
    await world.forward(DAY);
    await read();
    expect(await control.announce(appId, { type: STATE })).toHaveLength(1);
    await control.webhook(appId, null);
    await world.forward(DAY);
    await read();
    const [sent, ...others] = await control.announce(appId, { type: STATE });
    expect(others).toEqual([]);
    expectStatus(await send(sent as Sent), 204);
  });

  it('are asked for again when the answer was lost, with a secret that fits', async () => {
    const { appId } = await inReview();
    await world.control.fault({ itemId: appId, match: { operation: 'createWebhook' }, kind: 'drop-after', times: 1 });
    await read();
    await world.forward(DAY);
    await read();
    const [sent, ...others] = await control.announce(appId, { type: STATE });
    expect(others).toEqual([]);
    expectStatus(await send(sent as Sent), 204);
  });

  it('are done without where the key may not ask for them', async () => {
    const { appId, teamId, status } = await inReview();
    await control.changeKey(teamId, { role: 'DEVELOPER' });
    await world.control.fault({ itemId: appId, match: { operation: 'webhooks' }, kind: 'status', status: 403 });
    await read();
    expect(await control.announce(appId, { type: STATE })).toEqual([]);
    await world.forward(HOUR);
    await world.tick();
    expect((await status()).phase).toBe('in_review');
  });
});

it('no store is asked to announce anything to a service that it cannot reach', async () => {
  const world = await startWorld();
  try {
    const control = new SafariControl(world.sandbox.url);
    const tenant = await world.given.tenant();
    const { teamId, ...credentials } = await control.key();
    const { appId } = await control.app({ issuerId: teamId });
    const api = world.api.as(tenant);
    const made = await api.post('/credentials', { store: 'safari', credentials });
    const credentialId: string = expectStatus(made, 201).body.id;
    const extension = await world.given.extension(tenant);
    const path = `/extensions/${extension}/targets/${await world.given.targetOf(tenant, extension, 'safari')}`;
    expectStatus(await api.patch(path, { storeItemId: appId, credentialId, enabled: true }), 200);
    await world.app.get(ListingsWorker).tick();
    expect(await control.announce(appId, { type: STATE })).toEqual([]);
  } finally {
    await world.close();
  }
});
