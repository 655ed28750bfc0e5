import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World, DataSource } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { Pusher, sha256Of } from './pusher.js';
import { BlobFiles, until } from './blob-files.js';
import { SlowPush } from './slow-push.js';

const BOUNDARY = 'edge-of-a-part';

/** A form as its bytes, which a test may then spoil. */
const formOf = (...parts: readonly (readonly [head: string, content: Uint8Array | string])[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(([head, content]) => [
      Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);

const FILE = 'content-disposition: form-data; name="file"; filename="owl.zip"\r\ncontent-type: application/zip';
const FIELD = 'content-disposition: form-data; name="note"';

describe('a package', () => {
  let world: World;
  let blobFiles: BlobFiles;
  beforeAll(async () => {
    world = await startWorld();
    blobFiles = new BlobFiles(world);
  });
  afterAll(() => world.close());

  const pushForm = (pusher: Pusher, form: Buffer, type = `multipart/form-data; boundary=${BOUNDARY}`) =>
    pusher.sends({ version: '1.0' }, form, type);

  describe('as the file of a form', () => {
    it('is accepted as any client sends it', async () => {
      const pusher = await Pusher.in(world);
      const zip = await packageOf('1.0', { name: 'In a form' });
      const form = new FormData();
      form.append('comment', 'from CI');
      form.append('package', new Blob([new Uint8Array(zip)], { type: 'application/zip' }), 'owl.zip');
      form.append('after', 'x'.repeat(100_000));
      for (let more = 2; more < 20; more += 1) form.append(`field ${more}`, 'x');
      const { artifact } = expectStatus(await pusher.sends({ version: '1.0' }, form), 201).body;
      expect(artifact).toMatchObject({ sha256: sha256Of(zip), size: zip.length });
      expectStatus(await pusher.push('1.0', zip), 200);
    });

    it('is stored byte by byte, however it is split into chunks', async () => {
      const pusher = await Pusher.in(world);
      const zip = await packageOf('1.0', { name: 'In pieces' });
      const form = formOf([FIELD, 'x'], [FILE, zip]);
      const push = SlowPush.begin(world, pusher, '1.0', {
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': form.length,
      });
      for (let at = 0; at < form.length; at += 97) await push.send(form.subarray(at, at + 97));
      push.end();
      expect(expectStatus(await push.answer(), 201).body.artifact.sha256).toBe(sha256Of(zip));
      await push.disconnect();
    });

    it.each<[string, (zip: Buffer) => Buffer, number, string, string]>([
      ['without a file', () => formOf([FIELD, 'x']), 400, 'artifact_required', 'Send the zip as the request body'],
      ['without any part', () => formOf(), 400, 'artifact_required', 'Send the zip as the request body'],
      [
        'with a hundred fields before its file',
        (zip) => formOf(...Array.from({ length: 100 }, () => [FIELD, 'x'] as const), [FILE, zip]),
        400,
        'invalid_request',
        'too many fields',
      ],
      ['with an empty file', () => formOf([FILE, '']), 400, 'artifact_required', 'Send the zip as the request body'],
      [
        'with two files',
        (zip) => formOf([FILE, zip], [FILE, zip]),
        400,
        'invalid_request',
        'must have exactly one file',
      ],
      [
        'with an empty second file',
        (zip) => formOf([FILE, zip], [FILE, '']),
        400,
        'invalid_request',
        'must have exactly one file',
      ],
      ['with a file that is no zip', () => formOf([FILE, 'hello']), 422, 'invalid_archive', 'not a zip'],
      [
        'that breaks off in its file',
        (zip) => formOf([FILE, zip]).subarray(0, 300),
        400,
        'invalid_request',
        'malformed',
      ],
      [
        'that breaks off in a field',
        () => formOf([FIELD, 'some words']).subarray(0, 70),
        400,
        'invalid_request',
        'malformed',
      ],
      ['without its last line', (zip) => formOf([FILE, zip]).subarray(0, -6), 400, 'invalid_request', 'malformed'],
      [
        'with a broken header',
        (zip) => formOf(['content-disposition form-data', zip]),
        400,
        'invalid_request',
        'malformed',
      ],
      ['that is no form', () => Buffer.from('hello'), 400, 'invalid_request', 'malformed'],
    ])('is refused %s', async (_, make, status, code, words) => {
      const pusher = await Pusher.in(world);
      const answer = await pushForm(pusher, make(await packageOf('1.0')));
      expect(answer).toMatchObject({ status, body: { code, detail: expect.stringContaining(words) } });
      expect(await pusher.list()).toEqual([]);
      expect(await blobFiles.uploads()).toEqual([]);
    });

    it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary="'])(
      'is refused as %s, without the line between its parts',
      async (type) => {
        const pusher = await Pusher.in(world);
        const answer = await pushForm(pusher, formOf([FILE, await packageOf('1.0')]), type);
        expect(answer).toMatchObject({
          status: 400,
          body: { code: 'invalid_request', detail: expect.stringContaining('The form cannot be read') },
        });
        expect(await blobFiles.uploads()).toEqual([]);
      },
    );
  });

  it.each(['application/zip', `multipart/form-data; boundary=${BOUNDARY}`])(
    'as %s of a client who leaves before it is read leaves nothing behind',
    async (type) => {
      const pusher = await Pusher.in(world);
      const server: Server = world.app.getHttpServer();
      const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
      const busy = world.app.get(DataSource).createQueryRunner();
      await busy.startTransaction();
      await busy.query('lock table extension in access exclusive mode');
      const push = SlowPush.begin(world, pusher, '1.0', { 'content-type': type, 'content-length': 1_000 });
      const [request, response] = await asked;
      await push.send(Buffer.from(`--${BOUNDARY}\r\n`));
      await push.disconnect();
      await until('the service knows that he has left', () => request.destroyed);
      await busy.rollbackTransaction();
      await busy.release();
      await until('the push has ended', () => response.writableEnded);
      expect(response.statusCode).toBe(400);
      expect(await blobFiles.uploads()).toEqual([]);
    },
  );

  it.each([
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/mixed; boundary=x',
    'application/zipper',
    'zip',
  ])('as %s has an unsupported type', async (type) => {
    const pusher = await Pusher.in(world);
    const answer = await pusher.sends({ version: '1.0' }, await packageOf('1.0'), type);
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it('without a type has an unsupported type', async () => {
    const pusher = await Pusher.in(world);
    const path = `/artifacts?extension=${pusher.extension}&version=1.0`;
    const raw = new Uint8Array(await packageOf('1.0'));
    expect(await world.api.as(pusher.mine).post(path, undefined, { raw })).toMatchObject({ status: 415 });
  });

  it.each(['gzip', 'br', 'zip, gzip'])(
    'encoded once more as %s is refused, and the answer says why',
    async (encoding) => {
      const pusher = await Pusher.in(world);
      const answer = await world.api
        .as(pusher.mine)
        .post(`/artifacts?extension=${pusher.extension}&version=1.0`, undefined, {
          raw: new Uint8Array(gzipSync(await packageOf('1.0'))),
          headers: { 'content-type': 'application/zip', 'content-encoding': encoding },
        });
      expect(answer).toMatchObject({
        status: 415,
        body: { code: 'unsupported_media_type', detail: 'Send the package as it is, without a Content-Encoding.' },
      });
    },
  );

  it('of unknown length is accepted in chunks', async () => {
    const pusher = await Pusher.in(world);
    const zip = await packageOf('1.0', { name: 'Chunked' });
    const push = SlowPush.begin(world, pusher, '1.0', { 'content-encoding': 'identity' });
    await push.send(zip.subarray(0, 10));
    await push.send(zip.subarray(10, 100));
    push.end(zip.subarray(100));
    expect(expectStatus(await push.answer(), 201).body.artifact.sha256).toBe(sha256Of(zip));
    await push.disconnect();
  });

  it('of unknown length that turns out to be empty is refused as missing', async () => {
    const pusher = await Pusher.in(world);
    const push = SlowPush.begin(world, pusher, '1.0');
    push.end();
    expect(await push.answer()).toMatchObject({ status: 400, body: { code: 'artifact_required' } });
    await push.disconnect();
  });

  it('is awaited when the client sends Expect: 100-continue', async () => {
    const pusher = await Pusher.in(world);
    const zip = await packageOf('1.0', { name: 'After 100 Continue' });
    const push = SlowPush.begin(world, pusher, '1.0', { expect: '100-continue', 'content-length': zip.length });
    await push.invited();
    push.end(zip);
    expect(expectStatus(await push.answer(), 201).body.artifact.sha256).toBe(sha256Of(zip));
    await push.disconnect();
  });
});
