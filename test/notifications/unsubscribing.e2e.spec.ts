import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { headerOf, partOf, type SmtpServer, type TakenMail } from '../support/smtp-server.js';
import { Receiver } from './receiver.js';
import { post, Team } from './team.js';

const PUBLIC = 'https://pierhead.example';

describe('a notification by mail', () => {
  let receiver: Receiver;
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    receiver = await Receiver.start();
    ({ smtp, world } = await startMailingWorld({ PUBLIC_URL: PUBLIC }));
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });

  const newAddress = (): string => `${randomUUID()}@author.example`;
  const lastTo = (address: string): TakenMail => {
    const mail = smtp.to(address).at(-1);
    if (mail === undefined) throw new Error('No mail came');
    return mail;
  };
  /** The link of a header, as the service under test is reached. */
  const linkIn = (mail: TakenMail): string =>
    headerOf(mail, 'List-Unsubscribe')
      .replace(/^<(.*)>$/, '$1')
      .replace(PUBLIC, world.url);
  /** What a mail program sends for its own button. */
  const click = async (link: string): Promise<number> => {
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    return (await fetch(link, { method: 'POST', body })).status;
  };
  const subscribed = async () => {
    const [team, address] = [await Team.in(world, receiver), newAddress()];
    const { id } = await team.listenByMail(address, smtp);
    await team.happens('phase_rejected');
    await post(world);
    const endpoint = async () => expectStatus(await team.api.get(`/notifications/endpoints/${id}`), 200).body;
    return { team, address, id, endpoint, link: linkIn(lastTo(address)) };
  };
  const entries = async (team: Team): Promise<readonly { readonly action: string }[]> =>
    expectStatus(await team.api.get('/audit?action=notification_endpoint.unsubscribed'), 200).body.items;

  it('carries a link for one click, which other mails do not', async () => {
    const { address } = await subscribed();
    const [confirmation, mail] = smtp.to(address);
    if (confirmation === undefined || mail === undefined) throw new Error('No mail came');
    expect(headerOf(confirmation, 'List-Unsubscribe')).toBe('');
    expect(headerOf(mail, 'List-Unsubscribe')).toMatch(
      /^<https:\/\/pierhead\.example\/notifications\/unsubscribe\?token=[\w.-]+>$/,
    );
    expect(headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(partOf(mail, 'text/plain')).toContain(
      `Stop these notifications:\n${headerOf(mail, 'List-Unsubscribe').slice(1, -1)}\n`,
    );
  });

  it('stops at one click, for this address alone, and not when a scanner opens the link', async () => {
    const { team, address, endpoint, link } = await subscribed();
    const other = newAddress();
    await team.listenByMail(other, smtp);
    for (let scan = 0; scan < 3; scan += 1) {
      const page = await fetch(link);
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(await page.text()).toContain('<form method="post">');
    }
    await fetch(link, { method: 'HEAD' });
    expect(await endpoint()).toMatchObject({ enabled: true });
    await team.happens('stuck_in_review');
    expect(await click(link)).toBe(200);
    expect(await endpoint()).toMatchObject({ enabled: false, disabledBecause: 'unsubscribed', confirmedAt: null });
    await team.happens('phase_taken_down');
    await post(world);
    expect([address, other].map((one) => smtp.to(one).length)).toEqual([2, 3]);
  });

  it('stops once, as the audit log says', async () => {
    const { team, id, link } = await subscribed();
    expect([await click(link), await click(link)]).toEqual([200, 200]);
    expect(await entries(team)).toMatchObject([
      {
        action: 'notification_endpoint.unsubscribed',
        subject: { id },
        before: { enabled: true },
        after: { enabled: false },
      },
    ]);
    expect(world.log.join('\n')).not.toContain(new URL(link).searchParams.get('token'));
  });

  it('comes again only once the owner of the address confirms it again', async () => {
    const { team, address, id, endpoint, link } = await subscribed();
    await click(link);
    expectStatus(await team.api.patch(`/notifications/endpoints/${id}`, { enabled: true }), 200);
    expect(await endpoint()).toMatchObject({ enabled: true, disabledBecause: null, confirmedAt: null });
    await team.happens('phase_taken_down');
    await post(world);
    expect(smtp.to(address)).toHaveLength(2);
    expectStatus(await team.api.patch(`/notifications/endpoints/${id}`, { address }), 200);
    await post(world);
    expect(headerOf(lastTo(address), 'Subject')).toBe('Confirm your address for notifications');
  });

  it('is stopped by no other token, nor by that of a former address', async () => {
    const { team, id, endpoint, link } = await subscribed();
    const other = await subscribed();
    const token = new URL(link).searchParams.get('token') ?? '';
    const [, mac = ''] = token.split('.');
    const base = link.slice(0, link.indexOf('?'));
    for (const odd of [
      '',
      '?token=',
      `?token=${token}&token=${token}`,
      `?token=${token.slice(0, -1)}`,
      `?token=${token.replace('.', '.A')}`,
      `?token=${other.id}.${mac}`,
      `?token=${randomUUID()}.${mac}`,
      `?token=${'x'.repeat(5000)}`,
    ])
      expect({ odd, status: await click(`${base}${odd}`) }).toEqual({ odd, status: 410 });
    expectStatus(await team.api.patch(`/notifications/endpoints/${id}`, { address: newAddress() }), 200);
    expect(await click(link)).toBe(410);
    expect(await endpoint()).toMatchObject({ enabled: true });
    expect(await other.endpoint()).toMatchObject({ enabled: true });
    expectStatus(await team.api.delete(`/notifications/endpoints/${id}`), 204);
    expect(await click(link)).toBe(410);
  });

  it('has no such header where the service is not reached by https, but the link', async () => {
    const local = await startWorld({ with: world, env: { ...smtp.env, PUBLIC_URL: 'http://127.0.0.1:3000' } });
    const [team, address] = [await Team.in(local, receiver), newAddress()];
    await team.listenByMail(address, smtp);
    await team.happens('phase_rejected');
    await post(local);
    expect(headerOf(lastTo(address), 'List-Unsubscribe')).toBe('');
    expect(partOf(lastTo(address), 'text/plain')).toContain('http://127.0.0.1:3000/notifications/unsubscribe?token=');
    await local.close();
  });
});
