import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EdgeControl } from '../../sandbox/edge/edge-control.js';
import { startWorld, type World } from '../support/app.js';
import { DAY, HOUR, MINUTE } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { stepsOf } from './author.js';

describe('publishing on Microsoft Edge Add-ons', () => {
  let world: World;
  let control: EdgeControl;
  beforeAll(async () => {
    world = await startWorld();
    control = new EdgeControl(world.sandbox.url);
  });
  afterAll(() => world.close());

  /** An author with one extension on Edge, and nothing enabled elsewhere. */
  const author = async (wish: object = {}, settings: object = {}) => {
    const owner = await world.given.tenant();
    const extensionId = await world.given.extension(owner);
    const account = await control.edgeAccount();
    const { productId, crxId } = await control.edgeProduct({ clientId: account.clientId, ...wish });
    const created = await world.api
      .as(owner)
      .post('/credentials', { store: 'edge', label: 'main', credentials: account });
    const credential = expectStatus(created, 201).body;
    const targetId = await world.given.targetOf(owner, extensionId, 'edge');
    const path = `/extensions/${extensionId}/targets/${targetId}`;
    const wanted = { storeItemId: productId, crxId, credentialId: credential.id, enabled: true, ...settings };
    expectStatus(await world.api.as(owner).patch(path, wanted), 200);
    const reconcile = async () =>
      expectStatus(await world.api.as(owner).post(`/extensions/${extensionId}/reconcile`, {}), 200).body.targets[0];
    return {
      account,
      credential,
      push: (version: string) => world.given.pinned({ token: owner.token, extensionId }, version),
      reconcile,
      /** The scheduler's work, until the upload has been looked at. */
      work: async () => {
        await reconcile();
        await world.forward(MINUTE);
        return reconcile();
      },
      status: async () => expectStatus(await world.api.as(owner).get(path), 200).body.status,
      /** Each version that set out, newest first, and its state. */
      releases: async () => {
        const { items } = expectStatus(await world.api.as(owner).get(`/extensions/${extensionId}/releases`), 200).body;
        return items.map(
          ({
            version,
            targets,
          }: {
            readonly version: string;
            readonly targets: readonly { readonly state: string }[];
          }) => `${version} ${targets.map(({ state }) => state).join()}`,
        );
      },
      notifications: async () => {
        const { items } = expectStatus(await world.api.as(owner).get('/notifications'), 200).body;
        return items.map(({ kind }: { readonly kind: string }) => kind);
      },
      set: async (changes: object) => expectStatus(await world.api.as(owner).patch(path, changes), 200),
      rotate: async (credentials: object) =>
        expectStatus(await world.api.as(owner).patch(`/credentials/${credential.id}`, { credentials }), 200),
      act: (action: 'approve' | 'reject') => control.actOnProduct(productId, action),
      patch: (change: object) => control.patchProduct(productId, change),
      fault: (operation: string, fault: { readonly kind: 'drop-after' }) =>
        control.fault({ itemId: productId, match: { operation }, ...fault }),
      product: () => control.product(productId),
    };
  };

  it('drives a pushed version to live on its own schedule', async () => {
    const edge = await author({ live: '1.0.0' });
    await edge.push('1.1.0');
    await world.tick();
    expect(await edge.status()).toMatchObject({ phase: 'validating', liveVersion: '1.0.0' });
    await world.forward(MINUTE);
    await world.tick();
    expect(await edge.status()).toMatchObject({
      phase: 'in_review',
      message: expect.stringContaining('is presumed in review; this store does not show it'),
      liveVersion: '1.0.0',
    });
    await edge.act('approve');
    await world.forward(2 * HOUR);
    await world.tick();
    expect(await edge.status()).toMatchObject({ phase: 'live', liveVersion: '1.1.0' });
    expect((await edge.product()).counters).toEqual({ uploads: 1, publishes: 1, submissions: 1, failures: 0 });
  });

  it('shows one version as live, and each before it as replaced', async () => {
    const edge = await author();
    for (const version of ['1.0.0', '1.1.0']) {
      await edge.push(version);
      await edge.work();
      await edge.act('approve');
      await world.forward(2 * HOUR);
      expect(await edge.reconcile()).toMatchObject({ phase: 'live' });
    }
    expect(await edge.releases()).toEqual(['1.1.0 live', '1.0.0 superseded']);
  });

  it('sends the notes for certification, and no release notes', async () => {
    const edge = await author();
    await edge.push('1.0.0');
    await edge.work();
    expect((await edge.product()).review).toMatchObject({ package: { version: '1.0.0' }, notes: null });
    await edge.act('approve');
    await edge.set({ reviewerNotes: 'Log in as owl, hoot.' });
    await world.forward(2 * HOUR);
    await edge.push('1.1.0');
    await edge.work();
    expect((await edge.product()).review).toMatchObject({
      package: { version: '1.1.0' },
      notes: 'Log in as owl, hoot.',
    });
  });

  it('keeps the credential for 72 days, and verifies it first', async () => {
    const edge = await author();
    expect(edge.credential).toMatchObject({
      identity: edge.account.clientId,
      lastFour: edge.account.apiKey.slice(-4),
      expiresAt: new Date(world.clock.now().getTime() + 72 * DAY).toISOString(),
    });
    const owner = await world.given.tenant();
    const credentials = { ...edge.account, apiKey: 'MARKED-and-not-the-key' };
    const refused = await world.api.as(owner).post('/credentials', { store: 'edge', credentials });
    expect(refused).toMatchObject({ status: 422, body: { code: 'store_rejected_credentials' } });
    expect(refused.text).not.toContain('MARKED');
  });

  it.each([
    ['publish', { uploads: 1, submissions: 1 }],
    ['upload', { uploads: 2, submissions: 1 }],
  ])('submits once, though the answer to the %s is lost', async (operation, counters) => {
    const edge = await author();
    await edge.push('1.0.0');
    if (operation === 'publish') await edge.reconcile();
    await world.forward(MINUTE);
    await edge.fault(operation, { kind: 'drop-after' });
    expect(await edge.reconcile()).toMatchObject({ phase: 'backing_off' });
    await world.forward(MINUTE);
    await edge.work();
    expect((await edge.product()).counters).toMatchObject(counters);
    await edge.act('approve');
    expect(await edge.reconcile()).toMatchObject({ phase: 'live' });
  });

  describe('when the answer to its submission was lost', () => {
    const unheard = async (settings: object = {}) => {
      const edge = await author({}, settings);
      await edge.push('1.0.0');
      await edge.reconcile();
      await world.forward(MINUTE);
      await edge.fault('publish', { kind: 'drop-after' });
      expect(await edge.reconcile()).toMatchObject({ phase: 'backing_off' });
      return edge;
    };

    it('a version is presumed in review once the store has one under way, and reported after ten days', async () => {
      const edge = await unheard({ crxId: null });
      await world.forward(MINUTE);
      expect(await edge.reconcile()).toMatchObject({
        phase: 'in_review',
        message: expect.stringContaining('is presumed in review; this store does not show it'),
      });
      await edge.act('approve');
      await world.forward(HOUR);
      expect(await edge.reconcile()).toMatchObject({ phase: 'in_review' });
      await world.forward(11 * DAY);
      await edge.reconcile();
      expect(await edge.notifications()).toEqual(['stuck_in_review']);
      expect((await edge.product()).counters).toMatchObject({ uploads: 1, submissions: 1 });
    });

    it('a version that was rejected meanwhile is not submitted again before a person asks for it', async () => {
      const edge = await unheard();
      await world.forward(HOUR);
      await edge.act('reject');
      for (const _ of ['once', 'twice']) {
        expect(await edge.reconcile()).toMatchObject({
          phase: 'action_required',
          message: expect.stringContaining('presumed submitted: the answer was lost'),
          steps: [{ step: 'ask_human' }],
        });
        await world.forward(DAY);
      }
      expect(await edge.notifications()).toEqual(['action_required']);
      expect((await edge.product()).counters).toMatchObject({ uploads: 1, submissions: 1 });
      await edge.set({ enabled: false });
      await edge.set({ enabled: true });
      expect(await edge.work()).toMatchObject({ phase: 'in_review' });
      expect((await edge.product()).counters).toMatchObject({ uploads: 2, submissions: 2 });
    });

    it('a version that was approved meanwhile is live, where the store shows it', async () => {
      const edge = await unheard();
      await edge.act('approve');
      await world.forward(HOUR);
      expect(await edge.reconcile()).toMatchObject({ phase: 'live' });
    });
  });

  it('waits while another version is in review, and follows it', async () => {
    const edge = await author({ review: '1.0.0' });
    await edge.push('1.1.0');
    expect(await edge.work()).toMatchObject({
      phase: 'queued',
      message: expect.stringContaining('asks Pierhead to wait: InProgressSubmission'),
    });
    await edge.act('approve');
    await world.forward(20 * MINUTE);
    await world.tick();
    await world.forward(MINUTE);
    expect(stepsOf(await edge.reconcile())).toEqual(['poll', 'submit', 'wait']);
    expect((await edge.product()).review?.package.version).toBe('1.1.0');
  });

  it('uploads the package again on request, once a failed upload has ended', async () => {
    const edge = await author({ review: '1.0.0' });
    await edge.push('1.1.0');
    await edge.work();
    await edge.act('approve');
    const { phase, steps } = await edge.reconcile();
    expect(phase).toBe('queued');
    expect(steps).toEqual([
      { step: 'upload', outcome: 'pending', because: expect.stringContaining('does not have it') },
    ]);
    await world.forward(MINUTE);
    expect(stepsOf(await edge.reconcile())).toEqual(['poll', 'submit', 'wait']);
  });

  it('keeps showing what it waits for while the package is uploaded and validated again', async () => {
    const edge = await author({ review: '1.0.0', uploadPolls: 2 });
    await edge.push('1.1.0');
    await edge.work();
    await world.forward(MINUTE);
    await world.tick();
    const waiting = { phase: 'queued', message: expect.stringContaining('asks Pierhead to wait') };
    expect(await edge.status()).toMatchObject(waiting);
    for (const _ of [1, 2, 3]) {
      await world.forward(HOUR);
      await world.tick();
      expect(await edge.status()).toMatchObject(waiting);
    }
    expect(await edge.notifications()).toEqual([]);
  });

  it('waits when the store answers a submission with a conflict', async () => {
    const edge = await author({ conflictsInReview: true });
    await edge.push('1.1.0');
    await edge.reconcile();
    await edge.patch({ review: '1.0.5' });
    await world.forward(MINUTE);
    expect(await edge.reconcile()).toMatchObject({
      phase: 'queued',
      message: expect.stringContaining('A submission of the product is in progress'),
    });
    await edge.act('approve');
    expect(stepsOf(await edge.reconcile())).toEqual(['submit', 'wait']);
    expect((await edge.product()).review?.package.version).toBe('1.1.0');
    expect(await edge.notifications()).toEqual([]);
  });

  it('presumes its own submission behind a conflict when the answer to it was lost', async () => {
    const edge = await author({ conflictsInReview: true });
    await edge.push('1.0.0');
    await edge.reconcile();
    await world.forward(MINUTE);
    await edge.fault('publish', { kind: 'drop-after' });
    expect(await edge.reconcile()).toMatchObject({ phase: 'backing_off' });
    expect(await edge.reconcile()).toMatchObject({ phase: 'in_review' });
    expect((await edge.product()).counters).toMatchObject({ submissions: 1 });
  });

  it('reads an operation that is in progress under 202 as under 200', async () => {
    const edge = await author({ inProgressIs202: true, uploadPolls: 3, publishPolls: 1 });
    await edge.push('1.0.0');
    await edge.reconcile();
    expect(await edge.reconcile()).toMatchObject({ phase: 'validating' });
    await edge.work();
    expect(await edge.status()).toMatchObject({ phase: 'in_review' });
  });

  it.each([
    ['PackageValidationError', 'The icon of 128 px is missing.'],
    ['SomethingNew', 'The name is reserved.'],
  ])('asks for a newer version when the upload fails with %s and a list of errors', async (errorCode, error) => {
    const edge = await author({ failures: [{ of: 'upload', errorCode, errors: [error] }] });
    await edge.push('1.0.0');
    expect(await edge.work()).toMatchObject({ phase: 'rejected', message: expect.stringContaining(error) });
    expect(await edge.notifications()).toEqual(['rejected']);
  });

  it('needs a person for what the listing lacks, in the store’s own words, and continues automatically', async () => {
    const edge = await author({ incompleteModules: ['Listing (fr) lacks a description.'] });
    await edge.push('1.0.0');
    const { phase, message } = await edge.work();
    expect([phase, message]).toEqual(['action_required', expect.stringContaining('Listing (fr) lacks a description.')]);
    await edge.patch({ incompleteModules: [] });
    await world.forward(DAY);
    await edge.work();
    expect(await edge.status()).toMatchObject({ phase: 'in_review' });
  });

  it('reports a repeated refusal once, though the package is uploaded again each day', async () => {
    const edge = await author({ incompleteModules: ['Listing (fr) lacks a description.'] });
    await edge.push('1.0.0');
    for (const _ of ['one', 'two', 'three']) {
      expect(await edge.work()).toMatchObject({ phase: 'action_required' });
      await world.forward(DAY);
    }
    expect((await edge.product()).counters).toMatchObject({ uploads: 3, submissions: 0 });
    expect(await edge.notifications()).toEqual(['action_required']);
  });

  it('uploads a package again when its upload failed without a reason', async () => {
    const edge = await author({ failures: [{ of: 'upload' }] });
    await edge.push('1.0.0');
    expect(await edge.work()).toMatchObject({ phase: 'backing_off', message: expect.stringContaining('no reason') });
    await world.forward(MINUTE);
    expect(await edge.work()).toMatchObject({ phase: 'in_review' });
    expect((await edge.product()).counters).toMatchObject({ uploads: 1, submissions: 1 });
  });

  describe.each(['upload', 'publish'])('when its %s keeps failing without a reason', (of) => {
    const fail = { of, errorCode: null, message: null, errors: null };

    /** The scheduler's work of some hours. */
    const pass = async (hours: number) => {
      for (let minute = 0; minute < hours * 60; minute += 5) {
        await world.forward(5 * MINUTE);
        await world.tick();
      }
    };

    it('reports the third failure, once, and continues automatically', async () => {
      const edge = await author({ uploadPolls: 1, failures: [fail, fail, fail, fail] });
      await edge.push('1.0.0');
      await pass(1);
      expect(await edge.status()).toMatchObject({
        phase: 'action_required',
        message: expect.stringContaining('three times in a row'),
      });
      expect(await edge.notifications()).toEqual(['action_required']);
      expect((await edge.product()).counters.failures).toBe(3);
      await world.forward(27 * HOUR);
      await pass(1);
      expect((await edge.product()).counters.failures).toBe(4);
      expect(await edge.notifications()).toEqual(['action_required']);
      await world.forward(27 * HOUR);
      await pass(1);
      expect(await edge.status()).toMatchObject({ phase: 'in_review' });
    });

    it('does not report two failures', async () => {
      const edge = await author({ failures: [fail, fail] });
      await edge.push('1.0.0');
      await pass(1);
      expect(await edge.status()).toMatchObject({ phase: 'in_review' });
      expect(await edge.notifications()).toEqual([]);
    });
  });

  it('reports a version that is too low, which the store finds out only at the submission', async () => {
    const edge = await author({ live: '2.0.0', isPublic: false });
    await edge.push('1.0.0');
    expect(await edge.work()).toMatchObject({ phase: 'rejected', message: expect.stringContaining('2.0.0') });
  });

  it('notices a key that expires during a review, and continues with a new one', async () => {
    const edge = await author();
    await edge.push('1.0.0');
    await edge.work();
    await control.revokeEdgeKey(edge.account.clientId);
    expect(await edge.reconcile()).toMatchObject({
      phase: 'action_required',
      message: expect.stringContaining('72 days'),
    });
    await edge.rotate(await control.edgeKey(edge.account.clientId));
    await edge.act('approve');
    await world.tick();
    expect(await edge.status()).toMatchObject({ phase: 'live', liveVersion: '1.0.0' });
  });

  it('reports that the live version is unknown without the public id, instead of guessing', async () => {
    const edge = await author({ live: '1.0.0' }, { crxId: null });
    await edge.push('1.1.0');
    await edge.work();
    await edge.act('approve');
    await world.forward(DAY);
    expect(await edge.reconcile()).toMatchObject({
      phase: 'in_review',
      message: expect.stringContaining('does not show it'),
    });
    await edge.set({ crxId: (await edge.product()).crxId });
    expect(await edge.reconcile()).toMatchObject({ phase: 'live' });
  });

  it('never shows a key', async () => {
    const edge = await author({ failures: [{ of: 'publish', errorCode: 'ModuleStateUnPublishable' }] });
    await edge.push('1.0.0');
    await edge.work();
    expect(world.log.join('\n')).not.toContain(edge.account.apiKey);
  });
});
