import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { manifestOf, packageOf, zipOf } from '../support/packages.js';
import { Pusher } from './pusher.js';
import { BlobFiles, until } from './blob-files.js';
import { SlowPush } from './slow-push.js';

const LIMIT = 64 * 1024;
const BOUNDARY = 'edge-of-a-part';

const tooLarge = { status: 413, body: { code: 'artifact_too_large', limit: LIMIT } };
const asForm = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const fileHead = Buffer.from(
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="owl.zip"\r\ncontent-type: application/zip\r\n\r\n`,
);
const fieldHead = Buffer.from(`\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="note"\r\n\r\n`);

describe('a package', () => {
  let world: World;
  let blobFiles: BlobFiles;
  beforeAll(async () => {
    world = await startWorld({ env: { ARTIFACT_MAX_BYTES: String(LIMIT) } });
    blobFiles = new BlobFiles(world);
  });
  afterAll(() => world.close());

  /** A package of exactly so many bytes. */
  async function packageOfSize(bytes: number): Promise<Buffer> {
    for (let filler = bytes - 400; ; filler -= 1) {
      const zip = await zipOf({ 'manifest.json': JSON.stringify(manifestOf('1.0')), data: randomBytes(filler) });
      if (zip.length === bytes) return zip;
      filler += bytes - zip.length + 1;
    }
  }

  const leftOvers = async () => [...(await blobFiles.uploads()), ...(await blobFiles.blobs())];

  describe('at the size limit', () => {
    it.each([
      ['as it is', 'application/zip'],
      ['in a form', undefined],
    ])('is accepted %s, and refused with one byte more', async (_, type) => {
      const send = async (bytes: number) => {
        const pusher = await Pusher.in(world);
        const zip = await packageOfSize(bytes);
        const form = new FormData();
        form.append('file', new Blob([new Uint8Array(zip)]), 'owl.zip');
        return pusher.sends({ version: '1.0' }, type === undefined ? form : zip, type);
      };
      expectStatus(await send(LIMIT), 201);
      expect(await send(LIMIT + 1)).toMatchObject(tooLarge);
    });
  });

  describe('beyond the limit', () => {
    it.each([
      ['', {}],
      [' as a form', asForm],
    ])('is refused%s by its announced size, before a byte of it was sent', async (_, type) => {
      const pusher = await Pusher.in(world);
      const push = SlowPush.begin(world, pusher, '1.0', { ...type, 'content-length': 2_000_000_000 });
      expect(await push.answer()).toMatchObject(tooLarge);
      await push.disconnect();
    });

    it.each<[string, OutgoingHttpHeaders, Buffer[]]>([
      ['', {}, [Buffer.alloc(LIMIT + 1)]],
      [' as the file of a form', asForm, [fileHead, Buffer.alloc(LIMIT + 1024)]],
      [' as a form of one endless field', asForm, [fieldHead, ...Array<Buffer>(50).fill(Buffer.alloc(50_000))]],
    ])(
      'of unknown size%s is refused as soon as it has passed it, while the client still sends',
      async (_, type, pieces) => {
        const kept = await leftOvers();
        const pusher = await Pusher.in(world);
        const push = SlowPush.begin(world, pusher, '1.0', type);
        for (const piece of pieces) await push.send(piece);
        expect(await push.answer()).toMatchObject(tooLarge);
        await push.disconnect();
        expect(await leftOvers()).toEqual(kept);
      },
    );

    it('does not cost a client that stops sending its connection', async () => {
      const pusher = await Pusher.in(world);
      const push = SlowPush.begin(world, pusher, '1.0', { 'content-length': LIMIT + 1 });
      expect(await push.answer()).toMatchObject(tooLarge);
      push.end(Buffer.alloc(LIMIT + 1));
      const next = push.next('1.0');
      next.end(await packageOf('1.0', { name: 'On the same connection' }));
      expectStatus(await next.answer(), 201);
      expect(await next.connection()).toBe(await push.connection());
      await next.disconnect();
    });

    it('ends the connection of a client that leaves its upload open', async () => {
      const pusher = await Pusher.in(world);
      const push = SlowPush.begin(world, pusher, '1.0');
      await push.send(Buffer.alloc(LIMIT + 1));
      expect(await push.answer()).toMatchObject(tooLarge);
      await push.wasCut();
    });
  });

  describe('whose upload is interrupted', () => {
    it.each([
      ['by its announced length', { 'content-length': 40_000 }, []],
      ['in pieces', {}, []],
      ['in a form', asForm, [fileHead]],
      ['in a form by its announced length', { ...asForm, 'content-length': 40_000 }, [fileHead]],
    ])('leaves nothing behind: sent %s', async (_, type, head) => {
      const kept = await blobFiles.blobs();
      const pusher = await Pusher.in(world);
      const zip = await packageOfSize(30_000);
      const push = SlowPush.begin(world, pusher, '1.0', type);
      for (const piece of [...head, zip]) await push.send(piece);
      await until('the upload is under way', async () => (await blobFiles.uploads()).length === 1);
      await push.disconnect();
      await until('the upload is forgotten', async () => (await blobFiles.uploads()).length === 0);
      expect(await blobFiles.blobs()).toEqual(kept);
      expect(await blobFiles.artifacts(pusher.extension)).toBe(0);
      expect(world.log.filter((line) => /"level":"(warn|error|fatal)"/.test(line))).toEqual([]);
      expectStatus(await pusher.push('1.0', zip), 201);
    });

    it('can be one whose extension was deleted meanwhile', async () => {
      const kept = await blobFiles.blobs();
      const pusher = await Pusher.in(world);
      const zip = await packageOf('1.0', { name: 'Too late' });
      const push = SlowPush.begin(world, pusher, '1.0', { 'content-length': zip.length });
      await push.send(zip.subarray(0, 100));
      await until('the upload is under way', async () => (await blobFiles.uploads()).length === 1);
      await pusher.deleteExtension();
      push.end(zip.subarray(100));
      expect(await push.answer()).toMatchObject({ status: 404, body: { code: 'extension_not_found' } });
      expect(await leftOvers()).toEqual(kept);
      await push.disconnect();
    });
  });
});
