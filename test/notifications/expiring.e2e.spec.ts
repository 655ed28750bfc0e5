import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromeAccount } from '../credentials/chrome-account.js';
import { startWorld, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { Receiver } from './receiver.js';
import { deliverWebhooks, Team } from './team.js';

describe('what expires', () => {
  let receiver: Receiver;
  let world: World;
  let other: World;
  beforeAll(async () => {
    receiver = await Receiver.start();
    world = await startWorld();
    other = await startWorld({ with: world });
  });
  afterAll(async () => {
    await other.close();
    await world.close();
    await receiver.close();
  });

  const ahead = (ms: number): string => new Date(world.clock.now().getTime() + ms).toISOString();
  const keep = async ({ tenant }: Team, expiresAt: string | null): Promise<string> => {
    const { key: credentials } = await chromeAccount(world);
    const body = { store: 'chrome', label: 'main', expiresAt, credentials };
    return expectStatus(await world.api.as({ cookie: tenant.cookie }).post('/credentials', body), 201).body.id;
  };
  const days = async (count: number): Promise<void> => {
    for (let day = 0; day < count; day += 1) {
      await world.forward(DAY);
      await Promise.all([deliverWebhooks(world), deliverWebhooks(other)]);
    }
  };
  const messages = (team: Team): readonly string[] =>
    team.received.map(({ body }) => /expires (.*), on/.exec(body.data['message'] ?? '')?.[1] ?? '');

  it('causes, for a credential, one warning 14, 7 and 1 days ahead, however many processes check', async () => {
    const team = await Team.in(world, receiver);
    await team.listen();
    const id = await keep(team, ahead(20 * DAY + HOUR));
    await days(25);
    expect(messages(team)).toEqual(['in 14 days', 'in 7 days', 'within a day']);
    const notifications = await team.notifications();
    expect(notifications).toHaveLength(3);
    expect(notifications[0]).toMatchObject({
      kind: 'credential_expiring',
      credentialId: id,
      extensionId: null,
      message: expect.stringMatching(/^Chrome Web Store: the credential “main” expires within a day, on \d{4}-/),
    });
    expect(team.received[0]?.body).toMatchObject({ type: 'credential_expiring', data: { credentialId: id } });
  });

  it('within a shorter time causes, for a credential, one warning with the remaining days', async () => {
    const team = await Team.in(world, receiver);
    await team.listen();
    await keep(team, ahead(5 * DAY + HOUR));
    await days(1);
    expect(messages(team)).toEqual(['in 5 days']);
  });

  it('causes new warnings of a credential after its expiry changes', async () => {
    const team = await Team.in(world, receiver);
    await team.listen();
    const id = await keep(team, ahead(5 * DAY));
    await days(1);
    const api = world.api.as({ cookie: team.tenant.cookie });
    expectStatus(await api.patch(`/credentials/${id}`, { expiresAt: ahead(40 * DAY) }), 200);
    await days(3);
    expect(team.received).toHaveLength(1);
    await days(24);
    expect(messages(team)).toEqual(['in 4 days', 'in 14 days']);
  });

  it('causes a notification without any endpoint too', async () => {
    const team = await Team.in(world, receiver);
    await keep(team, ahead(HOUR * 30));
    await keep(team, null);
    await days(1);
    expect((await team.notifications()).map(({ kind }) => kind)).toEqual(['credential_expiring']);
    expect(await team.deliveries()).toEqual([]);
  });

  describe('as an access token', () => {
    const create = async ({ tenant }: Team, expiresInDays: number): Promise<string> => {
      const body = { name: 'CI', scopes: ['extensions:read'], expiresInDays };
      return expectStatus(await world.api.as({ cookie: tenant.cookie }).post('/access-tokens', body), 201).body.token;
    };
    const use = (token: string) => world.api.as({ token }).get('/extensions');

    it('causes one notification 14 and 3 days ahead, however many processes check', async () => {
      const team = await Team.in(world, receiver);
      await team.listen();
      const token = await create(team, 20);
      await days(1);
      expectStatus(await use(token), 200);
      await days(20);
      expect(messages(team)).toEqual(['in 14 days', 'in 3 days']);
      expect(await team.notifications()).toMatchObject([
        {
          kind: 'access_token_expiring',
          message: `The access token “CI” (…${token.slice(-4)}) expires in 3 days, on ${ahead(-DAY).slice(0, 10)}. Replace it before that.`,
        },
        { kind: 'access_token_expiring', extensionId: null, credentialId: null },
      ]);
    });

    it('causes none when it was not used for a month, was exchanged for a session, or is revoked', async () => {
      const team = await Team.in(world, receiver);
      expectStatus(await use(await create(team, 50)), 200);
      await create(team, 10);
      const session = world.api.as({ cookie: team.tenant.cookie });
      const revoked = await create(team, 10);
      expectStatus(await use(revoked), 200);
      const [{ id }] = (await session.get('/access-tokens')).body.items;
      expectStatus(await session.delete(`/access-tokens/${id}`), 204);
      expectStatus(await use((await session.post('/auth/token')).body.token), 200);
      await days(1);
      await world.forward(40 * DAY);
      await days(1);
      expect(await team.notifications()).toEqual([]);
    });
  });
});
