import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pusher } from '../artifacts/pusher.js';
import type { World } from '../support/app.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { headerOf, partOf, type SmtpServer } from '../support/smtp-server.js';
import { post } from './team.js';

describe('a version that waits for an approval', () => {
  let smtp: SmtpServer;
  let world: World;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld());
  });
  afterAll(() => world.close());

  const team = async () => {
    const ann = await world.given.publishable({ published: '1.0.0' });
    const [bob, carol, viewer] = [
      await world.given.member(ann, 'publisher'),
      await world.given.member(ann, 'admin'),
      await world.given.member(ann, 'viewer'),
    ];
    const { token } = await world.given.loggedIn(ann);
    const require = async (required: boolean): Promise<void> => {
      const path = `/extensions/${ann.extensionId}`;
      expectStatus(await world.api.as({ token }).patch(path, { approval: { required } }), 200);
    };
    await require(true);
    const pusher = new Pusher(world, ann);
    await pusher.pushed('1.1.0');
    await post(world);
    const [asked] = expectStatus(await world.api.as(pusher.mine).get('/approvals'), 200).body.items;
    const of = ({ email }: Tenant) => smtp.to(email).filter((mail) => /approv/.test(headerOf(mail, 'subject')));
    const decide = async (by: Tenant, how: string, body?: object): Promise<void> => {
      expectStatus(await world.api.as({ cookie: by.cookie }).post(`/approvals/${asked.id}/${how}`, body), 200);
      await post(world);
    };
    const said = (person: Tenant, at: number): string => {
      const mail = of(person)[at];
      return mail === undefined ? '' : partOf(mail, 'text/plain');
    };
    return { said, ann, bob, carol, viewer, require, asked, of, decide, pusher };
  };

  it('is mailed to each person who can approve it, with a link that decides nothing by itself', async () => {
    const { ann, bob, carol, viewer, asked, of, said } = await team();
    expect([ann, bob, carol, viewer].map((person) => of(person).length)).toEqual([0, 1, 1, 0]);
    expect(of(bob).map((mail) => headerOf(mail, 'subject'))).toEqual([
      expect.stringMatching(/ 1\.1\.0 waits for approval$/),
    ]);
    const text = said(bob, 0);
    expect(text).toContain(`Version 1.1.0 waits for approval: CI (${ann.email}) pushed it.`);
    expect(text).toContain(`/approvals/${asked.id}\n`);
    expect(text).toContain('because your team requires that another person approves each version.');
  });

  it('tells who pushed it, and every endpoint, what became of it', async () => {
    const { ann, bob, carol, asked, of, said, decide, pusher } = await team();
    await decide(bob, 'reject', { reason: 'It is late.' });
    expect([ann, carol].map((person) => of(person).length)).toEqual([1, 1]);
    expect(said(ann, 0)).toContain(`${bob.email} rejected version 1.1.0: It is late.`);
    const { items } = expectStatus(await world.api.as(pusher.mine).get('/notifications'), 200).body;
    expect(items).toMatchObject([
      { kind: 'approval_rejected', version: '1.1.0', approvalId: asked.id },
      { kind: 'approval_requested', version: '1.1.0', approvalId: asked.id },
    ]);
  });

  it('tells owners and admins when approvals are no longer required', async () => {
    const { ann, bob, carol, require, of, said } = await team();
    await require(false);
    await post(world);
    expect([ann, bob, carol].map((person) => of(person).length)).toEqual([0, 1, 2]);
    expect(said(carol, 1)).toContain(
      `${ann.email} no longer requires that another person approves each version. What waited for approval is sent now.`,
    );
  });
});
