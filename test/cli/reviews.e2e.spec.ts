import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SafariControl } from '../../sandbox/safari/safari-control.js';
import { ListingsWorker, startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { authorAt, type Author } from './author.js';

describe('reviews at the shell', () => {
  let world: World;
  let author: Author;
  beforeAll(async () => {
    world = await startWorld();
    author = await authorAt(world, ['chrome', 'safari']);
  });
  afterAll(async () => {
    await author.shell.close();
    await world.close();
  });

  const run = async (...args: readonly string[]) => {
    const said = await author.shell.run(args);
    return { ...said, stdout: said.stdout.replaceAll(/ +/g, ' ') };
  };

  it('are listed, filtered, answered and marked as read', async () => {
    expect(await run('reviews')).toMatchObject({ code: 0, stdout: 'There is no such review.\n' });
    const { targets } = expectStatus(
      await world.api.as(author).get(`/extensions/${author.extensionId}/targets`),
      200,
    ).body;
    const itemAt = (wanted: string): string =>
      targets.find(({ store }: { readonly store: string }) => store === wanted).storeItemId;
    await world.control.patch(itemAt('chrome'), {
      reviews: [{ id: 'a', rating: 4, comment: 'Nice', author: 'Ben', createTime: '2026-01-02T10:00:00Z' }],
    });
    await new SafariControl(world.sandbox.url).patch(itemAt('safari'), {
      customerReviews: [{ id: 'b', rating: 2, title: 'Broken', body: 'No tabs', createdDate: '2026-01-01T10:00:00Z' }],
    });
    await world.app.get(ListingsWorker).tick();
    const { stdout } = await run('reviews');
    expect(stdout).toMatch(/★★★★☆ Chrome Ben unread .* Nice/);
    expect(stdout).toMatch(/★★☆☆☆ Safari Somebody unread .* Broken: No tabs/);
    const low = JSON.parse((await run('reviews', 'list', '--max-stars', '2', '--store', 'safari', '--json')).stdout);
    expect(low.items).toHaveLength(1);
    const { id } = low.items[0];
    const answered = await run('reviews', 'answer', id, '--text', 'Mended.');
    expect(answered).toMatchObject({ code: 0, stdout: 'The store has the answer, and shows it soon.\n' });
    expect((await run('reviews', '--unanswered')).stdout).not.toContain('Broken');
    expect(await run('reviews', 'read', id)).toMatchObject({ code: 0, stdout: 'Marked one review as read.\n' });
    expect((await run('reviews', '--unread')).stdout).not.toContain('Broken');
    expect(await run('reviews', 'read', '--all', '-e', author.name)).toMatchObject({
      stdout: 'Marked one review as read.\n',
    });
    expect(await run('reviews', 'answer', id, '--withdraw')).toMatchObject({ stdout: 'Took the answer back.\n' });
  });

  it('that a store lets people alone answer say where', async () => {
    const [chrome] = JSON.parse((await run('reviews', '--store', 'chrome', '--json')).stdout).items;
    const refused = await run('reviews', 'answer', chrome.id, '--text', 'Thanks');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(chrome.answerUrl) });
  });

  it.each([
    [['read']],
    [['read', 'an-id', '--all']],
    [['read', 'an-id', '-e', 'Night Owl']],
    [['answer', 'an-id']],
    [['answer', 'an-id', '--text', 'x', '--withdraw']],
    [['list', '--max-stars', '6']],
  ])('refuse %j as wrong usage', async (args) => {
    expect(await run('reviews', ...args)).toMatchObject({ code: 2 });
  });
});
