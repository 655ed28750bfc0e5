import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { type SmtpServer, headerOf, partOf } from '../support/smtp-server.js';
import { Receiver } from './receiver.js';
import { confirmationIn, post, Team } from './team.js';

const SUBJECT = 'Confirm your address for notifications';

describe('an address for notifications', () => {
  let receiver: Receiver;
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    receiver = await Receiver.start();
    ({ smtp, world } = await startMailingWorld());
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  const newAddress = (): string => `${randomUUID()}@author.example`;
  const subjects = (address: string): readonly string[] => smtp.to(address).map((mail) => headerOf(mail, 'Subject'));
  /** The link that was mailed to an address last. */
  const linkOf = async (address: string): Promise<string> => {
    await post(world);
    return confirmationIn(world, smtp.to(address).at(-1));
  };
  const press = async (link: string): Promise<number> => (await fetch(link, { method: 'POST' })).status;
  const confirmedAt = async (team: Team): Promise<string | null> =>
    (await team.api.get('/notifications/endpoints')).body.items[0].confirmedAt;

  it('receives nothing until its owner presses the button behind the link, which mail scanners may open', async () => {
    const [team, address] = [await Team.in(world, receiver), newAddress()];
    const { id, confirmedAt: before } = await team.addAddress(address);
    expect(before).toBeNull();
    await team.happens('phase_rejected');
    expect(await team.api.post(`/notifications/endpoints/${id}/test`)).toMatchObject({
      status: 409,
      body: { code: 'endpoint_unconfirmed' },
    });
    const link = await linkOf(address);
    for (let scan = 0; scan < 3; scan += 1) {
      const page = await fetch(link);
      expect({ status: page.status, isKept: page.headers.get('cache-control') }).toEqual({
        status: 200,
        isKept: 'no-store',
      });
      expect(await page.text()).toContain('<form method="post">');
    }
    await fetch(link, { method: 'HEAD' });
    await team.happens('phase_taken_down');
    await post(world);
    expect(subjects(address)).toEqual([SUBJECT]);
    expect(await team.deliveries()).toEqual([]);
    expect(await confirmedAt(team)).toBeNull();

    expect(await press(link)).toBe(200);
    expect(await confirmedAt(team)).toBe(world.clock.now().toISOString());
    await team.happens('stuck_in_review');
    await post(world);
    expect(subjects(address)).toHaveLength(2);
  });

  it('is confirmed by a link that works once, for three days, and until the next link is mailed', async () => {
    const [team, address] = [await Team.in(world, receiver), newAddress()];
    const { id } = await team.addAddress(address);
    const again = (): Promise<unknown> => team.api.patch(`/notifications/endpoints/${id}`, { address });
    const late = await linkOf(address);
    await world.forward(3 * DAY + HOUR);
    expect(await press(late)).toBe(410);
    await again();
    const former = await linkOf(address);
    await again();
    const link = await linkOf(address);
    expect(await press(former)).toBe(410);
    expect(await press(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`)).toBe(410);
    expect(await press(link)).toBe(200);
    expect(await press(link)).toBe(410);
    expect(await again()).toMatchObject({ status: 400, body: { code: 'nothing_to_update' } });
    for (const odd of ['', '?token=', '?token=a&token=b', `?token=${'x'.repeat(5000)}`])
      expect(await press(`${world.url}/notifications/confirm${odd}`)).toBe(410);
  });

  it('that replaces another must be confirmed again', async () => {
    const [team, first, second] = [await Team.in(world, receiver), newAddress(), newAddress()];
    const { id } = await team.listenByMail(first, smtp);
    const changed = await team.api.patch(`/notifications/endpoints/${id}`, { address: second });
    expect(changed.body).toMatchObject({ address: second, confirmedAt: null });
    await team.happens('phase_rejected');
    const link = await linkOf(second);
    expect([subjects(first), subjects(second)]).toEqual([[SUBJECT], [SUBJECT]]);
    expect(await press(link)).toBe(200);
    await team.happens('phase_taken_down');
    await post(world);
    expect([subjects(first), subjects(second)]).toEqual([[SUBJECT], [SUBJECT, 'Night Owl was taken down']]);
  });

  it('is sent an example whose subject says that it is one', async () => {
    const [team, address] = [await Team.in(world, receiver), newAddress()];
    const { id } = await team.listenByMail(address, smtp);
    for (const kind of ['rejected', 'test'])
      expectStatus(await team.api.post(`/notifications/endpoints/${id}/test`, { kind }), 201);
    await post(world);
    expect(subjects(address).slice(1)).toEqual([
      expect.stringMatching(/^Example: Tab Counter 1\.4\.0 /),
      expect.not.stringContaining('Example'),
    ]);
  });

  it('receives a confirmation without text of the tenant, and none once the endpoint is deleted', async () => {
    const [team, address, other] = [await Team.in(world, receiver), newAddress(), newAddress()];
    await team.addAddress(address);
    const { id } = await team.addAddress(other);
    await team.api.delete(`/notifications/endpoints/${id}`);
    await post(world);
    const [mail] = smtp.to(address);
    if (mail === undefined) throw new Error('No mail came');
    expect(partOf(mail, 'text/plain')).not.toMatch(/Night Owl|Author/);
    expect(smtp.to(other)).toEqual([]);
  });
});
