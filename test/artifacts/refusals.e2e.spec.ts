import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { manifestOf, packageOf, zipOf } from '../support/packages.js';
import { Pusher } from './pusher.js';
import { BlobFiles } from './blob-files.js';

const MEGABYTE = 1024 * 1024;
const NOBODYS = '01890000-0000-7000-8000-000000000000';

/** A package one of whose names was changed to another of the same length, wherever it stands. */
async function renamed(name: string): Promise<Buffer> {
  const decoy = 'x'.repeat(name.length);
  const zip = await zipOf({ 'manifest.json': JSON.stringify(manifestOf('1.0')), [decoy]: '' });
  return Buffer.from(zip.toString('latin1').replaceAll(decoy, name), 'latin1');
}

const withManifest = (text: string): Promise<Buffer> => zipOf({ 'manifest.json': text });

describe('a push', () => {
  let world: World;
  let blobFiles: BlobFiles;
  beforeAll(async () => {
    world = await startWorld();
    blobFiles = new BlobFiles(world);
  });
  afterAll(() => world.close());

  describe('of something that is not a usable package', () => {
    it.each<[string, () => Promise<Buffer>, string, string]>([
      ['a text', async () => Buffer.from('hello'), 'invalid_archive', 'The file is not a zip.'],
      ['a zip that is cut off', async () => (await packageOf('1.0')).subarray(0, 200), 'invalid_archive', 'truncated'],
      [
        'a zip bomb',
        () => zipOf({ 'manifest.json': JSON.stringify(manifestOf('1.0')), bomb: Buffer.alloc(65 * MEGABYTE) }),
        'invalid_archive',
        'as zip bombs do',
      ],
      ['a zip that climbs out', () => renamed('../../evil.sh'), 'invalid_archive', 'leaves the package'],
      ['a zip with an absolute path', () => renamed('/etc/passwd'), 'invalid_archive', 'has an absolute path'],
      ['a zip of nothing', () => zipOf({}), 'invalid_archive', 'The zip is empty.'],
      ['a zip without a manifest', () => zipOf({ 'a.js': '' }), 'invalid_manifest', 'no manifest.json at its root'],
      [
        'a zip of the folder around it',
        () => zipOf({ 'owl/manifest.json': JSON.stringify(manifestOf('1.0')) }),
        'invalid_manifest',
        "zip the folder's contents",
      ],
      ['a manifest that is no JSON', () => withManifest('{ "name": '), 'invalid_manifest', 'is not valid JSON'],
      [
        'a manifest without a version',
        () => withManifest('{"manifest_version":3,"name":"a"}'),
        'invalid_manifest',
        'version',
      ],
      [
        'another version',
        () => packageOf('1.0.1', { version_name: 'one' }),
        'version_mismatch',
        'The request pins version 1.0, but the manifest has version 1.0.1.',
      ],
      ['the version in other words', () => packageOf('1.0.0'), 'version_mismatch', 'has version 1.0.0.'],
    ])('is refused: %s', async (_, make, code, sentence) => {
      const pusher = await Pusher.in(world);
      const kept = await blobFiles.blobs();
      const answer = await pusher.push('1.0', await make());
      expect(answer).toMatchObject({ status: 422, body: { code, detail: expect.stringContaining(sentence) } });
      expect(await pusher.list()).toEqual([]);
      expect(await blobFiles.blobs()).toEqual(kept);
      expect(await blobFiles.uploads()).toEqual([]);
    });

    it('is accepted with a byte order mark and comments in its manifest', async () => {
      const pusher = await Pusher.in(world);
      const text = `\uFEFF// what it is\n${JSON.stringify(manifestOf('1.0'), null, 1).replace('{', '{ /* all of it */')}`;
      expectStatus(await pusher.push('1.0', await withManifest(text)), 201);
    });
  });

  describe('with an invalid query', () => {
    it.each([
      ['five numbers', '1.0.0.0.0'],
      ['a leading zero', '01.2'],
      ['a number too large', '1000000000'],
      ['nothing', ''],
      ['a word', 'abc'],
      ['a sign', '-1'],
      ['a beta', '1.0b1'],
      ['an end of line', '1.0\n'],
      ['other digits', '١.٢'],
      ['a very long one', '1'.repeat(10_000)],
    ])('is refused for its version: %s', async (_, version) => {
      const pusher = await Pusher.in(world);
      const answer = await pusher.push(version, await packageOf('1.0'));
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field: 'version' }] } });
    });

    it.each([
      ['a store that nobody knows', 'store=opera', 'store'],
      ['an empty store', 'store=', 'store'],
      ['two stores', 'store=chrome&store=edge', 'store'],
      ['a second version', 'version=2.0', 'version'],
      ['a field that is unknown', 'channel=beta', 'channel'],
      ['a field of every object', '__proto__=1', '__proto__'],
      ['a method of every object', 'toString=1', 'toString'],
      ['notes that are no text', 'notes[a]=1', 'notes[a]'],
      ['NUL in its notes', 'notes=%00', 'notes'],
    ])('is refused for %s', async (_, more, field) => {
      const pusher = await Pusher.in(world);
      const body = new Uint8Array(await packageOf('1.0'));
      const path = `/artifacts?extension=${pusher.extension}&version=1.0&${more}`;
      const answer = await world.api.as(pusher.mine).post(path, undefined, {
        raw: body,
        headers: { 'content-type': 'application/zip' },
      });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field }] } });
      expect(await pusher.list()).toEqual([]);
    });

    it('is refused without a version, or without an extension', async () => {
      const { mine, extension } = await Pusher.in(world);
      const api = world.api.as(mine);
      const refused = (field: string) => ({ status: 400, body: { errors: [{ field }] } });
      expect(await api.push({ extension }, new Uint8Array(1))).toMatchObject(refused('version'));
      expect(await api.push({ version: '1.0' }, new Uint8Array(1))).toMatchObject(refused('extension'));
      expect(await api.get('/artifacts')).toMatchObject(refused('extension'));
      expect(await api.get(`/artifacts?extension=${extension}&page=2`)).toMatchObject(refused('page'));
    });
  });

  describe('for an extension that is not the tenant’s', () => {
    it.each([
      ['is no id', async () => 'night-owl'],
      ['is an SQL fragment', async () => `' or 1=1 --`],
      ['is very long', async () => 'e'.repeat(10_000)],
      ['is nobody’s', async () => NOBODYS],
      ['is another tenant’s', async () => (await Pusher.in(world)).extension],
    ])('is answered like one that does not exist, when its id %s', async (_, find) => {
      const { mine } = await Pusher.in(world);
      const extension = await find();
      const absent = { status: 404, body: { code: 'extension_not_found' } };
      const zip = new Uint8Array(await packageOf('1.0'));
      expect(await world.api.as(mine).push({ extension, version: '1.0' }, zip)).toMatchObject(absent);
      expect(await world.api.as(mine).push({ extension, version: '1.0', store: 'safari' })).toMatchObject(absent);
      expect(await world.api.as(mine).get(`/artifacts?${new URLSearchParams({ extension }).toString()}`)).toMatchObject(
        absent,
      );
    });
  });

  describe('by a token', () => {
    const lacking = (scope: string) => ({
      status: 403,
      body: { code: 'insufficient_scope', detail: `This route requires the scope ${scope}.` },
    });

    it.each([
      [['artifacts:write'], 201, 403],
      [['extensions:read'], 403, 200],
      [['extensions:write'], 403, 200],
      [['licenses:write', 'analytics:read'], 403, 403],
    ])('with the scopes %j is answered %i, and a list %i', async (scopes, push, list) => {
      const owner = await world.given.tenant();
      const extension = await world.given.extension(owner);
      const token = await world.given.token(owner, scopes);
      const pusher = new Pusher(world, { token, extensionId: extension });
      const pushed = await pusher.push('1.0', await packageOf('1.0'));
      const listed = await world.api.as({ token }).get(`/artifacts?extension=${extension}`);
      expect([pushed.status, listed.status]).toEqual([push, list]);
      if (push === 403) expect(pushed).toMatchObject(lacking('artifacts:write'));
      if (list === 403) expect(listed).toMatchObject(lacking('extensions:read'));
    });

    it('that is missing is refused, whatever is sent', async () => {
      const { extension } = await Pusher.in(world);
      const answer = await world.api.push({ extension, version: '1.0' }, new Uint8Array(await packageOf('1.0')));
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    });
  });
});
