import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/app.js';
import { Pusher } from './pusher.js';
import { Shelf } from './shelf.js';
import { SlowPush } from './slow-push.js';

const LIMIT = 64 * 1024;
const BOUNDARY = 'edge-of-a-part';

const tooLarge = { status: 413, body: { code: 'artifact_too_large', limit: LIMIT } };
const asForm = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const opening = (name = 'package.zip'): Buffer =>
  Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/zip\r\n\r\n`,
  );

describe('a package beyond the limit', () => {
  let world: World;
  let shelf: Shelf;
  beforeAll(async () => {
    world = await startWorld({ env: { ARTIFACT_MAX_BYTES: String(LIMIT) } });
    shelf = new Shelf(world);
  });
  afterAll(() => world.close());

  it('is refused by its announced size, before a byte of it was sent', async () => {
    const pusher = await Pusher.in(world);
    const push = SlowPush.begin(world, pusher, '1.0', { 'content-length': 2_000_000_000 });
    expect(await push.answer()).toMatchObject(tooLarge);
    await push.disconnect();
  });

  it('is refused as a form by its announced size, before a byte of it was sent', async () => {
    const pusher = await Pusher.in(world);
    const push = SlowPush.begin(world, pusher, '1.0', { ...asForm, 'content-length': 2_000_000_000 });
    expect(await push.answer()).toMatchObject(tooLarge);
    await push.disconnect();
  });

  it('of unknown size is refused as soon as it passes the limit, while the client still sends', async () => {
    const pusher = await Pusher.in(world);
    const push = SlowPush.begin(world, pusher, '1.0');
    await push.send(Buffer.alloc(LIMIT + 1));
    expect(await push.answer()).toMatchObject(tooLarge);
    await push.disconnect();
    expect(await shelf.uploads()).toEqual([]);
  });

  it('of unknown size in a form is refused as soon as it passes the limit', async () => {
    const pusher = await Pusher.in(world);
    const push = SlowPush.begin(world, pusher, '1.0', asForm);
    await push.send(opening());
    await push.send(Buffer.alloc(LIMIT + 1024));
    expect(await push.answer()).toMatchObject(tooLarge);
    await push.disconnect();
    expect(await shelf.uploads()).toEqual([]);
  });

  it('cuts the connection of a client that does not stop sending', async () => {
    const pusher = await Pusher.in(world);
    const push = SlowPush.begin(world, pusher, '1.0');
    await push.send(Buffer.alloc(LIMIT + 1));
    expect(await push.answer()).toMatchObject(tooLarge);
    await push.wasCut();
  });
});
