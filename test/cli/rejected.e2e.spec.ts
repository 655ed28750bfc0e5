import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World } from '../support/app.js';
import { refusedUpload } from '../reconcile/author.js';
import { authorAt, whileWorking, type Author } from './author.js';

describe('a version that its store rejected', () => {
  let world: World;
  let author: Author;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  afterEach(() => author.shell.close());

  const run = (...args: readonly string[]) => author.shell.run(args);
  const push = async (version: string, changes = {}): Promise<void> => {
    const { code, stderr } = await run('push', await author.pack(version, changes), '--no-lint', '--yes');
    expect([code, stderr]).toEqual([0, expect.any(String)]);
  };
  /** The pinned version is rejected, and the service knows. */
  const reject = async (): Promise<void> => {
    const { storeItemId } = author.testStore('chrome').settings;
    await author.testStore('chrome').review(null);
    await push('1.1.0', { permissions: ['storage', 'tabs'] });
    const reconcile = () => world.api.as(author).post(`/extensions/${author.extensionId}/reconcile`);
    await reconcile();
    await world.control.act(storeItemId, 'reject');
    await reconcile();
  };

  it('is explained with its reason, what changed and the commands that lead on', async () => {
    author = await authorAt(world, ['chrome']);
    await push('1.0.0');
    expect(await whileWorking(world, author.shell.start(['watch']))).toMatchObject({ code: 0 });
    expect(await run('rejected')).toMatchObject({
      code: 0,
      stdout: 'No store has rejected the pinned version of Night Owl.\n',
    });
    expect((await run('diff')).stdout).toMatch(/^No version below 1\.0\.0 was pushed/);
    expect(await run('rejected', 'chrome', '--reason', 'x')).toMatchObject({ code: 1 });
    await reject();
    expect((await run('status', author.name)).stdout).toContain('pierhead rejected');
    expect((await run('rejected')).stdout).toMatch(
      /^Chrome rejected 1\.1\.0:\n {2}Its API gives no reason; [^]+\n {2}https:\/\/[^]+\nSince 1\.0\.0, which is live:\n {2}Permissions\n {4}\+ tabs\n[^]+\nWays on:\n {2}pierhead rejected chrome --reason-file -[^]+\n {2}pierhead push [^]+\n {2}pierhead resubmit chrome [^]+\n {2}pierhead rejected chrome --take-back {4}stay at 1\.0\.0\n$/,
    );
    await author.shell.write('mail.txt', 'Purple Potassium.\nThe permission "tabs" is not used.\n');
    expect(await run('rejected', 'chrome', '--reason-file', 'mail.txt')).toMatchObject({
      code: 0,
      stdout: 'Recorded why Chrome rejected 1.1.0.\n',
    });
    expect((await run('rejected', 'chrome')).stdout).toContain(
      '\n  Purple Potassium.\n  The permission "tabs" is not used.\n  (recorded by ',
    );
    const { items } = await author.shell.json(['rejected']);
    expect(items).toMatchObject([
      {
        version: '1.1.0',
        refusal: null,
        changes: { permissions: { added: ['tabs'] } },
        rejection: { waysOn: ['push', 'resubmit', 'take_back'] },
      },
    ]);
    const diff = await run('diff', '1.1.0', '--since', '1.0.0');
    expect(diff).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1\.1\.0 since 1\.0\.0:\n {2}Permissions\n/),
    });
    expect((await run('diff')).stdout).toBe(diff.stdout);
    expect(await run('diff', '9.0.0')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('9.0.0 is not among'),
    });

    expect(await run('rejected', 'chrome', '--reason', 'a', '--take-back')).toMatchObject({ code: 2 });
    expect(await run('rejected', '--take-back')).toMatchObject({ code: 2 });
    expect(await run('rejected', 'chrome', '--take-back')).toMatchObject({
      code: 0,
      stdout: 'Chrome stays at 1.0.0; 1.1.0 was given up there.\n',
    });
    expect(await whileWorking(world, author.shell.start(['watch']))).toMatchObject({ code: 0 });
    expect((await run('rejected')).stdout).toMatch(/^No store has rejected/);

    const { storeItemId } = author.testStore('chrome').settings;
    await world.control.fault({ itemId: storeItemId, match: { operation: 'upload' }, ...refusedUpload() });
    await push('1.2.0');
    await world.api.as(author).post(`/extensions/${author.extensionId}/reconcile`);
    expect((await run('rejected')).stdout).toContain(
      '\n  pierhead push    send a mended package, which may keep the number 1.2.0\n',
    );
  });
});
