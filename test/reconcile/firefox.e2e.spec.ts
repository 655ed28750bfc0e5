import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FirefoxControl } from '../../sandbox/firefox/firefox-control.js';
import { startWorld, type World } from '../support/app.js';
import { HOUR, MINUTE, SECOND } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { addonAccount, AddonAuthor } from './addon-author.js';

describe('publishing to Firefox Add-ons', () => {
  let world: World;
  let control: FirefoxControl;
  let tenant: Tenant;
  /** All secrets of all accounts. */
  const secrets: string[] = [];
  beforeAll(async () => {
    world = await startWorld();
    control = new FirefoxControl(world.sandbox.url);
    tenant = await world.given.tenant();
  });
  afterAll(() => world.close());

  /** An author with one add-on, under an account of its own. */
  const author = async (wish: { readonly live?: string; readonly inReview?: string } = {}): Promise<AddonAuthor> => {
    const account = await addonAccount(world, tenant);
    secrets.push(account.secret);
    return AddonAuthor.in(world, account, wish);
  };

  /** The scheduler looks again and again, while the stores' time and ours go on. */
  const pass = async (ms: number, times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      await world.forward(ms);
      await world.tick();
    }
  };

  it('drives a pushed version through validation and review to live', async () => {
    const mine = await author({ live: '1.0.0' });
    await mine.push('1.1.0');
    await world.tick();
    expect(await mine.status()).toMatchObject({ phase: 'validating', liveVersion: '1.0.0' });
    await pass(10 * SECOND, 2);
    expect(await mine.status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.1.0', liveVersion: '1.0.0' });
    await control.addonAct(mine.guid, 'approve');
    await pass(12 * MINUTE, 1);
    expect(await mine.status()).toMatchObject({
      phase: 'live',
      liveVersion: '1.1.0',
      submittedVersion: null,
      failures: 0,
    });
    expect(await mine.counters()).toEqual({ uploads: 1, versions: 1, edits: 0, rollbacks: 0, refused: 0 });
  });

  it('accepts a version that contains a date and a time', async () => {
    const mine = await author({ live: '1.20261121.180000' });
    await mine.push('1.20261122.93000');
    await pass(10 * SECOND, 3);
    await control.addonAct(mine.guid, 'approve');
    await pass(12 * MINUTE, 1);
    expect(await mine.status()).toMatchObject({ phase: 'live', liveVersion: '1.20261122.93000' });
  });

  it('replaces a version that waits for review with a newer one', async () => {
    const mine = await author({ inReview: '1.0.0' });
    await mine.push('1.1.0');
    await pass(10 * SECOND, 3);
    expect(await mine.status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.1.0' });
    await control.addonAct(mine.guid, 'approve');
    await pass(12 * MINUTE, 1);
    expect(await mine.status()).toMatchObject({ phase: 'live', liveVersion: '1.1.0' });
    expect(await mine.counters()).toMatchObject({ versions: 1 });
  });

  it('is told to push a newer version after a rejection, since the store takes none twice', async () => {
    const mine = await author({ live: '1.0.0' });
    await mine.push('1.1.0');
    await pass(10 * SECOND, 3);
    await control.addonAct(mine.guid, 'reject');
    await pass(12 * MINUTE, 1);
    const { phase, message } = await mine.status();
    expect([phase, message]).toEqual(['rejected', expect.stringMatching(/says why\. Push a newer version\.$/)]);
    expect(await mine.resubmit()).toMatchObject({
      status: 409,
      body: { code: 'nothing_to_resubmit', detail: expect.stringContaining('takes no version twice') },
    });
    expect((await mine.status()).message).toBe(message);
  });

  it.each(['upload', 'createVersion', 'uploadStatus'])(
    'makes one version though the answer to %s is lost',
    async (operation) => {
      const mine = await author({ live: '1.0.0' });
      await mine.fault(operation, { kind: 'drop-after' });
      await mine.push('1.1.0');
      await world.tick();
      await pass(2 * MINUTE, 4);
      expect(await mine.status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.1.0' });
      expect(await mine.counters()).toMatchObject({ versions: 1 });
    },
  );

  it('waits during maintenance, and as long as a throttle demands', async () => {
    const mine = await author({ live: '1.0.0' });
    await control.site({ readOnly: true });
    await mine.push('1.1.0');
    await world.tick();
    expect(await mine.status()).toMatchObject({
      phase: 'queued',
      message: expect.stringContaining('is in maintenance'),
      failures: 0,
    });
    await control.site({ readOnly: false });
    const headers = { 'Retry-After': '3600' };
    await mine.fault('upload', { kind: 'status', status: 429, headers });
    await pass(HOUR, 1);
    const until = new Date(world.clock.now().getTime() + HOUR).toISOString();
    const message = expect.stringContaining(`accepts no uploads with this credential before ${until}`);
    expect(await mine.status()).toMatchObject({ phase: 'queued', message, failures: 0 });
    await pass(10 * MINUTE, 5);
    expect(await mine.status()).toMatchObject({ phase: 'queued', message });
    expect(await mine.counters()).toMatchObject({ uploads: 0 });
    await pass(11 * MINUTE, 1);
    await pass(MINUTE, 2);
    expect(await mine.status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.1.0' });
  });

  it('needs another key when one was revoked, and continues with it', async () => {
    const mine = await author({ live: '1.0.0' });
    await control.revokeKey(mine.account.issuer);
    await mine.push('1.1.0');
    await world.tick();
    expect(await mine.status()).toMatchObject({
      phase: 'action_required',
      message: expect.stringMatching(/refused the credential/),
    });
    const credentials = await control.rotateKey(mine.account.issuer);
    secrets.push(credentials.secret);
    expectStatus(await world.api.as(tenant).patch(`/credentials/${mine.account.credentialId}`, { credentials }), 200);
    await pass(10 * SECOND, 4);
    expect(await mine.status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.1.0' });
  });

  it('stops when Mozilla took the add-on down', async () => {
    const mine = await author({ live: '1.0.0' });
    await mine.push('1.1.0');
    await control.addonAct(mine.guid, 'takedown');
    await world.tick();
    expect(await mine.status()).toMatchObject({ phase: 'taken_down' });
  });

  it('never shows a secret', () => {
    expect(secrets.length).toBeGreaterThan(5);
    for (const secret of secrets) expect(world.log.join('\n')).not.toContain(secret);
    expect(world.log.join('\n')).not.toMatch(/JWT eyJ/);
  });
});
