import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TimelineEvent } from '../../src/registry/registry.dto.js';
import { Author } from '../reconcile/author.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';

describe('the timeline of an extension', () => {
  let world: World;
  let author: Author;
  beforeAll(async () => {
    world = await startWorld();
    author = await Author.in(world);
    await author.push('1.0.0');
    await author.reconcile();
    await world.given.licensed({ extensionId: author.mine.extensionId }, author.mine);
    await author.set({ watched: false });
  });
  afterAll(() => world.close());

  const list = async (query = ''): Promise<readonly TimelineEvent[]> => {
    const { token, extensionId } = author.mine;
    return expectStatus(await world.api.as({ token }).get(`/extensions/${extensionId}/events?limit=100&${query}`), 200)
      .body.items;
  };
  const kinds = (events: readonly TimelineEvent[]): readonly string[] => events.map(({ kind }) => kind);

  it('names the person or token that did something, and nobody for what a store did', async () => {
    const all = await list();
    const { pushedBy } = expectStatus(
      await world.api.as(author.mine).get(`/artifacts?extension=${author.mine.extensionId}`),
      200,
    ).body.artifacts[0];
    const byOf = (kind: string) => all.find((event) => event.kind === kind)?.by;
    expect(byOf('pinned')).toBe(pushedBy);
    expect(byOf('target_changed')).toBe(pushedBy);
    expect(pushedBy).toEqual(expect.any(String));
    expect(byOf('phase_in_review')).toBeNull();
  });

  it('is filtered by person, and by what it is about', async () => {
    const all = await list();
    const by = all.find(({ kind }) => kind === 'pinned')?.by ?? '';
    const mine = await list(`by=${encodeURIComponent(by)}`);
    expect(mine).toEqual(all.filter((event) => event.by === by));
    expect(kinds(mine)).toEqual(expect.arrayContaining(['pinned', 'target_changed']));
    expect(await list('by=nobody')).toEqual([]);
    const licenses = await list('about=licenses');
    expect(kinds(licenses)).toEqual(kinds(all).filter((kind) => kind.startsWith('license')));
    expect(licenses.length).toBeGreaterThan(0);
    expect(await list('about=publishing')).toEqual(all.filter(({ kind }) => !kind.startsWith('license')));
    expect(kinds(await list('about=publishing&kind=pinned'))).toEqual(['pinned']);
  });
});
