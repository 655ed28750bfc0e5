import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { onServer, untilWaiting } from '../licensing/shop.js';
import { post } from '../notifications/team.js';
import { DataSource, NeedsService, type World } from '../support/app.js';
import { DAY, HOUR } from '../support/clock.js';
import { expectStatus, type Publishable, type Tenant } from '../support/given.js';
import { startMailingWorld } from '../support/mailing-world.js';
import { headerOf, partOf, type SmtpServer } from '../support/smtp-server.js';

interface Need {
  readonly key: string;
  readonly kind: string;
}

describe('a need', () => {
  let smtp: SmtpServer;
  let world: World;
  let ann: Publishable;
  let key: string;
  beforeAll(async () => {
    ({ smtp, world } = await startMailingWorld({ DEFAULT_TENANT_QUOTA: 'unlimited' }));
    ann = await world.given.publishable({ published: '1.0.0' });
    await rejected('1.1.0');
    key = `rejected:${ann.targetId}:1.1.0`;
  });
  beforeEach(() => logInAgain());
  afterAll(() => world.close());

  /** A session's token does not live as long as these needs. */
  const logInAgain = async (): Promise<void> => {
    ann = { ...ann, ...(await world.given.loggedIn(ann)) };
  };
  const rejected = async (version: string): Promise<void> => {
    expectStatus(await world.given.pinned(ann, version), 201);
    await world.tick();
    await world.control.act(ann.itemId, 'reject');
    await world.forward(DAY);
    await world.tick();
    await logInAgain();
  };
  const overview = async (as: { readonly token: string } = ann) =>
    expectStatus(await world.api.as({ token: as.token }).get('/overview'), 200).body;
  const keys = (needs: readonly Need[]): readonly string[] => needs.map((need) => need.key);
  const change = (body: object, as: { readonly token: string } = ann, of = key) =>
    world.api.as({ token: as.token }).patch(`/overview/needs/${of}`, body);
  const inDays = (days: number): string => new Date(world.clock.now().getTime() + days * DAY).toISOString();
  const mailsTo = ({ email }: Tenant) =>
    smtp.to(email).filter((mail) => partOf(mail, 'text/plain').includes('assigned'));

  it('is hidden from everybody while it is snoozed, and says by whom', async () => {
    expect(keys((await overview()).needs)).toEqual([key]);
    const until = inDays(1);
    const changed = expectStatus(await change({ snoozedUntil: until }), 200).body;
    expect(changed).toMatchObject({ key, snoozedUntil: until, snoozedBy: ann.email, assignee: null });
    const ben = await world.given.member(ann, 'publisher');
    expect(await overview(ben)).toMatchObject({ needs: [], snoozed: [{ key, snoozedBy: ann.email }] });
    await world.forward(DAY - HOUR);
    await logInAgain();
    expect((await overview()).needs).toEqual([]);
    await world.forward(HOUR);
    await logInAgain();
    expect(await overview()).toMatchObject({ needs: [{ key, snoozedUntil: null, snoozedBy: null }], snoozed: [] });
  });

  it('can be shown again at once', async () => {
    expectStatus(await change({ snoozedUntil: inDays(7) }), 200);
    expectStatus(await change({ snoozedUntil: null }), 200);
    expect(await overview()).toMatchObject({ needs: [{ key }], snoozed: [] });
  });

  it('is assigned to a member who may answer it, who is mailed once', async () => {
    const ben = await world.given.member(ann, 'publisher');
    const { assignee } = expectStatus(await change({ assigneeId: ben.userId }), 200).body;
    expect(assignee).toEqual({ userId: ben.userId, email: ben.email });
    expectStatus(await change({ assigneeId: ben.userId }), 200);
    await post(world);
    const mails = mailsTo(ben);
    expect(mails.map((mail) => headerOf(mail, 'subject'))).toEqual([
      expect.stringMatching(/^Chrome Web Store rejected Extension/),
    ]);
    const [text = ''] = mails.map((mail) => partOf(mail, 'text/plain'));
    expect(text).toContain(`${ann.email} assigned this to you: Chrome Web Store rejected`);
    expect(text).toContain(`/extensions/${ann.extensionId}/versions/1.1.0#rejected`);
    expect((await overview(ben)).needs).toMatchObject([{ key, assignee: { email: ben.email } }]);
    expectStatus(await world.api.as({ cookie: ann.cookie }).delete(`/members/${ben.userId}`), 204);
    expect((await overview()).needs).toMatchObject([{ key, assignee: null }]);
  });

  // The embedded database has one session, which a lock would hold for all.
  (onServer ? it : it.skip)('is not assigned to a member who leaves at the same moment', async () => {
    const ben = await world.given.member(ann, 'publisher');
    const leaving = world.app.get(DataSource).createQueryRunner();
    await leaving.startTransaction();
    await leaving.query('delete from membership where user_id = $1', [ben.userId]);
    const asked = change({ assigneeId: ben.userId });
    await untilWaiting(world);
    await leaving.commitTransaction();
    await leaving.release();
    expect(expectStatus(await asked, 400).body).toMatchObject({ errors: [{ field: 'assigneeId' }] });
    expect((await overview()).needs).toMatchObject([{ key, assignee: null }]);
  });

  it('is not mailed about to who assigns it to themselves, or wants no such mails', async () => {
    const ben = await world.given.member(ann, 'publisher');
    const mine = await world.api.as({ cookie: ben.cookie }).patch('/members/me', { assignmentMails: false });
    expect(expectStatus(mine, 200).body).toMatchObject({ email: ben.email, assignmentMails: false });
    for (const { userId } of [ann, ben]) expectStatus(await change({ assigneeId: userId }), 200);
    await post(world);
    expect([ann, ben].map((person) => mailsTo(person).length)).toEqual([0, 0]);
  });

  it('is left in the audit log, with who sees to it', async () => {
    const ben = await world.given.member(ann, 'publisher');
    expectStatus(await change({ assigneeId: null }), 200);
    expectStatus(await change({ assigneeId: ben.userId }), 200);
    const token = await world.given.token(ann, ['audit:read']);
    const [entry] = expectStatus(await world.api.as({ token }).get('/audit?action=need.updated'), 200).body.items;
    expect(entry).toMatchObject({
      actor: { name: ann.email },
      subject: { type: 'need', name: expect.stringContaining('rejected Extension') },
      extensionId: ann.extensionId,
      before: { assignee: null },
      after: { assignee: ben.email },
    });
  });

  it('is no longer snoozed or assigned once another version needs the same', async () => {
    expectStatus(await change({ snoozedUntil: inDays(7) }), 200);
    await rejected('1.2.0');
    expect(await overview()).toMatchObject({
      needs: [{ key: `rejected:${ann.targetId}:1.2.0`, assignee: null }],
      snoozed: [],
    });
    key = `rejected:${ann.targetId}:1.2.0`;
  });

  it.each<[string, () => object, object]>([
    ['in the past', () => ({ snoozedUntil: inDays(-1) }), { field: 'snoozedUntil' }],
    ['beyond 90 days', () => ({ snoozedUntil: inDays(91) }), { field: 'snoozedUntil' }],
    ['to nobody known', () => ({ assigneeId: ann.tenantId }), { field: 'assigneeId' }],
  ])('%s is refused', async (_, body, error) => {
    expect(expectStatus(await change(body()), 400).body).toMatchObject({ code: 'invalid_request', errors: [error] });
    expect(expectStatus(await change({}), 400).body.code).toBe('nothing_to_update');
  });

  it('is changed only by and assigned only to who may answer it, and by nobody of another tenant', async () => {
    const viewer = await world.given.member(ann, 'viewer');
    const body = { snoozedUntil: inDays(1) };
    expect(expectStatus(await change(body, viewer), 403).body.code).toBe('role_not_allowed');
    const reading = { token: await world.given.token(ann, ['extensions:read']) };
    expect(expectStatus(await change(body, reading), 403).body.code).toBe('insufficient_scope');
    expect(expectStatus(await change({ assigneeId: viewer.userId }), 409).body.code).toBe('assignee_cannot_act');
    const stranger = await world.given.tenant();
    expect(expectStatus(await change(body, stranger), 404).body.code).toBe('need_not_found');
    expect(keys((await overview()).needs)).toEqual([key]);
  });

  it('is not assigned to who asked for the approval that it waits for', async () => {
    const owner = await world.given.publishable({ published: '1.0.0' });
    const ben = await world.given.member(owner, 'publisher');
    const { extensionId } = owner;
    const settings = { approval: { required: true } };
    expectStatus(
      await world.api.as(await world.given.loggedIn(owner)).patch(`/extensions/${extensionId}`, settings),
      200,
    );
    await world.given.pinned(owner, '1.1.0');
    const [need] = (await overview(owner)).needs;
    expect(need).toMatchObject({ kind: 'approval_waiting', turn: 'team' });
    const refused = await change({ assigneeId: owner.userId.toUpperCase() }, owner, need.key);
    expect(expectStatus(refused, 409).body).toMatchObject({
      code: 'assignee_cannot_act',
      detail: `${owner.email} asked for this approval, which another person gives.`,
    });
    const given = await change({ assigneeId: ben.userId }, owner, need.key);
    expect(expectStatus(given, 200).body).toMatchObject({ assignee: { email: ben.email } });
  });

  it('stays assigned for as long as it stands', async () => {
    expectStatus(await change({ assigneeId: ann.userId }), 200);
    await world.forward(91 * DAY);
    await world.app.get(NeedsService).deleteOld();
    await logInAgain();
    expect((await overview()).needs).toMatchObject([{ key, assignee: { email: ann.email } }]);
    expectStatus(await change({ assigneeId: null }), 200);
  });

  it('is shown however many older ones are snoozed', async () => {
    const owner = await world.given.tenant();
    for (let at = 0; at < 26; at += 1) await world.given.extension(owner, `Extension ${at}`);
    const query = (sql: string) => world.app.get(DataSource).query(sql, [owner.tenantId]);
    await query('update target set enabled = true where tenant_id = $1');
    await query(`update target_status set phase = 'incomplete', phase_since = '2026-01-01'
                  where target_id = any(array(select id from target where tenant_id = $1))`);
    await query(`insert into need_mark (id, created_at, updated_at, tenant_id, key, snoozed_until, snoozed_by, seen_count, seen_at, seen_message)
                 select gen_random_uuid(), now(), now(), tenant_id, 'incomplete:' || id, '2100-01-01', 'ann', 1, phase_since, message
                   from target join target_status on target_id = id where tenant_id = $1 order by id limit 103`);
    await query(`update target_status set phase_since = '2026-02-02'
                  where target_id = any(array(select id from target where tenant_id = $1 order by id offset 103))`);
    const { needs, snoozed } = await overview(owner);
    expect([needs.length, snoozed.length]).toEqual([1, 100]);
    const changed = await change({ snoozedUntil: null }, owner, needs[0].key);
    expect(expectStatus(changed, 200).body).toMatchObject({ kind: 'incomplete' });
  });

  it('leaves nothing behind after 90 days', async () => {
    expectStatus(await change({ snoozedUntil: inDays(89) }), 200);
    await world.forward(91 * DAY);
    await world.app.get(NeedsService).deleteOld();
    const left = 'select key from need_mark where tenant_id = $1';
    expect(await world.app.get(DataSource).query(left, [ann.tenantId])).toEqual([]);
  });
});
