import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../sandbox.js';
import { FirefoxControl } from './firefox-control.js';

describe('ratings of an add-on', () => {
  let sandbox: Sandbox;
  let sim: FirefoxControl;
  beforeAll(async () => {
    sandbox = await createSandbox();
    sim = new FirefoxControl(sandbox.url);
  });
  afterAll(() => sandbox.close());

  const rating = (id: number, score: number, body: string | null): object => ({
    id,
    score,
    body,
    user: 'Ann',
    version: '1.0.0',
    created: new Date(id * 60_000).toISOString(),
    reply: id === 1 ? 'Thanks' : null,
  });
  const addon = async (live?: string): Promise<string> => {
    const { issuer } = await sim.firefoxAccount();
    const ratings = Array.from({ length: 60 }, (_, at) => rating(at + 1, 1 + (at % 5), at % 2 === 0 ? 'Good' : null));
    return (await sim.addon({ issuer, live, ratings } as never)).guid;
  };
  const ask = async (query: string) => {
    const answer = await fetch(`${sandbox.url}/api/v5/ratings/rating/?${query}`);
    return {
      status: answer.status,
      body: (await answer.json()) as Record<string, never> & { results: { id: number }[] },
    };
  };

  it('are listed for everybody, newest first, 25 at a time and at most 50', async () => {
    const guid = encodeURIComponent(await addon('1.0.0'));
    const { body } = await ask(`addon=${guid}`);
    expect(body).toMatchObject({ count: 60, page_size: 25, page_count: 3, previous: null });
    expect(body.results[0]).toMatchObject({ id: 60, score: 5, body: null, reply: null, user: { name: 'Ann' } });
    expect((await ask(`addon=${guid}&page_size=1000`)).body.results).toHaveLength(50);
    const texts = await ask(`addon=${guid}&filter=without_empty_body&page_size=50&show_grouped_ratings=true`);
    expect(texts.body).toMatchObject({ count: 30, next: null, grouped_ratings: { 1: 12, 5: 12 } });
    expect(texts.body.results.at(-1)).toMatchObject({ id: 1, reply: { body: 'Thanks', is_developer_reply: true } });
    expect((await ask(`addon=${guid}&score=1,2`)).body).toMatchObject({ count: 24 });
  });

  it('are refused without an add-on, of one that is unknown or not public, and beyond the last page', async () => {
    expect((await ask('')).status).toBe(400);
    expect((await ask('addon=nobody')).status).toBe(404);
    expect((await ask(`addon=${encodeURIComponent(await addon())}`)).status).toBe(401);
    const guid = encodeURIComponent(await addon('1.0.0'));
    expect((await ask(`addon=${guid}&page=4`)).body).toEqual({ detail: 'Invalid page.' });
  });
});
