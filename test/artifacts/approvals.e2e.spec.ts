import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/artifacts/approvals/approvals.dto.js';
import type { FromJson } from '../../sandbox/sandbox-control.js';
import { Author } from '../reconcile/author.js';
import { startWorld, type World } from '../support/app.js';
import { CiIssuer } from '../support/ci-issuer.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { Pusher } from './pusher.js';

type ApprovalJson = FromJson<Approval>;

const COMMIT = '8f3a1c5e0b2d4f6a7c9e1d3b5f7a9c0e2d4b6f81';

const ORIGIN = 'https://pierhead.example';

describe('an extension whose versions another person has to approve', () => {
  let world: World;
  let issuer: CiIssuer;
  beforeAll(async () => {
    issuer = await CiIssuer.start();
    world = await startWorld({ env: { CI_ISSUERS: issuer.url, PUBLIC_URL: ORIGIN } });
  });
  afterAll(async () => {
    await world.close();
    await issuer.close();
  });

  /** An owner, Ann, who pushes with a token, and Bob, who may publish; 1.0.0 is live. */
  const team = async (isRequired = true) => {
    const author = await Author.in(world, { published: '1.0.0', weeklyUsers: 50_000 });
    const ann = author.mine;
    const bob = await world.given.member(ann, 'publisher');
    const require = (required: boolean, by: Pick<Tenant, 'cookie'> | Pick<Tenant, 'token'> = ann) =>
      world.api.as(by).patch(`/extensions/${ann.extensionId}`, { approval: { required } });
    const session = await world.given.loggedIn(ann);
    if (isRequired) expectStatus(await require(true, { token: session.token }), 200);
    const pusher = new Pusher(world, ann);
    const waiting = async (query = ''): Promise<readonly ApprovalJson[]> =>
      expectStatus(await world.api.as(author.mine).get(`/approvals?extension=${ann.extensionId}${query}`), 200).body
        .items;
    const decide = (
      { cookie }: Pick<Tenant, 'cookie'>,
      id = 'none',
      how: 'approve' | 'reject' = 'approve',
      body: object | undefined = how === 'reject' ? { reason: 'It is late.' } : undefined,
    ) => world.api.as({ cookie }).post(`/approvals/${id}/${how}`, body);
    const uploads = async (): Promise<number> => (await author.counters())['uploads'] ?? 0;
    return { author, ann: { ...ann, token: session.token }, bob, pusher, require, waiting, decide, uploads };
  };

  it('sends nothing before that, says whom it waits for, and sends it then', async () => {
    const { author, ann, bob, pusher, waiting, decide, uploads } = await team();
    const before = await uploads();
    const artifact = await pusher.pushed('1.1.0', {}, { commit: COMMIT });
    expect(await author.plan()).toMatchObject({ step: 'ask_human' });
    expect(await author.reconcile()).toMatchObject({
      phase: 'action_required',
      message: `Version 1.1.0 waits for approval: CI (${ann.email}) pushed it, and another person has to approve it.`,
    });
    expect(await author.status()).toMatchObject({ approval: 'waiting', liveVersion: '1.0.0' });
    const [asked, ...others] = await waiting();
    expect(others).toEqual([]);
    expect(asked).toMatchObject({
      artifactId: artifact.id,
      act: 'push',
      version: '1.1.0',
      sha256: artifact.sha256,
      requestedBy: `CI (${ann.email})`,
      commit: COMMIT,
      state: 'waiting',
    });
    const seen = await world.api.as({ token: bob.token }).get(`/approvals/${asked?.id}`);
    expect(seen.body).toEqual({ ...asked, isYours: true });
    expect(await uploads()).toBe(before);
    const approved = expectStatus(await decide(bob, asked?.id), 200).body;
    expect(approved).toMatchObject({ state: 'approved', decidedBy: bob.email, decidedAt: expect.any(String) });
    expect(expectStatus(await decide(bob, asked?.id), 200).body).toEqual(approved);
    expect(await waiting()).toEqual([]);
    expect(await waiting('&state=decided')).toEqual([approved]);
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await author.status()).toMatchObject({ approval: null });
    const entries = expectStatus(await world.api.as({ cookie: ann.cookie }).get('/audit?limit=10'), 200).body.items;
    expect(
      entries.map(({ action, actor }: { action: string; actor: { name: string } }) => [action, actor.name]),
    ).toEqual(
      expect.arrayContaining([
        ['approval.approved', bob.email],
        ['artifact.pushed', 'CI'],
      ]),
    );
  });

  it('is approved by nobody who pushed it, no token, no role that may not publish, and no other tenant', async () => {
    const { ann, bob, pusher, waiting, decide } = await team();
    const viewer = await world.given.member(ann, 'viewer');
    const stranger = await world.given.tenant();
    await pusher.pushed('1.1.0');
    const [asked] = await waiting();
    const refused = async (by: Tenant): Promise<readonly unknown[]> => {
      const { status, body } = await decide(by, asked?.id);
      return [status, body.code];
    };
    expect(await refused(ann)).toEqual([403, 'own_release']);
    expect(await refused(viewer)).toEqual([403, 'role_not_allowed']);
    expect(await refused(stranger)).toEqual([404, 'approval_not_found']);
    for (const by of [ann, bob, { token: await world.given.token(ann) }])
      expect((await world.api.as({ token: by.token }).post(`/approvals/${asked?.id}/approve`)).status).toBe(401);
    const shown = await world.api.as({ token: ann.token }).get(`/approvals/${asked?.id}`);
    expect(shown.body).toMatchObject({ state: 'waiting', isYours: false });
    expect((await world.api.as({ token: stranger.token }).get(`/approvals/${asked?.id}`)).status).toBe(404);
    expectStatus(await world.api.as(ann).call('DELETE', `/members/${bob.userId}`), 204);
    expect(await refused(bob)).toEqual([401, 'unauthenticated']);
  });

  it('is not sent once somebody rejected it, even when approvals are no longer required, before it is pushed again', async () => {
    const { author, ann, bob, pusher, require, waiting, decide, uploads } = await team();
    const before = await uploads();
    await pusher.pushed('1.1.0');
    const [asked] = await waiting();
    const rejected = expectStatus(await decide(bob, asked?.id, 'reject'), 200).body;
    expect(rejected).toMatchObject({ state: 'rejected', reason: 'It is late.', decidedBy: bob.email });
    expect(expectStatus(await decide(bob, asked?.id, 'reject'), 200).body).toEqual(rejected);
    expect(await decide(bob, asked?.id)).toMatchObject({ status: 409, body: { code: 'approval_decided' } });
    const held = {
      phase: 'action_required',
      message: `${bob.email} rejected version 1.1.0: It is late. Push a mended package, or the same one to ask again.`,
    };
    expect(await author.reconcile()).toMatchObject(held);
    expect(await author.status()).toMatchObject({ approval: 'rejected' });
    const { body } = await world.api.as(ann).get(`/extensions/${ann.extensionId}/events?kind=approval_rejected`);
    expect(body.items).toMatchObject([
      { version: '1.1.0', message: `${bob.email} rejected version 1.1.0: It is late.` },
    ]);
    // Who pushed it could otherwise approve that the target is enabled.
    const target = `/extensions/${ann.extensionId}/targets/${ann.targetId}`;
    for (const enabled of [false, true])
      expectStatus(await world.api.as({ token: bob.token }).patch(target, { enabled }), 200);
    expect(await waiting()).toEqual([]);
    expect(await author.reconcile()).toMatchObject(held);
    expectStatus(await require(false, { token: ann.token }), 200);
    expect(await author.reconcile()).toMatchObject(held);
    expect(await uploads()).toBe(before);
    expectStatus(await pusher.push('1.1.0', await packageOf('1.1.0')), 200);
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
  });

  it('asks again for other content, another version and an older one, and not for the same push twice', async () => {
    const { author, bob, pusher, waiting, decide } = await team();
    await pusher.pushed('1.1.0');
    expectStatus(await pusher.push('1.1.0', await packageOf('1.1.0')), 200);
    const [first, ...others] = await waiting();
    expect(others).toEqual([]);
    expectStatus(await decide(bob, first?.id), 200);
    expectStatus(await pusher.push('1.1.0', await packageOf('1.1.0')), 200);
    expect(await waiting()).toEqual([]);
    const changed = await pusher.pushed('1.1.0', { description: 'Something else.' });
    expect(await waiting()).toMatchObject([{ act: 'push', sha256: changed.sha256 }]);
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
    const next = await pusher.pushed('1.2.0');
    const [asked, ...none] = await waiting();
    expect([asked?.version, none]).toEqual(['1.2.0', []]);
    expect(await waiting('&state=withdrawn')).toMatchObject([{ version: '1.1.0', sha256: changed.sha256 }]);
    expectStatus(await decide(bob, asked?.id), 200);
    const api = world.api.as(pusher.mine);
    expectStatus(await api.post(`/artifacts/${changed.id}/pin`, {}), 200);
    expect(await waiting()).toMatchObject([{ act: 'pin', version: '1.1.0' }]);
    expectStatus(await api.post(`/artifacts/${next.id}/pin`, {}), 200);
    expect(await waiting()).toMatchObject([{ act: 'pin', version: '1.2.0' }]);
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
  });

  it('asks again before a version is resubmitted, and before it goes to a target that is enabled', async () => {
    const { author, ann, bob, pusher, waiting, decide } = await team();
    await pusher.pushed('1.1.0');
    expectStatus(await decide(bob, (await waiting())[0]?.id), 200);
    await author.reconcile();
    await author.act('reject');
    expect(await author.reconcile()).toMatchObject({ phase: 'rejected' });
    await world.forward(1000);
    const target = `/extensions/${ann.extensionId}/targets/${ann.targetId}`;
    const carol = await world.given.member(ann, 'admin');
    expectStatus(await world.api.as({ token: carol.token }).post(`${target}/resubmit`), 200);
    const [asked] = await waiting();
    expect(asked).toMatchObject({ act: 'resubmit', targetId: ann.targetId, requestedBy: carol.email });
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
    expect(await decide(carol, asked?.id)).toMatchObject({ status: 403, body: { code: 'own_release' } });
    expectStatus(await decide(bob, asked?.id), 200);
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    await world.forward(20 * 60_000);
    await author.act('reject');
    expect(await author.reconcile()).toMatchObject({ phase: 'rejected' });
    await world.forward(1000);
    for (const enabled of [false, true]) expectStatus(await world.api.as(pusher.mine).patch(target, { enabled }), 200);
    expect(await waiting()).toMatchObject([
      { act: 'enable', targetId: ann.targetId, requestedBy: `CI (${ann.email})` },
    ]);
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
  });

  it('needs no approval to be offered to more users or published, and one to be rolled back', async () => {
    const { author, ann, bob, pusher, waiting, decide } = await team();
    await author.set({ rolloutPercent: 10, release: 'manual' });
    await pusher.pushed('1.1.0');
    expectStatus(await decide(bob, (await waiting())[0]?.id), 200);
    await author.reconcile();
    await author.act('approve');
    expect(await author.reconcile()).toMatchObject({ phase: 'approved' });
    const target = `/extensions/${ann.extensionId}/targets/${ann.targetId}`;
    expectStatus(await world.api.as(author.mine).post(`${target}/release`), 200);
    await author.reconcile();
    expect(await author.status()).toMatchObject({ phase: 'live', liveVersion: '1.1.0', offeredPercent: 10 });
    await author.set({ rolloutPercent: 50 });
    await author.reconcile();
    expect(await author.status()).toMatchObject({ phase: 'live', offeredPercent: 50 });
    expect(await waiting()).toEqual([]);
    await author.set({ rolloutPercent: null });
    await author.reconcile();
    const rollback = { to: '1.0.0', version: '1.2.0', reason: 'It miscounts.' };
    expectStatus(await world.api.as(author.mine).post(`${target}/rollback`, rollback), 201);
    const [asked] = await waiting();
    expect(asked).toMatchObject({
      act: 'rollback',
      version: '1.2.0',
      rollbackOf: '1.0.0',
      sha256: null,
      store: 'chrome',
    });
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
    expect(await author.status()).toMatchObject({ liveVersion: '1.1.0' });
    expectStatus(await decide(bob, asked?.id), 200);
    await author.reconcile();
    expect(await author.status()).toMatchObject({ approval: null, liveVersion: '1.2.0' });
  });

  it('shows where a CI job comes from, which any person may approve but the one who pushed the content', async () => {
    const { ann, bob, pusher, waiting, decide } = await team();
    const rule = {
      name: 'Releases',
      issuer: issuer.url,
      repository: 'acme/tab-counter',
      ref: 'refs/heads/*',
      scopes: ['artifacts:write'],
    };
    expectStatus(await world.api.as({ cookie: ann.cookie }).post('/ci/trust-rules', rule), 201);
    const token = await issuer.run('acme/tab-counter', ORIGIN, world.clock.now());
    const exchanged = await world.api.post('/auth/ci', { token, tenantId: ann.tenantId });
    const ci = new Pusher(world, { extensionId: ann.extensionId, token: expectStatus(exchanged, 200).body.token });
    const artifact = await ci.pushed('1.1.0');
    const [asked] = await waiting();
    const requestedFrom = {
      repository: 'acme/tab-counter',
      ref: 'refs/heads/main',
      commit: COMMIT,
      workflow: 'acme/tab-counter/.github/workflows/release.yml@refs/heads/main',
      runUrl: null,
      commitUrl: null,
    };
    expect(artifact).toMatchObject({ pushedFrom: requestedFrom, commit: COMMIT });
    const requestedBy = 'Releases: acme/tab-counter@refs/heads/main, run 2468';
    expect(asked).toMatchObject({ requestedBy, requestedFrom, commit: COMMIT });
    expectStatus(await decide(ann, asked?.id), 200);

    await pusher.pushed('1.2.0');
    await pusher.pushed('1.3.0');
    const [older] = (await waiting('&state=withdrawn')) ?? [];
    expectStatus(await world.api.as(ci.mine).post(`/artifacts/${older?.artifactId}/pin`, {}), 200);
    const [again] = await waiting();
    expect(again).toMatchObject({ act: 'pin', version: '1.2.0', requestedBy });
    expect(await decide(ann, again?.id)).toMatchObject({ status: 403, body: { code: 'own_release' } });
    expectStatus(await decide(bob, again?.id), 200);
  });

  it('is turned on and off by an owner or admin with a session, and needs two who may publish', async () => {
    const { author, ann, bob, pusher, require, waiting } = await team(false);
    const refusal = { status: 403, body: { code: 'approval_setting_refused' } };
    expect(await require(true, { token: bob.token })).toMatchObject(refusal);
    expect(await require(true, { token: pusher.mine.token })).toMatchObject(refusal);
    await pusher.pushed('1.1.0');
    expectStatus(await require(true, { token: ann.token }), 200);
    const { phase, message } = await author.reconcile();
    expect({ phase, message }).toEqual({
      phase: 'action_required',
      message: 'Version 1.1.0 waits for approval: another person than the one who pushed it has to approve it.',
    });
    expect(await waiting()).toMatchObject([{ version: '1.1.0', requestedBy: 'CI' }]);
    expect(await require(false, { token: bob.token })).toMatchObject(refusal);
    expectStatus(await require(false, { token: ann.token }), 200);
    expect(await waiting()).toEqual([]);
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    expectStatus(await world.api.as({ cookie: ann.cookie }).call('DELETE', `/members/${bob.userId}`), 204);
    expect(await require(true, { token: ann.token })).toMatchObject({
      status: 409,
      body: {
        code: 'approval_needs_two',
        detail: expect.stringMatching(/^Only one member of this tenant may publish/),
      },
    });
  });

  it('requires it wherever else the same item is published, and is not got rid of by who may only push', async () => {
    const { author, ann, bob, pusher, uploads } = await team();
    const target = `/extensions/${ann.extensionId}/targets/${ann.targetId}`;
    const refusal = { status: 403, body: { code: 'approval_setting_refused' } };
    for (const by of [{ token: bob.token }, author.mine]) {
      const api = world.api.as({ token: by.token });
      expect(await api.delete(target)).toMatchObject(refusal);
      expect(await api.delete(`/extensions/${ann.extensionId}`)).toMatchObject(refusal);
      expect(await api.patch(target, { storeItemId: 'mbfmhplclkbnbppnbjccnfhpgipnabcd' })).toMatchObject(refusal);
      expectStatus(await api.patch(target, { enabled: false }), by.token === bob.token ? 200 : 400);
    }
    const before = await uploads();
    const api = world.api.as({ token: bob.token });
    const extensionId = await world.given.extension({ token: bob.token });
    await new Pusher(world, { token: bob.token, extensionId }).pushed('1.1.0');
    const place = { store: 'chrome', storeItemId: ann.itemId, credentialId: ann.credentialId, enabled: true };
    expectStatus(await api.post(`/extensions/${extensionId}/targets`, place), 201);
    const { targets } = expectStatus(await api.post(`/extensions/${extensionId}/reconcile`), 200).body;
    expect(targets).toMatchObject([{ phase: 'action_required', message: expect.stringMatching(/waits for approval/) }]);
    expect(await uploads()).toBe(before);
    expectStatus(await world.api.as({ token: ann.token }).delete(target), 204);
    expect(pusher.extension).toBe(ann.extensionId);
  });

  it('goes out once, when two press at the same moment, and never with what is pushed at that moment', async () => {
    const { author, ann, bob, pusher, waiting, decide, uploads } = await team();
    const carol = await world.given.member(ann, 'admin');
    const before = await uploads();
    await pusher.pushed('1.1.0');
    const [asked] = await waiting();
    const answers = await Promise.all([decide(bob, asked?.id), decide(carol, asked?.id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body.decidedBy).toBe(answers[1]?.body.decidedBy);
    for (let turn = 2; turn < 6; turn += 1) {
      const version = `1.${turn}.0`;
      await pusher.pushed(version);
      const id = (await waiting())[0]?.id;
      const other = await packageOf(version, { description: 'Something else.' });
      await Promise.all([decide(bob, id), pusher.push(version, other), author.reconcile(), author.reconcile()]);
      await author.reconcile();
      const status = await author.status();
      const { artifacts } = (await world.api.as(pusher.mine).get(`/artifacts?extension=${pusher.extension}`)).body;
      const all = await waiting('&state=decided');
      const isSent = status['submittedVersion'] === version;
      if (isSent) expect(all.find((one) => one.version === version)?.sha256).toBe(artifacts[0].sha256);
      else expect(await waiting()).toMatchObject([{ version, sha256: artifacts[0].sha256 }]);
      if (isSent) await author.act('approve');
      await author.reconcile();
    }
    expect(await uploads()).toBeGreaterThanOrEqual(before);
  });
});
