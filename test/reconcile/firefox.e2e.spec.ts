import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FirefoxControl } from '../../src/sandbox/firefox/firefox-control.js';
import { startWorld, type World } from '../support/app.js';
import { HOUR, MINUTE, SECOND } from '../support/clock.js';
import { expectStatus, type Tenant } from '../support/given.js';
import { packageOf } from '../support/packages.js';

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

  /** An author with one add-on, and what he does over HTTP. */
  const author = async (wish: { readonly live?: string; readonly inReview?: string } = {}) => {
    const credentials = await control.firefoxAccount({ name: 'Owl' });
    secrets.push(credentials.secret);
    const { guid } = await control.addon({ issuer: credentials.issuer, ...wish });
    const api = world.api.as(tenant);
    const made = expectStatus(await api.post('/credentials', { store: 'firefox', label: 'main', credentials }), 201);
    expect(made.body).toMatchObject({
      identity: `Owl (${credentials.issuer})`,
      lastFour: credentials.secret.slice(-4),
    });
    const extensionId = await world.given.extension(tenant);
    const targetId = await world.given.targetOf(tenant, extensionId, 'firefox');
    const at = `/extensions/${extensionId}/targets/${targetId}`;
    const settings = { storeItemId: guid, credentialId: made.body.id, enabled: true };
    expectStatus(await api.patch(at, settings), 200);
    const push = async (version: string): Promise<void> => {
      const zip = await packageOf(version, { browser_specific_settings: { gecko: { id: guid } } });
      expectStatus(await api.push({ extension: extensionId, version }, new Uint8Array(zip)), 201);
    };
    const status = async () => (await api.get(at)).body.status;
    const counters = async () => (await control.addonState(guid)).counters;
    return { guid, issuer: credentials.issuer, credentialId: made.body.id as string, push, status, counters };
  };

  /** The scheduler looks again and again, while the stores' time and ours go on. */
  const pass = async (ms: number, times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      await world.forward(ms);
      await world.tick();
    }
  };

  it('goes from a push through validation and review to live, by itself', async () => {
    const { guid, push, status, counters } = await author({ live: '1.0.0' });
    await push('1.1.0');
    await world.tick();
    expect(await status()).toMatchObject({ phase: 'validating', liveVersion: '1.0.0' });
    await pass(10 * SECOND, 2);
    expect(await status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.1.0', liveVersion: '1.0.0' });
    await control.addonAct(guid, 'approve');
    await pass(12 * MINUTE, 1);
    expect(await status()).toMatchObject({ phase: 'live', liveVersion: '1.1.0', submittedVersion: null, failures: 0 });
    expect(await counters()).toEqual({ uploads: 1, versions: 1, edits: 0, rollbacks: 0, refused: 0 });
  });

  it('replaces what waits for review by what is newer', async () => {
    const { guid, push, status, counters } = await author({ inReview: '1.0.0' });
    await push('1.1.0');
    await pass(10 * SECOND, 3);
    expect(await status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.1.0' });
    await control.addonAct(guid, 'approve');
    await pass(12 * MINUTE, 1);
    expect(await status()).toMatchObject({ phase: 'live', liveVersion: '1.1.0' });
    expect(await counters()).toMatchObject({ versions: 1 });
  });

  it.each(['upload', 'createVersion', 'uploadStatus'])(
    'makes one version though the answer to %s is lost',
    async (operation) => {
      const { issuer, push, status, counters } = await author({ live: '1.0.0' });
      await control.fault({ publisherId: issuer, match: { operation }, kind: 'drop-after' });
      await push('1.1.0');
      await world.tick();
      await pass(2 * MINUTE, 4);
      expect(await status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.1.0' });
      expect(await counters()).toMatchObject({ versions: 1 });
    },
  );

  it('waits while the site is being maintained, and as long as a throttle says', async () => {
    const { issuer, push, status, counters } = await author({ live: '1.0.0' });
    await control.site({ readOnly: true });
    await push('1.1.0');
    await world.tick();
    expect(await status()).toMatchObject({
      phase: 'queued',
      message: expect.stringContaining('maintained'),
      failures: 0,
    });
    await control.site({ readOnly: false });
    const headers = { 'Retry-After': '3600' };
    await control.fault({ publisherId: issuer, match: { operation: 'upload' }, kind: 'status', status: 429, headers });
    await pass(HOUR, 1);
    const { nextCheckAt, phase } = await status();
    expect(phase).toBe('backing_off');
    expect(Date.parse(nextCheckAt) - world.clock.now().getTime()).toBeGreaterThanOrEqual(HOUR);
    expect(await counters()).toMatchObject({ uploads: 0 });
    await pass(HOUR + MINUTE, 1);
    await pass(MINUTE, 2);
    expect(await status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.1.0' });
  });

  it('asks for another key when one was revoked, and goes on with it', async () => {
    const { issuer, credentialId, push, status } = await author({ live: '1.0.0' });
    await control.revokeKey(issuer);
    await push('1.1.0');
    await world.tick();
    expect(await status()).toMatchObject({
      phase: 'action_required',
      message: expect.stringMatching(/refused the credential/),
    });
    const credentials = await control.rotateKey(issuer);
    secrets.push(credentials.secret);
    expectStatus(await world.api.as(tenant).patch(`/credentials/${credentialId}`, { credentials }), 200);
    await pass(10 * SECOND, 4);
    expect(await status()).toMatchObject({ phase: 'in_review', submittedVersion: '1.1.0' });
  });

  it('stops when Mozilla took the add-on down', async () => {
    const { guid, push, status } = await author({ live: '1.0.0' });
    await push('1.1.0');
    await control.addonAct(guid, 'takedown');
    await world.tick();
    expect(await status()).toMatchObject({ phase: 'taken_down' });
  });

  it('told no secret all the while', () => {
    expect(secrets.length).toBeGreaterThan(5);
    for (const secret of secrets) expect(world.log.join('\n')).not.toContain(secret);
    expect(world.log.join('\n')).not.toMatch(/JWT eyJ/);
  });
});
