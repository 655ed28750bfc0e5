import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import { Pusher } from '../artifacts/pusher.js';
import { startWorld, Transactions, type World } from '../support/app.js';
import { pkgOf } from '../support/apple-packages.js';
import { MINUTE, SECOND } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { CallGate } from './call-gate.js';

const START = (request: { readonly method?: string | undefined; readonly url?: string | undefined }): boolean =>
  request.method === 'POST' && request.url === '/v1/ciBuildRuns';

describe('a version that Xcode Cloud builds', () => {
  let gate: CallGate;
  let world: World;
  /** A second process on the same database. */
  let other: World;
  let control: SafariControl;
  let tenant: Tenant;
  beforeAll(async () => {
    gate = await CallGate.start();
    world = await startWorld({ env: gate.env });
    gate.leadTo(world.sandbox.url);
    other = await startWorld({ with: world, env: gate.env });
    control = new SafariControl(world.sandbox.url);
  });
  beforeEach(async () => {
    tenant = await world.given.tenant();
  });
  afterAll(async () => {
    await other.close();
    await world.close();
    await gate.close();
  });

  /** An extension whose target starts a workflow. */
  const begin = async (options: object = {}, settings: object = {}) => {
    const { teamId, ...credentials } = await control.key();
    const { appId } = await control.app({ issuerId: teamId, ...options });
    const { id: workflow } = await control.workflow(appId);
    const api = world.api.as(tenant);
    const saved = await api.post('/credentials', { store: 'safari', credentials });
    const pusher = await Pusher.in(world, tenant);
    const { extension } = pusher;
    const targetId = await world.given.targetOf(tenant, extension, 'safari');
    const path = `/extensions/${extension}/targets/${targetId}`;
    const credentialId: string = expectStatus(saved, 201).body.id;
    const change = async (wish: object) => expectStatus(await api.patch(path, wish), 200);
    const own = { storeItemId: appId, credentialId, enabled: true, encryption: 'exempt', releaseNotes: 'Owls.' };
    await change({ ...own, xcodeCloudWorkflow: workflow, ...settings });
    const reconcile = async (at = world) =>
      expectStatus(await at.api.as(tenant).post(`/extensions/${extension}/reconcile`), 200).body.targets[0];
    return {
      appId,
      workflow,
      api,
      change,
      reconcile,
      push: async (version: string) =>
        expectStatus(await pusher.push(version, await packageOf(version), { store: 'safari' }), 201),
      pushPkg: async (version: string) => {
        const parts = { version, store: 'safari' };
        return expectStatus(
          await pusher.sends(parts, pkgOf({ version, build: '27' }), 'application/octet-stream'),
          201,
        );
      },
      tag: (name: string) => control.reference(appId, name),
      finish: (number: number, status: 'SUCCEEDED' | 'FAILED' | 'ERRORED' | 'CANCELED' | 'SKIPPED', version?: string) =>
        control.finishRun(appId, number, status, version === undefined ? [] : [{ version }]),
      resubmit: async () => expectStatus(await api.post(`${path}/resubmit`), 200),
      runs: async () => (await control.state(appId)).runs,
      counters: async () => (await control.state(appId)).counters,
      fault: (operation: string, kind: 'drop-before' | 'drop-after' | 'status', also: object = {}) =>
        world.control.fault({ itemId: appId, match: { operation }, kind, times: 1, ...also }),
      expire: () =>
        world.app
          .get(Transactions)
          .query('update target_status set lease_until = clock_timestamp() where target_id = $1', [targetId]),
    };
  };

  it('is built from its tag, submitted and published', async () => {
    const one = await begin();
    await control.reference(one.appId, 'v1.4.0', 'BRANCH');
    const { id } = await one.tag('v1.4.0');
    await one.push('1.4.0');
    expect(await one.reconcile()).toMatchObject({
      phase: 'queued',
      message: expect.stringContaining('Run 1 of Xcode Cloud was started on the tag v1.4.0.'),
    });
    expect(await one.runs()).toMatchObject([{ number: 1, workflowId: one.workflow, referenceId: id }]);
    expect((await one.reconcile()).message).toContain('Run 1 of Xcode Cloud builds the tag v1.4.0.');
    await one.finish(1, 'SUCCEEDED');
    expect((await one.reconcile()).message).toContain('no build of version 1.4.0 has been delivered');
    await control.deliver(one.appId, { version: '1.4.0' });
    expect(await one.reconcile()).toMatchObject({ phase: 'in_review' });
    await control.act(one.appId, 'approve');
    expect(await one.reconcile()).toMatchObject({ phase: 'live' });
    expect(await one.counters()).toMatchObject({ runsStarted: 1, submissions: 1, refused: 0 });
  });

  it('waits for its tag, however many there are', async () => {
    const one = await begin({ pageSize: 2 }, { xcodeCloudTag: 'app/{version}-safari' });
    for (const name of ['a', 'b', 'c', '1.4.0']) await one.tag(name);
    await one.push('1.4.0');
    expect(await one.reconcile()).toMatchObject({
      phase: 'queued',
      message: expect.stringContaining('does not know the tag app/1.4.0-safari'),
    });
    await one.tag('app/1.4.0-safari');
    expect((await one.reconcile()).message).toContain('Run 1 of Xcode Cloud was started on the tag app/1.4.0-safari');
    expect(await one.counters()).toMatchObject({ runsStarted: 1 });
  });

  it('takes up the run that the tag itself has started', async () => {
    const one = await begin();
    const { id } = await one.tag('v1.4.0');
    await one.push('1.4.0');
    await one.change({ xcodeCloudWorkflow: null });
    expect((await one.reconcile()).message).toContain('No build of version 1.4.0 has been delivered');
    await control.startRun(one.appId, one.workflow, id);
    await one.change({ xcodeCloudWorkflow: one.workflow });
    expect((await one.reconcile()).message).toContain('Run 1 of Xcode Cloud builds the tag v1.4.0.');
    await one.finish(1, 'SUCCEEDED', '1.4.0');
    expect(await one.reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await one.counters()).toMatchObject({ runsStarted: 1 });
  });

  describe('when the answer to its start was lost', () => {
    it.each([0, 120])('has one run, though that is listed %i seconds late', async (runsListedAfterSeconds) => {
      const one = await begin({ runsListedAfterSeconds });
      await one.tag('v1.4.0');
      await one.push('1.4.0');
      await one.fault('startRun', 'drop-after');
      expect(await one.reconcile()).toMatchObject({ phase: 'backing_off' });
      if (runsListedAfterSeconds > 0) {
        for (const wait of [0, 30]) {
          await world.forward(wait * SECOND);
          expect((await one.reconcile()).message).toContain('It is not certain');
        }
        await world.forward(runsListedAfterSeconds * SECOND);
      }
      expect((await one.reconcile()).message).toContain('Run 1 of Xcode Cloud builds');
      await one.finish(1, 'SUCCEEDED', '1.4.0');
      expect(await one.reconcile()).toMatchObject({ phase: 'in_review' });
      expect(await one.counters()).toMatchObject({ runsStarted: 1, submissions: 1 });
    });

    it('is started after some minutes if Apple never heard of it', async () => {
      const one = await begin();
      await one.tag('v1.4.0');
      await one.push('1.4.0');
      await one.fault('startRun', 'drop-before');
      expect(await one.reconcile()).toMatchObject({ phase: 'backing_off' });
      expect((await one.reconcile()).message).toContain('It is not certain');
      await world.forward(9 * MINUTE);
      expect((await one.reconcile()).message).toContain('It is not certain');
      expect(await one.counters()).toMatchObject({ runsStarted: 0 });
      await world.forward(2 * MINUTE);
      expect((await one.reconcile()).message).toContain('Run 1 of Xcode Cloud was started');
    });

    it('is in doubt again when the second start is not answered either', async () => {
      const one = await begin({ runsListedAfterSeconds: 300 });
      await one.tag('v1.4.0');
      await one.push('1.4.0');
      await one.fault('startRun', 'drop-before');
      await one.reconcile();
      await one.reconcile();
      await world.forward(11 * MINUTE);
      await one.fault('startRun', 'drop-after');
      expect(await one.reconcile()).toMatchObject({ phase: 'backing_off' });
      await world.forward(4 * MINUTE);
      expect((await one.reconcile()).message).toContain('It is not certain');
      await world.forward(11 * MINUTE);
      expect((await one.reconcile()).message).toContain('Run 1 of Xcode Cloud builds');
      expect(await one.counters()).toMatchObject({ runsStarted: 1 });
    });

    it.each(['workflow', 'references', 'runs'])('is still in doubt after a refusal of %s', async (operation) => {
      const one = await begin({ runsListedAfterSeconds: 120 });
      await one.tag('v1.4.0');
      await one.push('1.4.0');
      await one.reconcile();
      await one.finish(1, 'FAILED');
      await one.reconcile();
      await world.forward(MINUTE);
      await one.resubmit();
      await one.fault('startRun', 'drop-after');
      expect(await one.reconcile()).toMatchObject({ phase: 'backing_off' });
      await one.fault(operation, 'status', { status: 404 });
      expect(await one.reconcile()).toMatchObject({ phase: 'action_required' });
      expect((await one.reconcile()).message).toContain('It is not certain');
      await world.forward(3 * MINUTE);
      expect((await one.reconcile()).message).toContain('Run 2 of Xcode Cloud builds');
      expect(await one.counters()).toMatchObject({ runsStarted: 2 });
    });

    it('is started at once after a clear refusal', async () => {
      const one = await begin();
      await one.tag('v1.4.0');
      await one.push('1.4.0');
      await one.fault('startRun', 'status', { status: 409 });
      expect(await one.reconcile()).toMatchObject({ phase: 'queued', steps: [{ step: 'submit', outcome: 'failed' }] });
      expect((await one.reconcile()).message).toContain('Run 1 of Xcode Cloud was started');
    });
  });

  it.each(['before', 'after'] as const)('has one run when the process ends %s Apple acts', async (side) => {
    const one = await begin({ runsListedAfterSeconds: 60 });
    await one.tag('v1.4.0');
    await one.push('1.4.0');
    const held = gate.hold(START, side);
    const dying = one.reconcile();
    await held.reached;
    await world.forward(SECOND);
    await one.expire();
    expect((await one.reconcile(other)).message).toContain('It is not certain');
    held.open();
    expect((await dying).steps.map(({ outcome }: { outcome: string }) => outcome)).not.toContain('done');
    await world.forward(5 * MINUTE);
    expect((await one.reconcile(other)).message).toContain('Run 1 of Xcode Cloud builds');
    await one.finish(1, 'SUCCEEDED', '1.4.0');
    expect(await one.reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await one.counters()).toMatchObject({ runsStarted: 1, submissions: 1 });
  });

  it.each(['FAILED', 'ERRORED', 'CANCELED', 'SKIPPED'] as const)(
    'needs a person when its run ended as %s, and has another one when that is asked for',
    async (status) => {
      const one = await begin();
      await one.tag('v1.4.0');
      await one.push('1.4.0');
      await one.reconcile();
      await one.finish(1, status);
      for (const wait of [0, MINUTE]) {
        await world.forward(wait);
        const failed = await one.reconcile();
        expect(failed).toMatchObject({ phase: 'action_required' });
        expect(failed.message).toContain(
          `Run 1 of Xcode Cloud on the tag v1.4.0 made no build: it ended as ${status}.`,
        );
        expect(failed.message).toContain(`https://appstoreconnect.apple.com/apps/${one.appId}`);
      }
      expect(await one.counters()).toMatchObject({ runsStarted: 1 });
      await world.forward(MINUTE);
      await one.resubmit();
      expect((await one.reconcile()).message).toContain('Run 2 of Xcode Cloud was started');
      await one.finish(2, 'FAILED');
      expect((await one.reconcile()).message).toContain('Run 2 of Xcode Cloud on the tag v1.4.0 made no build');
      await one.reconcile();
      expect(await one.counters()).toMatchObject({ runsStarted: 2, submissions: 0 });
    },
  );

  it('goes on with a run that a person started again at Apple', async () => {
    const one = await begin();
    const { id } = await one.tag('v1.4.0');
    await one.push('1.4.0');
    await one.reconcile();
    await one.finish(1, 'FAILED');
    expect(await one.reconcile()).toMatchObject({ phase: 'action_required' });
    await control.startRun(one.appId, one.workflow, id);
    expect(await one.reconcile()).toMatchObject({ phase: 'queued', message: expect.stringContaining('Run 2') });
    await one.finish(2, 'SUCCEEDED', '1.4.0');
    expect(await one.reconcile()).toMatchObject({ phase: 'in_review' });
  });

  it('is built by the workflow that the target names now', async () => {
    const one = await begin();
    await one.tag('v1.4.0');
    await one.push('1.4.0');
    await one.reconcile();
    await one.finish(1, 'FAILED');
    expect(await one.reconcile()).toMatchObject({ phase: 'action_required' });
    await one.change({ xcodeCloudWorkflow: 'a-workflow-that-is-not-there' });
    expect(await one.reconcile()).toMatchObject({
      phase: 'action_required',
      message: expect.stringContaining('no workflow a-workflow-that-is-not-there'),
    });
    const { id } = await control.workflow(one.appId);
    await one.change({ xcodeCloudWorkflow: id });
    expect((await one.reconcile()).message).toContain('Run 2 of Xcode Cloud was started');
    expect(await one.runs()).toMatchObject([{ workflowId: one.workflow }, { workflowId: id }]);
  });

  it('is sent as the package that was pushed meanwhile', async () => {
    const one = await begin();
    await one.tag('v1.4.0');
    await one.push('1.4.0');
    await one.reconcile();
    await one.pushPkg('1.4.0');
    expect(await one.reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await one.counters()).toMatchObject({ runsStarted: 1, buildsUploaded: 1, submissions: 1 });
    await one.finish(1, 'FAILED');
    expect(await one.reconcile()).toMatchObject({ phase: 'in_review' });
  });

  it('is followed by the next one, which has a run of its own', async () => {
    const one = await begin();
    for (const name of ['v1.4.0', 'v1.5.0']) await one.tag(name);
    await one.push('1.4.0');
    await one.reconcile();
    await one.push('1.5.0');
    expect((await one.reconcile()).message).toContain('Run 2 of Xcode Cloud was started on the tag v1.5.0.');
    await one.finish(1, 'SUCCEEDED', '1.4.0');
    expect((await one.reconcile()).message).toContain('Run 2 of Xcode Cloud builds the tag v1.5.0.');
    await one.finish(2, 'SUCCEEDED', '1.5.0');
    expect(await one.reconcile()).toMatchObject({ phase: 'in_review' });
    const { versions, counters } = await control.state(one.appId);
    expect(versions.map(({ versionString }) => versionString)).toEqual(['1.5.0']);
    expect(counters).toMatchObject({ runsStarted: 2, submissions: 1 });
  });

  it.each([0, 60])('has one run for both platforms, though that is listed %i seconds late', async (late) => {
    const one = await begin({ runsListedAfterSeconds: late }, { platforms: ['macos', 'ios'] });
    await one.tag('v1.4.0');
    await one.push('1.4.0');
    await one.fault('startRun', 'drop-after');
    await one.reconcile();
    await one.reconcile();
    await world.forward(5 * MINUTE);
    await one.reconcile();
    expect(await one.counters()).toMatchObject({ runsStarted: 1 });
    await one.finish(1, 'FAILED');
    await one.reconcile();
    await world.forward(MINUTE);
    await one.resubmit();
    await one.reconcile();
    await one.reconcile();
    expect(await one.counters()).toMatchObject({ runsStarted: 2 });
    const builds = (['macos', 'ios'] as const).map((platform) => ({ version: '1.4.0', platform }));
    await control.finishRun(one.appId, 2, 'SUCCEEDED', builds);
    expect(await one.reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await one.counters()).toMatchObject({ runsStarted: 2, submissions: 2 });
  });

  it.each([
    [{ xcodeCloudTag: 'v1.4.0' }, 'xcodeCloudTag', 'with {version} once'],
    [{ xcodeCloudTag: '{version}{version}' }, 'xcodeCloudTag', 'with {version} once'],
    [{ xcodeCloudTag: 'v {version}' }, 'xcodeCloudTag', 'with {version} once'],
    [{ xcodeCloudWorkflow: 'Release build' }, 'xcodeCloudWorkflow', 'must be the id of a workflow'],
  ])('is not configured by %j', async (wish, field, words) => {
    const api = world.api.as(tenant);
    const extension = await world.given.extension(tenant);
    const path = `/extensions/${extension}/targets/${await world.given.targetOf(tenant, extension, 'safari')}`;
    const { status, body } = await api.patch(path, wish);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body.errors).toEqual([{ field, message: expect.stringContaining(words) }]);
    expect((await api.get(path)).body).toMatchObject({ xcodeCloudWorkflow: null, xcodeCloudTag: 'v{version}' });
  });

  it.each([{ xcodeCloudWorkflow: 'a' }, { xcodeCloudTag: 'v{version}' }])(
    'is for Safari only, so that another store refuses %j',
    async (wish) => {
      const extension = await world.given.extension(tenant);
      const targetId = await world.given.targetOf(tenant, extension, 'chrome');
      const { status, body } = await world.api.as(tenant).patch(`/extensions/${extension}/targets/${targetId}`, wish);
      expect(status).toBe(400);
      expect(body.errors[0].message).toBe('Xcode Cloud does not build for Chrome Web Store.');
    },
  );
});
