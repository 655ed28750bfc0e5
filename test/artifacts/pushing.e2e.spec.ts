import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus, type Publishable } from '../support/given.js';
import { manifestOf, packageOf, zipOf } from '../support/packages.js';
import { Pusher, sha256Of } from './pusher.js';
import { BlobFiles, until } from './blob-files.js';

describe('pushing a package', () => {
  let world: World;
  let blobFiles: BlobFiles;
  beforeAll(async () => {
    world = await startWorld();
    blobFiles = new BlobFiles(world);
  });
  afterAll(() => world.close());

  it.each(['application/zip', 'application/octet-stream', 'Application/Zip; charset=binary'])(
    'as %s keeps it and shows what is in it',
    async (type) => {
      const pusher = await Pusher.onChrome(world);
      const zip = await packageOf('1.2.3', {
        permissions: ['storage', 'tabs'],
        host_permissions: ['https://a.example/*'],
        browser_specific_settings: { gecko: { id: 'owl@night.example' } },
      });
      const { body } = expectStatus(await pusher.sends({ version: '1.2.3' }, zip, type), 201);
      expect(body).toEqual({
        deduplicated: false,
        findings: [],
        artifact: {
          id: expect.any(String),
          extensionId: pusher.extension,
          version: '1.2.3',
          storeVersion: '1.2.3',
          store: null,
          targetId: null,
          platform: null,
          buildNumber: null,
          sha256: sha256Of(zip),
          size: zip.length,
          sourceSha256: null,
          sourceDueAt: null,
          rollbackOf: null,
          notes: null,
          localizedNotes: null,
          format: 'zip',
          justifications: null,
          privacyFields: [],
          reviewerNotes: null,
          pushedBy: 'CI',
          pushedFrom: null,
          commit: null,
          pinnedAt: world.clock.now().toISOString(),
          manifest: {
            name: 'Night Owl',
            manifestVersion: 3,
            permissions: ['storage', 'tabs'],
            hostPermissions: ['https://a.example/*'],
            geckoId: 'owl@night.example',
          },
          createdAt: world.clock.now().toISOString(),
          updatedAt: world.clock.now().toISOString(),
        },
      });
      expect(await pusher.list()).toEqual([body.artifact]);
    },
  );

  it('accepts a version that the manifest has only as its version_name', async () => {
    const pusher = await Pusher.in(world);
    const zip = await packageOf('3.1.0.77', { version_name: '3.1' });
    expect((await pusher.push('3.1', zip)).body.artifact).toMatchObject({ version: '3.1' });
  });

  describe('whose file has been lost', () => {
    const lose = async (sha256: string): Promise<string> => {
      const [row] = await blobFiles.rows(sha256);
      if (row === undefined) throw new Error('The content is not known');
      await rm(join(world.dataDir, 'blobs', row.key));
      return row.key;
    };

    it('is restored by pushing it again', async () => {
      const pusher = await Pusher.in(world);
      const zip = await packageOf('1.0', { name: 'Lost once' });
      const sha256 = sha256Of(zip);
      const { id } = expectStatus(await pusher.push('1.0', zip), 201).body.artifact;
      const key = await lose(sha256);
      expect(await world.api.as(pusher.mine).get(`/artifacts/${id}/download`)).toMatchObject({
        status: 410,
        body: {
          code: 'package_lost',
          detail: 'The file of this package is missing. Push the same content again to restore it.',
        },
      });
      const told = world.log.filter((line) => line.includes(key)).map((line) => JSON.parse(line) as object);
      expect(told).toContainEqual(expect.objectContaining({ level: 'warn', msg: 'blob cannot be opened', key }));

      const again = expectStatus(await pusher.push('1.0', zip), 200).body;
      expect(again).toMatchObject({ deduplicated: true, artifact: { id, sha256 } });
      expect((await pusher.download(id)).bytes.equals(zip)).toBe(true);
      expect(await blobFiles.blobs(sha256)).toHaveLength(1);
      expect(await blobFiles.rows(sha256)).toHaveLength(1);
    });

    it('asks its author to push it again, without blaming the store, and is then published', async () => {
      const pusher = await Pusher.onChrome(world);
      const { targetId } = pusher.mine as Publishable;
      const status = async () =>
        (await world.api.as(pusher.mine).get(`/extensions/${pusher.extension}/targets/${targetId}`)).body.status;
      const zip = await packageOf('1.0', { name: 'Lost before the upload' });
      expectStatus(await pusher.push('1.0', zip), 201);
      await lose(sha256Of(zip));
      await pusher.reconcile();
      expect(await status()).toMatchObject({
        phase: 'action_required',
        message: 'The file of this package is missing. Push the same content again to restore it.',
      });
      expectStatus(await pusher.push('1.0', zip), 200);
      await pusher.reconcile();
      expect(await status()).toMatchObject({ phase: 'in_review', failures: 0 });
    });

    it('is restored by any push of the same content, even by many at once', async () => {
      const [one, other] = [await Pusher.in(world), await Pusher.in(world)];
      const zip = await packageOf('1.0', { name: 'Lost twice' });
      const sha256 = sha256Of(zip);
      const { id } = expectStatus(await one.push('1.0', zip), 201).body.artifact;
      await lose(sha256);
      const pushes = await Promise.all([other.push('1.0', zip), one.push('1.0', zip), other.push('1.0', zip)]);
      expect(pushes.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
      expect((await one.download(id)).bytes.equals(zip)).toBe(true);
      expect(await blobFiles.blobs(sha256)).toHaveLength(1);
    });
  });

  it('is published also when the one before was pushed to a process whose clock is ahead', async () => {
    const owner = await world.given.publishable();
    await world.given.pinned(owner, '1.0.0');
    world.clock.forward(-60_000);
    await world.given.pinned(owner, '1.0.1');
    world.clock.forward(60_000);
    await world.tick();
    const target = `/extensions/${owner.extensionId}/targets/${owner.targetId}`;
    expect(expectStatus(await world.api.as(owner).get(target), 200).body.status).toMatchObject({
      desiredVersion: '1.0.1',
      submittedVersion: '1.0.1',
    });
  });

  it('makes its targets due at once, and adds an event', async () => {
    const mine = await world.given.publishable({ published: '1.0.0' });
    const pusher = new Pusher(world, mine);
    await pusher.reconcile();
    await pusher.pushed('1.1.0');
    const target = await world.api.as(mine).get(`/extensions/${mine.extensionId}/targets/${mine.targetId}`);
    expect(target.body.status).toMatchObject({
      desiredVersion: '1.1.0',
      nextCheckAt: world.clock.now().toISOString(),
    });
    const { items } = (await world.api.as(mine).get(`/extensions/${mine.extensionId}/events`)).body;
    expect(items[0]).toMatchObject({
      kind: 'pinned',
      version: '1.1.0',
      message: 'Version 1.1.0 was pinned for every target.',
    });
  });

  it.each([
    ['a text of 4000 characters', 'x'.repeat(4000), 201],
    ['nothing but blanks', '   ', 400],
    ['a text of 4001 characters', 'x'.repeat(4001), 400],
  ])('accepts notes that are %s: %#', async (_, notes, status) => {
    const pusher = await Pusher.in(world);
    expectStatus(await pusher.push('1.0', await packageOf('1.0'), { notes, reviewerNotes: notes }), status);
  });

  it('accepts notes in its form, which has room for what a URL spells with nine bytes for each character', async () => {
    const pusher = await Pusher.in(world);
    const formOf = async (notes: string, version: string): Promise<FormData> => {
      const form = new FormData();
      form.append('package', new Blob([new Uint8Array(await packageOf(version))]), 'owl.zip');
      form.append('notes', notes);
      form.append('reviewerNotes', 'Log in as demo.');
      return form;
    };
    const long = '中'.repeat(4000);
    const { artifact } = expectStatus(await pusher.sends({ version: '1.0' }, await formOf(long, '1.0')), 201).body;
    expect(artifact).toMatchObject({ notes: long, reviewerNotes: 'Log in as demo.' });
    expect(await pusher.sends({ version: '1.1' }, await formOf(`${long}x`, '1.1'))).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'notes' }] },
    });
    expect(await pusher.list()).toHaveLength(1);
  });

  it('accepts notes in a form without a file where the store needs no package', async () => {
    const pusher = await Pusher.in(world);
    const form = new FormData();
    form.append('notes', 'Counts windows.');
    const { artifact } = expectStatus(await pusher.sends({ version: '1.0', store: 'safari' }, form), 201).body;
    expect(artifact).toMatchObject({ notes: 'Counts windows.', sha256: null });
  });

  describe('again', () => {
    it('reports that the same content was pushed before, and stores nothing twice', async () => {
      const pusher = await Pusher.in(world);
      const zip = await packageOf('1.0');
      const { artifact: first, warning } = expectStatus(await pusher.push('1.0', zip), 201).body;
      const again = expectStatus(await pusher.push('1.0', zip), 200);
      expect(again.body).toEqual({
        artifact: { ...first, updatedAt: again.body.artifact.updatedAt },
        deduplicated: true,
        warning,
        findings: [
          expect.objectContaining({ code: 'no_gecko_id', severity: 'refused', holds: true }),
          expect.objectContaining({ code: 'no_data_collection_permissions', severity: 'warning', holds: false }),
        ],
      });
      expect(await pusher.list()).toHaveLength(1);
      expect(await blobFiles.rows(first.sha256)).toHaveLength(1);
      expect(await blobFiles.blobs(first.sha256)).toHaveLength(1);
    });

    it('packed smaller takes the place of the first zip, until a store has that', async () => {
      const pusher = await Pusher.onChrome(world);
      const packed = (version: string, compress: boolean): Promise<Buffer> =>
        zipOf(
          { 'manifest.json': JSON.stringify(manifestOf(version)), 'background.js': ' '.repeat(10_000) },
          undefined,
          compress,
        );
      const [large, small] = [await packed('1.0.0', false), await packed('1.0.0', true)];
      const { id } = expectStatus(await pusher.push('1.0.0', large), 201).body.artifact;
      const again = { id, sha256: sha256Of(small), size: small.length };
      expect(expectStatus(await pusher.push('1.0.0', small), 200).body).toMatchObject({
        deduplicated: true,
        artifact: again,
      });
      expect((await pusher.download(id)).bytes).toEqual(small);
      await until('the first zip is gone', async () => (await blobFiles.blobs(sha256Of(large))).length === 0);
      expect(expectStatus(await pusher.push('1.0.0', large), 200).body.artifact).toMatchObject(again);

      const sent = await packed('1.1.0', false);
      expectStatus(await pusher.push('1.1.0', sent), 201);
      await pusher.reconcile();
      const { body } = expectStatus(await pusher.push('1.1.0', await packed('1.1.0', true)), 200);
      expect(body.artifact.sha256).toBe(sha256Of(sent));
    });

    it('for one store is another artifact, with the same bytes stored once', async () => {
      const pusher = await Pusher.in(world);
      const zip = await packageOf('1.0', { name: 'For one store too' });
      const all = expectStatus(await pusher.push('1.0', zip), 201).body.artifact;
      const one = expectStatus(await pusher.push('1.0', zip, { store: 'chrome' }), 201).body.artifact;
      expectStatus(await pusher.push('1.0', zip, { store: 'chrome' }), 200);
      expect(one).toMatchObject({ store: 'chrome', sha256: all.sha256 });
      expect((await pusher.list()).map(({ id, store }) => [id, store])).toEqual([
        [one.id, 'chrome'],
        [all.id, null],
      ]);
      expect(await blobFiles.blobs(all.sha256)).toHaveLength(1);
    });

    it('with other content replaces it while no store has it, and deletes the old bytes', async () => {
      const pusher = await Pusher.in(world);
      const first = await pusher.pushed('1.0', { name: 'To be replaced' });
      const other = await pusher.pushed('1.0', { name: 'The replacement' });
      expect(other.id).toBe(first.id);
      expect(await pusher.list()).toEqual([other]);
      expect(other).toMatchObject({ manifest: { name: 'The replacement' } });
      await until('the old bytes are gone', async () => (await blobFiles.blobs(first.sha256 ?? '')).length === 0);
      expect(await blobFiles.rows(first.sha256 ?? '')).toEqual([]);
      expect(await blobFiles.blobs(other.sha256 ?? '')).toHaveLength(1);
    });

    it('with other content is a conflict once an upload to a store began', async () => {
      const pusher = await Pusher.onChrome(world);
      const sent = await packageOf('1.0.0');
      expectStatus(await pusher.push('1.0.0', sent), 201);
      await pusher.reconcile();
      const zip = await packageOf('1.0.0', { name: 'Another' });
      expect(await pusher.push('1.0.0', zip)).toMatchObject({ status: 409, body: { code: 'version_conflict' } });
      expect(await pusher.list()).toMatchObject([{ sha256: sha256Of(sent) }]);
      expect(await blobFiles.blobs(sha256Of(zip))).toEqual([]);
      expectStatus(await pusher.push('1.0.0', sent), 200);
    });

    it('with other content is a conflict once a store shows the version', async () => {
      const pusher = await Pusher.onChrome(world, { published: '1.0.0' });
      await pusher.pushed('1.0.0');
      await pusher.reconcile();
      const answer = await pusher.push('1.0.0', await packageOf('1.0.0', { name: 'Another' }));
      expect(answer).toMatchObject({ status: 409, body: { code: 'version_conflict' } });
    });

    it('with other content for one store is a conflict when that store holds what was pushed for all', async () => {
      const pusher = await Pusher.onChrome(world);
      await pusher.pushed('1.0.0');
      await pusher.reconcile();
      const zip = await packageOf('1.0.0', { name: 'Another' });
      const answer = await pusher.push('1.0.0', zip, { store: 'chrome' });
      expect(answer).toMatchObject({ status: 409, body: { code: 'version_conflict' } });
      expectStatus(await pusher.push('1.0.0', zip, { store: 'firefox' }), 201);
    });
  });

  describe('to a further store, without sending it again', () => {
    const pin = (pusher: Pusher, id: string, body: object = {}) =>
      world.api.as(pusher.mine).post(`/artifacts/${id}/pin`, body);

    it('pins the same bytes with their notes and sources there, then for all, and takes that back', async () => {
      const pusher = await Pusher.in(world);
      const before = await pusher.pushed('1.0', { name: 'Before' });
      const also = { store: 'chrome', notes: 'Counts windows.', reviewerNotes: 'Log in as demo.' };
      const first = await pusher.pushed('1.1', { name: 'To promote' }, also);
      const raw = new Uint8Array(await zipOf({ 'source.ts': 'to promote' }));
      const headers = { 'content-type': 'application/zip' };
      expectStatus(
        await world.api.as(pusher.mine).post(`/artifacts/${first.id}/source`, undefined, { raw, headers }),
        200,
      );
      const { sha256, notes, reviewerNotes } = first;
      const same = { version: '1.1', sha256, notes, reviewerNotes, sourceSha256: sha256Of(raw) };

      const there = expectStatus(await pin(pusher, first.id, { store: 'firefox' }), 201).body.artifact;
      expect(there).toMatchObject({ ...same, store: 'firefox' });
      expect((await pusher.download(there.id)).bytes.equals((await pusher.download(first.id)).bytes)).toBe(true);
      expectStatus(await pin(pusher, first.id, { store: 'firefox' }), 200);
      const all = expectStatus(await pin(pusher, first.id), 201).body.artifact;
      expect(all).toMatchObject({ ...same, store: null });
      expect(await blobFiles.blobs(sha256 ?? '')).toHaveLength(1);
      const back = expectStatus(await pin(pusher, before.id, { store: 'edge' }), 201).body.artifact;
      expect(back).toMatchObject({ version: '1.0', sha256: before.sha256, store: 'edge' });
      expect((await pusher.list())[0]).toEqual(back);
    });

    it('drives that store to it, and is refused where the store has a higher version or other content', async () => {
      const pusher = await Pusher.onChrome(world, { published: '2.0.0' });
      await pusher.reconcile();
      const older = await pusher.pushed('1.0.0', {}, { store: 'edge' });
      expect(await pin(pusher, older.id, { store: 'chrome' })).toMatchObject({
        status: 409,
        body: { code: 'version_not_newer' },
      });
      const newer = await pusher.pushed('2.1.0', { name: 'For Edge first' }, { store: 'edge' });
      expectStatus(await pin(pusher, newer.id, { store: 'chrome' }), 201);
      const { extensionId, targetId } = pusher.mine as Publishable;
      const { body } = await world.api.as(pusher.mine).get(`/extensions/${extensionId}/targets/${targetId}`);
      expect(body.status.desiredVersion).toBe('2.1.0');
      await pusher.reconcile();
      const other = await pusher.pushed('2.1.0', { name: 'Another for Firefox' }, { store: 'firefox' });
      expect(await pin(pusher, other.id, { store: 'chrome' })).toMatchObject({
        status: 409,
        body: { code: 'version_conflict' },
      });
    });

    it('needs what was pushed: a bare pin goes only where no package is needed, and others have none of it', async () => {
      const pusher = await Pusher.in(world);
      const bare = expectStatus(await pusher.push('5.0', undefined, { store: 'safari' }), 201).body.artifact;
      expect(await pin(pusher, bare.id, { store: 'edge' })).toMatchObject({ body: { code: 'artifact_required' } });
      expectStatus(await pin(pusher, bare.id, { store: 'safari' }), 200);
      const stranger = await Pusher.in(world);
      expect(await pin(stranger, bare.id, { store: 'safari' })).toMatchObject({ body: { code: 'artifact_not_found' } });
      expect(await pin(pusher, bare.id, { store: 'opera' })).toMatchObject({ status: 400 });
    });
  });

  describe('under another spelling of its version', () => {
    it('is the same version, and keeps the spelling that it was first pushed with', async () => {
      const pusher = await Pusher.in(world);
      const first = await pusher.pushed('1.0.0');
      const zip = await packageOf('1.0', { name: 'Another' });
      const other = expectStatus(await pusher.push('1.0', zip), 201).body.artifact;
      expect(other).toMatchObject({ id: first.id, version: '1.0.0', sha256: sha256Of(zip) });
      expectStatus(await pusher.push('1.0', zip), 200);
      const own = await pusher.pushed('1', { name: 'For one store' }, { store: 'firefox' });
      expect(own).toMatchObject({ version: '1.0.0', store: 'firefox' });
      expect(await pusher.list()).toHaveLength(2);
    });

    it('is the same version also when only its version_name was pushed before', async () => {
      const pusher = await Pusher.in(world);
      const zip = await packageOf('3.1.0.77', { version_name: '3.1' });
      const { id } = expectStatus(await pusher.push('3.1', zip), 201).body.artifact;
      expect(await pusher.push('3.1.0.77', zip)).toMatchObject({
        status: 200,
        body: { artifact: { id, version: '3.1' } },
      });
      expect(await pusher.pushed('3.1.0.77', { name: 'Another' })).toMatchObject({ id, version: '3.1' });
    });

    it('is deduplicated without a package', async () => {
      const pusher = await Pusher.in(world);
      const { id } = expectStatus(await pusher.push('5.0', undefined, { store: 'safari' }), 201).body.artifact;
      const again = expectStatus(await pusher.push('5.0.0', undefined, { store: 'safari' }), 200);
      expect(again.body.artifact).toMatchObject({ id, version: '5.0' });
    });

    it('is a conflict with other content once an upload to a store began, or the version is live', async () => {
      const pusher = await Pusher.onChrome(world);
      const sent = await pusher.pushed('1.0.0');
      const conflict = { status: 409, body: { code: 'version_conflict' } };
      const zip = await packageOf('1.0', { name: 'Another' });
      const both = async () => [await pusher.push('1.0', zip), await pusher.push('1.0', zip, { store: 'chrome' })];
      await pusher.reconcile();
      expect(await both()).toMatchObject([conflict, conflict]);
      await world.control.act((pusher.mine as Publishable).itemId, 'approve');
      await pusher.reconcile();
      expect(await both()).toMatchObject([conflict, conflict]);
      expect(await pusher.list()).toEqual([sent]);
    });

    it('has one name when it is pushed for several stores at once', async () => {
      const pusher = await Pusher.in(world);
      await Promise.all([
        pusher.pushed('2.0', {}, { store: 'chrome' }),
        pusher.pushed('2.0.0', {}, { store: 'firefox' }),
        pusher.pushed('2', {}, { store: 'edge' }),
      ]);
      expect(new Set((await pusher.list()).map(({ version }) => version)).size).toBe(1);
    });
  });

  describe('of an older version', () => {
    it('is refused when a store has a newer one live', async () => {
      const pusher = await Pusher.onChrome(world, { published: '2.0.0' });
      await pusher.reconcile();
      expect(await pusher.push('1.9.9', await packageOf('1.9.9'))).toMatchObject({
        status: 409,
        body: {
          code: 'version_not_newer',
          detail: 'Chrome Web Store already has version 2.0.0 and does not accept 1.9.9.',
        },
      });
      expect(await pusher.list()).toEqual([]);
      expectStatus(await pusher.push('1.9.9', await packageOf('1.9.9'), { store: 'firefox' }), 201);
      expectStatus(await pusher.push('2.0.0', await packageOf('2.0.0')), 201);
    });

    it('is refused when a store has a newer one in review', async () => {
      const pusher = await Pusher.onChrome(world);
      await pusher.pushed('1.10.0');
      await pusher.reconcile();
      const answer = await pusher.push('1.9.0', await packageOf('1.9.0'));
      expect(answer).toMatchObject({ status: 409, body: { code: 'version_not_newer' } });
    });

    it('is compared by the version that stores see, not by the version_name', async () => {
      const pusher = await Pusher.onChrome(world, { published: '2.0.0' });
      await pusher.reconcile();
      const zip = await packageOf('1.5.0', { version_name: '3.0' });
      expect(await pusher.push('3.0', zip)).toMatchObject({ status: 409, body: { code: 'version_not_newer' } });
    });

    it('is accepted while the target with the newer one is disabled', async () => {
      const mine = await world.given.publishable({ published: '2.0.0' });
      const pusher = new Pusher(world, mine);
      await pusher.reconcile();
      const path = `/extensions/${mine.extensionId}/targets/${mine.targetId}`;
      expectStatus(await world.api.as(mine).patch(path, { enabled: false }), 200);
      expectStatus(await pusher.push('1.0.0', await packageOf('1.0.0')), 201);
    });
  });

  describe('without a package', () => {
    const pin = {
      status: 201,
      body: { artifact: { version: '5.0', store: 'safari', sha256: null, size: null, manifest: null } },
    };

    it.each([
      ['no body', undefined],
      ['an empty body', new Uint8Array()],
    ])('by %s pins a version for a store that has its own builds', async (_, body) => {
      const pusher = await Pusher.in(world);
      const first = await pusher.push('5.0', body, { store: 'safari' });
      expect(first).toMatchObject(pin);
      const again = await pusher.push('5.0', body, { store: 'safari' });
      expect(again).toMatchObject({
        status: 200,
        body: { deduplicated: true, artifact: { id: first.body.artifact.id } },
      });
      expect(await pusher.list()).toHaveLength(1);
    });

    it('can be followed by one, and the other way round', async () => {
      const pusher = await Pusher.in(world);
      expectStatus(await pusher.push('5.0', undefined, { store: 'safari' }), 201);
      const zip = await packageOf('5.0', { name: 'For the App Store' });
      const kept = expectStatus(await pusher.push('5.0', zip, { store: 'safari' }), 201).body.artifact;
      expect(kept.sha256).toBe(sha256Of(zip));
      expect(await pusher.push('5.0', undefined, { store: 'safari' })).toMatchObject(pin);
      await until('the bytes are gone', async () => (await blobFiles.blobs(kept.sha256)).length === 0);
    });

    it.each([
      ['for every target', {}],
      ['for chrome', { store: 'chrome' }],
      ['for firefox', { store: 'firefox' }],
      ['for edge', { store: 'edge' }],
    ])('is refused %s', async (_, scope) => {
      const pusher = await Pusher.in(world);
      const refused = { status: 400, body: { code: 'artifact_required' } };
      expect(await pusher.push('1.0', undefined, scope)).toMatchObject(refused);
      expect(await pusher.push('1.0', new Uint8Array(), scope)).toMatchObject(refused);
      expect(await pusher.list()).toEqual([]);
    });
  });
});
