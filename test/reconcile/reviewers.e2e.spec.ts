import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { SECOND } from '../support/clock.js';
import { expectStatus } from '../support/given.js';
import { zipOf } from '../support/packages.js';
import { addonAccount, AddonAuthor } from './addon-author.js';

describe("Mozilla's reviewers", () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const author = async (): Promise<AddonAuthor> =>
    AddonAuthor.in(world, await addonAccount(world, await world.given.tenant()), { live: '1.0.0' });

  const submitted = async (mine: AddonAuthor) => {
    await mine.reconcile();
    await world.forward(10 * SECOND);
    expect(await mine.reconcile()).toMatchObject({ phase: 'in_review' });
    return (await mine.control.addonState(mine.guid)).versions.at(-1);
  };

  it('receive the reviewer notes of the push, or else of the target; users receive the release notes', async () => {
    const mine = await author();
    await mine.set({ reviewerNotes: 'Log in as owl, hoot.', releaseNotes: 'Sleeps by day.' });
    await mine.push('1.1.0');
    const releaseNotes = { 'en-US': 'Sleeps by day.' };
    expect(await submitted(mine)).toMatchObject({ approvalNotes: 'Log in as owl, hoot.', releaseNotes });
    await mine.push('1.2.0', { reviewerNotes: 'Nothing to log in to.' });
    expect(await submitted(mine)).toMatchObject({ approvalNotes: 'Nothing to log in to.', releaseNotes });
    await mine.set({ reviewerNotes: null });
    await world.forward(60 * SECOND);
    await mine.push('1.3.0');
    expect(await submitted(mine)).toMatchObject({ approvalNotes: '', releaseNotes });
  });

  it.each([
    ['a zip', 'application/zip', 'source.zip', () => zipOf({ 'index.ts': 'export {};' })],
    ['a gzipped tar', 'application/gzip', 'source.tar.gz', async () => gzipSync('index.ts')],
    [
      'a bzipped tar',
      'application/x-bzip2',
      'source.tar.bz2',
      async () => Buffer.from('BZh9\u0017rE8P\u0090', 'latin1'),
    ],
  ])('receive the sources as %s, byte by byte, besides their notes', async (_, type, name, made) => {
    const mine = await author();
    await mine.set({ reviewerNotes: 'Build it with npm ci.' });
    const { id } = (await mine.push('1.1.0')).body.artifact;
    const raw = new Uint8Array(await made());
    const api = world.api.as(mine.account.tenant);
    const path = `/artifacts/${id}/source`;
    const sent = expectStatus(await api.post(path, undefined, { raw, headers: { 'content-type': type } }), 200).body;
    expect(await submitted(mine)).toMatchObject({
      source: { name, type, size: raw.length, sha256: sent.sourceSha256 },
      approvalNotes: 'Build it with npm ci.',
    });
    const form = new FormData();
    form.set('file', new Blob([raw]), name);
    expectStatus(await api.post(path, undefined, { raw: form }), 200);
  });

  it('receive no version before the sources that were announced with it', async () => {
    const mine = await author();
    const api = world.api.as(mine.account.tenant);
    const { artifact } = (await mine.push('1.1.0', { source: 'follows' })).body;
    expect(Date.parse(artifact.sourceDueAt) - world.clock.now().getTime()).toBeGreaterThan(50 * 60 * SECOND);
    expect(await mine.reconcile()).toMatchObject({
      phase: 'queued',
      message: expect.stringMatching(/^Pierhead waits until 2\d{3}-[^ ]+ for the source code of version 1\.1\.0\. /),
    });
    const raw = new Uint8Array(await zipOf({ 'index.ts': 'export {};' }));
    const attach = () =>
      api.post(`/artifacts/${artifact.id}/source`, undefined, { raw, headers: { 'content-type': 'application/zip' } });
    const attached = expectStatus(await attach(), 200).body;
    expect(attached).toMatchObject({ sourceDueAt: null });
    expect(attached).not.toHaveProperty('warning');
    expect(await mine.status()).toMatchObject({ nextCheckAt: world.clock.now().toISOString() });
    expect(await submitted(mine)).toMatchObject({ version: '1.1.0', source: { sha256: attached.sourceSha256 } });
  });

  it('do not wait forever for announced sources: the target needs a person, who may push without them', async () => {
    const mine = await author();
    await mine.push('1.1.0', { source: 'follows' });
    await mine.reconcile();
    await world.forward(61 * 60 * SECOND);
    expect(await mine.reconcile()).toMatchObject({
      phase: 'action_required',
      message: expect.stringContaining('Push the version again, with or without its source code.'),
    });
    const again = await mine.push('1.1.0', {}, 200);
    expect(again.body).toMatchObject({ deduplicated: true, artifact: { sourceDueAt: null } });
    expect(await submitted(mine)).toMatchObject({ version: '1.1.0', source: null });
  });

  it('receive no archive of another kind', async () => {
    const mine = await author();
    const { id } = (await mine.push('1.1.0')).body.artifact;
    const send = (raw: string, type: string) =>
      world.api
        .as(mine.account.tenant)
        .post(`/artifacts/${id}/source`, undefined, { raw, headers: { 'content-type': type } });
    expect(await send('Rar!', 'application/octet-stream')).toMatchObject({
      status: 422,
      body: { code: 'invalid_archive', detail: expect.stringContaining('.zip, .tar.gz, .tgz or .tar.bz2') },
    });
    expect(await send('Rar!', 'application/vnd.rar')).toMatchObject({
      status: 415,
      body: { detail: expect.stringContaining('application/gzip') },
    });
  });

  it.each([
    ['unverifiedEmail', /verify your email.*must verify their e-mail address/],
    ['blockedEmail', /not allowed for submissions.*Contact Mozilla to have the block removed/],
    ['blockedAddress', /IP address has been blocked.*Contact Mozilla to have the block removed/],
  ] as const)('never get what an account may not submit, and its owner reads why: %s', async (restriction, why) => {
    const mine = await author();
    await mine.control.firefoxUser(mine.account.issuer, { restriction });
    await mine.push('1.1.0');
    const { phase, message } = await mine.reconcile();
    expect({ phase, message }).toEqual({ phase: 'action_required', message: expect.stringMatching(why) });
    expect(message).not.toMatch(/author|credential/);
    await mine.control.firefoxUser(mine.account.issuer, { restriction: null });
    await submitted(mine);
  });
});
