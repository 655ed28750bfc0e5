import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import type { Answer } from '../support/api.js';
import { packageOf } from '../support/packages.js';
import { Pusher, sha256Of } from './pusher.js';
import { BlobFiles, until } from './blob-files.js';

const statuses = (answers: readonly Answer[]): readonly number[] =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

describe('pushes at the same moment', () => {
  let world: World;
  let blobFiles: BlobFiles;
  beforeAll(async () => {
    world = await startWorld({ env: { MAX_UPLOADS_AT_ONCE: '10' } });
    blobFiles = new BlobFiles(world);
  });
  afterAll(() => world.close());

  const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  it('of the same content store it once: one reports it as new, the others as deduplicated', async () => {
    const pusher = await Pusher.in(world);
    const zip = await packageOf('1.0', { name: 'Ten at once' });
    const answers = await times(10, () => pusher.push('1.0', zip));
    expect(statuses(answers)).toEqual([...Array<number>(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.artifact.id)).size).toBe(1);
    expect(await pusher.list()).toHaveLength(1);
    expect(await blobFiles.artifacts(pusher.extension)).toBe(1);
    expect(await blobFiles.rows(sha256Of(zip))).toHaveLength(1);
    expect(await blobFiles.blobs(sha256Of(zip))).toHaveLength(1);
    expect(await blobFiles.uploads()).toEqual([]);
  });

  it('of the same content by different tenants store its bytes once, with an artifact for each', async () => {
    const pushers = await times(4, () => Pusher.in(world));
    const zip = await packageOf('1.0', { name: 'Four tenants' });
    const answers = await Promise.all(pushers.map((pusher) => pusher.push('1.0', zip)));
    expect(statuses(answers)).toEqual([201, 201, 201, 201]);
    expect(await blobFiles.rows(sha256Of(zip))).toHaveLength(1);
    expect(await blobFiles.blobs(sha256Of(zip))).toHaveLength(1);
  });

  it('of the same version with different contents end with one of them, whole, and without the bytes of the others', async () => {
    const pusher = await Pusher.in(world);
    const zips = await times(6, (index) => packageOf('1.0', { name: `Contender ${index}` }));
    const answers = await Promise.all(zips.map((zip) => pusher.push('1.0', zip)));
    expect(statuses(answers)).toEqual([201, 201, 201, 201, 201, 201]);
    const [winner, ...others] = await pusher.list();
    expect(others).toEqual([]);
    const losers = zips.map(sha256Of).filter((sha256) => sha256 !== winner?.sha256);
    expect(losers).toHaveLength(5);
    for (const sha256 of losers)
      await until(`the bytes of ${sha256} are gone`, async () => (await blobFiles.blobs(sha256)).length === 0);
    for (const sha256 of losers) expect(await blobFiles.rows(sha256)).toEqual([]);
    const { bytes } = await pusher.download(winner?.id ?? '');
    expect(sha256Of(bytes)).toBe(winner?.sha256);
  });

  it('of consecutive versions are all stored', async () => {
    const pusher = await Pusher.in(world);
    const zips = await times(8, (index) => packageOf(`1.${index}`));
    expect(statuses(await times(8, (index) => pusher.push(`1.${index}`, zips[index])))).toEqual(Array(8).fill(201));
    expect((await pusher.list()).map(({ version }) => version).toSorted()).toEqual(
      zips.map((_, index) => `1.${index}`),
    );
  });

  it('and a reconcile never leave the store with other content than the artifact shows', async () => {
    const mine = await world.given.publishable();
    const pusher = new Pusher(world, mine);
    await pusher.pushed('1.0.0', { name: 'The first' });
    const [answer] = await Promise.all([
      pusher.push('1.0.0', await packageOf('1.0.0', { name: 'The second' })),
      pusher.reconcile(),
    ]);
    expect([201, 409]).toContain(answer.status);
    await pusher.reconcile();
    const { lastUpload } = await world.control.state(mine.itemId);
    const [artifact] = await pusher.list();
    expect(lastUpload?.sha256).toBe(artifact?.sha256);
  });
});
