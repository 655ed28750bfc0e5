import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateKeyPairSync } from 'node:crypto';
import { crxStartOf, signingKeyOf } from '../../src/stores/index.js';
import { Pusher } from '../artifacts/pusher.js';
import { DataSource, startWorld, type World } from '../support/app.js';
import { MINUTE } from '../support/clock.js';
import type { Answer } from '../support/api.js';
import { expectStatus } from '../support/given.js';
import { packageOf } from '../support/packages.js';
import { Author, stepsOf } from './author.js';

const newKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

const expectProblem = (answer: Answer, code: string, status: number): void =>
  expect({ code: answer.body.code, status: answer.status }).toEqual({ code, status });

/** A zip as its author's key signs it. */
async function signed(zip: Buffer, privateKey: string): Promise<Buffer> {
  const pieces = (async function* () {
    yield zip;
  })();
  return Buffer.concat([await crxStartOf(pieces, signingKeyOf(privateKey)), zip]);
}

describe('an item with Verified CRX Uploads', () => {
  const key = newKey();
  const other = newKey();
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  /** An author whose item has opted in with a key, or not. */
  const authorWith = async (item: object = { verifiedCrx: true, verifiedKey: key.publicKey }) => {
    const author = await Author.in(world, { published: '1.0.0', ...item });
    const pusher = new Pusher(world, author.mine);
    const path = `/extensions/${author.mine.extensionId}/targets/${author.mine.targetId}/signing-key`;
    const session = world.api.as({ cookie: author.mine.cookie });
    const keep = (body: object = {}) => session.post(path, body);
    const shown = () => world.api.as(author.mine).get(path);
    const remove = () => session.delete(path);
    return { author, pusher, keep, shown, remove };
  };

  it('takes the .crx that was pushed, as it is', async () => {
    const { author, pusher } = await authorWith();
    const crx = await signed(await packageOf('1.1.0'), key.privateKey);
    const { artifact } = expectStatus(await pusher.push('1.1.0', crx, { store: 'chrome' }), 201).body;
    expect(artifact).toMatchObject({
      format: 'crx',
      store: 'chrome',
      size: crx.length,
      manifest: { name: 'Night Owl' },
    });
    expect(stepsOf(await author.reconcile())).toEqual(['upload', 'submit', 'wait']);
    expect(await author.item()).toMatchObject({
      lastUpload: { version: '1.1.0', size: crx.length, sha256: artifact.sha256, fileName: 'extension.crx' },
    });
    const file = await world.api.as(author.mine).get(`/artifacts/${artifact.id}/download`);
    expect(file.headers.get('content-type')).toBe('application/x-chrome-extension');
    expect(file.headers.get('content-disposition')).toContain('1.1.0.crx');
  });

  it('is remembered when it refuses a zip, and keeps the number free for the .crx', async () => {
    const { author, pusher } = await authorWith();
    expectStatus(await pusher.push('1.1.0', await packageOf('1.1.0')), 201);
    const { phase, message } = await author.reconcile();
    expect({ phase, message }).toEqual({
      phase: 'action_required',
      message: expect.stringContaining('PKG_MUST_UPDATE_AS_CRX'),
    });
    expect(await author.target()).toMatchObject({ signedUploads: true });
    const refused = (await author.counters()).refused;
    const held = await author.reconcile();
    expect(held).toMatchObject({ phase: 'action_required', steps: [{ step: 'ask_human' }] });
    expect(held.message).toContain('takes only packages signed with its author’s key');
    expect((await author.counters()).refused).toBe(refused);
    const crx = await signed(await packageOf('1.1.0', { description: 'Built again.' }), key.privateKey);
    expectStatus(await pusher.push('1.1.0', crx, { store: 'chrome' }), 201);
    expect(stepsOf(await author.reconcile())).toEqual(['upload', 'submit', 'wait']);
  });

  it('gets the zip signed with the key that Pierhead keeps, without anybody in between', async () => {
    const { author, pusher, keep } = await authorWith();
    expect(expectStatus(await keep({ privateKey: key.privateKey }), 201).body).toMatchObject({
      targetId: author.mine.targetId,
      publicKey: key.publicKey,
    });
    const zip = await packageOf('1.1.0');
    expectStatus(await pusher.push('1.1.0', zip), 201);
    expect(await author.reconcile()).toMatchObject({ phase: 'backing_off' });
    await world.forward(5 * MINUTE);
    expect(stepsOf(await author.reconcile())).toEqual(['upload', 'submit', 'wait']);
    const crx = await signed(zip, key.privateKey);
    expect((await author.item()).lastUpload).toMatchObject({ size: crx.length, fileName: 'extension.crx' });
    await author.act('approve');
    await author.reconcile();
    expectStatus(await pusher.push('1.2.0', await packageOf('1.2.0')), 201);
    expect(stepsOf(await author.reconcile())).toEqual(['upload', 'submit', 'wait']);
  });

  it('refuses the signature of another key, and takes the same content signed again', async () => {
    const { author, pusher } = await authorWith();
    const zip = await packageOf('1.1.0');
    expectStatus(await pusher.push('1.1.0', await signed(zip, other.privateKey), { store: 'chrome' }), 201);
    expect(await author.reconcile()).toMatchObject({ phase: 'rejected' });
    await world.forward(MINUTE);
    expectStatus(await pusher.push('1.1.0', await signed(zip, key.privateKey), { store: 'chrome' }), 200);
    expect(stepsOf(await author.reconcile())).toEqual(['upload', 'submit', 'wait']);
  });

  it('sends zips again once it is said to take them', async () => {
    const { author, pusher } = await authorWith();
    expectStatus(await pusher.push('1.1.0', await packageOf('1.1.0')), 201);
    await author.reconcile();
    await author.dashboard({ verifiedCrx: false });
    await author.set({ signedUploads: false });
    expect(stepsOf(await author.reconcile())).toEqual(['upload', 'submit', 'wait']);
    expect((await author.item()).lastUpload).toMatchObject({ fileName: 'extension.zip' });
  });

  it('has one key, which nobody can read', async () => {
    const { author, keep, shown, remove } = await authorWith();
    expectProblem(await shown(), 'signing_key_not_found', 404);
    const made = expectStatus(await keep(), 201);
    expect(made.body.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    expectProblem(await keep(), 'signing_key_exists', 409);
    expectProblem(await keep({ privateKey: other.privateKey }), 'signing_key_exists', 409);
    expect(expectStatus(await shown(), 200).body).toEqual(made.body);
    const [row] = await world.app
      .get(DataSource)
      .query('select * from signing_key where target_id = $1', [author.mine.targetId]);
    expect(JSON.stringify([row, made.body])).not.toContain('PRIVATE KEY');
    expectStatus(await remove(), 204);
    expectProblem(await remove(), 'signing_key_not_found', 404);
    const given = expectStatus(await keep({ privateKey: key.privateKey }), 201);
    expect(expectStatus(await keep({ privateKey: key.privateKey }), 201).body).toEqual(given.body);
    expect((await author.history()).filter((kind) => kind.startsWith('signing_key'))).toEqual([
      'signing_key_added',
      'signing_key_removed',
      'signing_key_added',
    ]);
  });

  it('takes one key when two are made at once', async () => {
    const { keep, shown } = await authorWith();
    const answers = await Promise.all([keep(), keep(), keep()]);
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    expect(expectStatus(await shown(), 200).body).toEqual(made[0]?.body);
  });

  it.each([
    ['garbage', 'garbage'],
    ['a public key', key.publicKey],
    [
      'a short key',
      generateKeyPairSync('rsa', {
        modulusLength: 1024,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      }).privateKey,
    ],
  ])('does not keep %s', async (_what, privateKey) => {
    const { keep, shown } = await authorWith();
    expectProblem(await keep({ privateKey }), 'invalid_request', 400);
    expectProblem(await shown(), 'signing_key_not_found', 404);
  });

  it('belongs to the Chrome Web Store alone', async () => {
    const { author, pusher } = await authorWith();
    const api = world.api.as(author.mine);
    const crx = await signed(await packageOf('1.1.0'), key.privateKey);
    expectProblem(await pusher.push('1.1.0', crx), 'signed_package_elsewhere', 422);
    expectProblem(await pusher.push('1.1.0', crx, { store: 'firefox' }), 'signed_package_elsewhere', 422);
    const { artifact } = expectStatus(await pusher.push('1.1.0', crx, { store: 'chrome' }), 201).body;
    expectProblem(await api.post(`/artifacts/${artifact.id}/pin`, {}), 'signed_package_elsewhere', 422);
    const { targets } = expectStatus(await api.get(`/extensions/${author.mine.extensionId}/targets`), 200).body;
    const edge = targets.find(({ store }: { readonly store: string }) => store === 'edge');
    const path = `/extensions/${author.mine.extensionId}/targets/${edge.id}`;
    expectProblem(await api.patch(path, { signedUploads: true }), 'invalid_request', 400);
    const session = world.api.as({ cookie: author.mine.cookie });
    expectProblem(await session.post(`${path}/signing-key`, {}), 'signing_not_supported', 409);
    // The App Store takes nothing but signed packages, of another kind.
    const safari = targets.find(({ store }: { readonly store: string }) => store === 'safari');
    const refused = await session.post(`/extensions/${author.mine.extensionId}/targets/${safari.id}/signing-key`, {});
    expect(refused.body.detail).toBe('App Store takes no .crx packages, so a key would sign nothing.');
  });

  it('keeps nothing of a .crx that was changed, cut or made up', async () => {
    const { pusher } = await authorWith();
    const crx = await signed(await packageOf('1.1.0'), key.privateKey);
    const changed = Buffer.from(crx);
    changed[crx.length - 200] = (changed[crx.length - 200] ?? 0) ^ 1;
    const made = [
      changed,
      crx.subarray(0, 100),
      crx.subarray(0, -20),
      Buffer.from('Cr24'),
      Buffer.from('Cr24\u0003\0\0\0ÿÿÿÿ', 'latin1'),
    ];
    for (const file of made)
      expectProblem(await pusher.push('1.1.0', file, { store: 'chrome' }), 'invalid_archive', 422);
    expect(await pusher.list()).toEqual([]);
  });
});
