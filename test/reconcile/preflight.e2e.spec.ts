import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PushedFinding } from '../../src/artifacts/findings/findings.dto.js';
import type { FromJson } from '../../sandbox/sandbox-control.js';
import { Pusher } from '../artifacts/pusher.js';
import { startWorld, type World } from '../support/app.js';
import { expectStatus } from '../support/given.js';
import { manifestOf, packageOf } from '../support/packages.js';
import { Author } from './author.js';

type Finding = FromJson<PushedFinding>;

const UPDATE_URL = { update_url: 'https://example.com/updates.xml' };
const LONG = { description: 'd'.repeat(133) };

describe('a version that its store would refuse', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  /** An author with 1.0.0 live, who has pushed 1.1.0 with what Chrome refuses. */
  const refusable = async (changes: object = UPDATE_URL) => {
    const author = await Author.in(world, { published: '1.0.0' });
    const pusher = new Pusher(world, author.mine);
    const api = world.api.as(author.mine);
    const { artifact, findings } = expectStatus(
      await pusher.push('1.1.0', await packageOf('1.1.0', changes)),
      201,
    ).body;
    const listed = async (id: string = artifact.id): Promise<readonly Finding[]> => {
      const { items } = expectStatus(await api.get(`/artifacts/${id}/findings`), 200).body;
      return items.filter(({ store }: Finding) => store === 'chrome');
    };
    const override = (id = 'none') => api.post(`/artifacts/${artifact.id}/findings/${id}/override`);
    return { author, pusher, api, artifact, findings: findings as readonly Finding[], listed, override };
  };

  it('waits for a person before anything is sent, and says what to change', async () => {
    const { author, findings } = await refusable();
    expect(findings).toEqual([
      {
        id: expect.stringMatching(/^chrome-has_update_url-[\da-f]{8}$/),
        store: 'chrome',
        code: 'has_update_url',
        severity: 'refused',
        message: 'The manifest has the key "update_url". Remove it.',
        file: 'manifest.json',
        path: 'update_url',
        source: expect.stringMatching(/^https:/),
        holds: true,
        overriddenAt: null,
        overriddenBy: null,
        acceptedAt: null,
      },
    ]);
    const uploads = (await author.counters())['uploads'];
    expect(await author.plan()).toMatchObject({ step: 'ask_human' });
    const { phase, message, steps } = await author.reconcile();
    expect({ phase, message, steps }).toEqual({
      phase: 'action_required',
      message:
        'The store would refuse version 1.1.0: The manifest has the key "update_url". Remove it. Pierhead holds it. Push a mended package under the same number, for this store alone where others have it, or override the finding.',
      steps: [expect.objectContaining({ step: 'ask_human' })],
    });
    await author.reconcile();
    const { needs } = expectStatus(await world.api.as(author.mine).get('/overview'), 200).body;
    expect(needs).toMatchObject([{ kind: 'held', targetId: author.mine.targetId, version: '1.1.0', url: null }]);
    expect((await author.counters())['uploads']).toBe(uploads);
    expect(await author.notifications()).toEqual(['action_required 1.1.0']);
  });

  it('leaves its number free for the mended package', async () => {
    const { author, pusher } = await refusable();
    await author.reconcile();
    expectStatus(await pusher.push('1.1.0', await packageOf('1.1.0')), 201);
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    expect(await author.releases()).toEqual(['1.1.0 in_review']);
  });

  it('is sent once a person has overridden each finding, and no longer held once the store has taken it', async () => {
    const { author, pusher, api, listed, override } = await refusable({ ...UPDATE_URL, ...LONG });
    const decided = async (version: string) => {
      const checked = { manifest: manifestOf(version), size: 1, sha256: 'a'.repeat(64) };
      return expectStatus(await api.post(`/artifacts/check?extension=${pusher.extension}`, checked), 200).body
        .decisions;
    };
    await author.reconcile();
    const [first, second] = await listed();
    const answer = expectStatus(await override(first?.id), 200).body;
    expect(answer).toMatchObject({ id: first?.id, holds: false, overriddenBy: 'CI', acceptedAt: null });
    expect(await decided('1.1.0')).toMatchObject([{ findingId: first?.id, overriddenBy: 'CI', acceptedAt: null }]);
    expect(await decided('1.2.0')).toEqual([]);
    expect(await author.reconcile()).toMatchObject({
      phase: 'action_required',
      message: expect.stringContaining('The description has 133 characters'),
    });
    expectStatus(await override(second?.id), 200);
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    const taken = { holds: false, acceptedAt: world.clock.now().toISOString() };
    expect(await listed()).toMatchObject([taken, taken]);
    const { acceptedAt } = taken;
    expect(await decided('1.2.0')).toMatchObject([
      { findingId: first?.id, acceptedAt },
      { findingId: second?.id, acceptedAt },
    ]);

    await author.act('approve');
    await author.reconcile();
    const next = await packageOf('1.2.0', { ...UPDATE_URL, ...LONG });
    const pushed = expectStatus(await pusher.push('1.2.0', next), 201).body;
    expect(pushed.warning).toBeUndefined();
    expect(pushed.findings).toMatchObject([taken, taken]);
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
  });

  it('is held again under the next number while no store has taken it', async () => {
    const { author, pusher, findings, override } = await refusable();
    expectStatus(await override(findings[0]?.id), 200);
    await author.fault('upload', {
      times: 1,
      kind: 'status',
      status: 400,
      body: { error: { code: 400, message: 'Invalid package.', status: 'INVALID_ARGUMENT' } },
    });
    expect((await author.reconcile()).phase).not.toBe('in_review');
    expectStatus(await pusher.push('1.2.0', await packageOf('1.2.0', UPDATE_URL)), 201);
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
  });

  it('is held under the next number where the store has taken the mended package', async () => {
    const { author, pusher, findings, override } = await refusable();
    expectStatus(await override(findings[0]?.id), 200);
    expectStatus(await pusher.push('1.1.0', await packageOf('1.1.0')), 201);
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    await author.act('approve');
    await author.reconcile();
    expectStatus(await pusher.push('1.2.0', await packageOf('1.2.0', UPDATE_URL)), 201);
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
  });

  it('is told while another version is in review, too', async () => {
    const author = await Author.in(world, { published: '1.0.0' });
    const pusher = new Pusher(world, author.mine);
    expectStatus(await pusher.push('1.1.0', await packageOf('1.1.0')), 201);
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
    expectStatus(await pusher.push('1.2.0', await packageOf('1.2.0', UPDATE_URL)), 201);
    expect(await author.reconcile()).toMatchObject({
      phase: 'action_required',
      message: expect.stringMatching(/^The store would refuse version 1\.2\.0: /),
    });
  });

  it('lets an older version that is approved meanwhile go live, and says only once that it is held', async () => {
    const author = await Author.in(world, { published: '1.0.0' });
    const pusher = new Pusher(world, author.mine);
    expectStatus(await pusher.push('1.1.0', await packageOf('1.1.0')), 201);
    await author.reconcile();
    expectStatus(await pusher.push('1.2.0', await packageOf('1.2.0', UPDATE_URL)), 201);
    await author.reconcile();
    await author.act('approve');
    await author.reconcile();
    expect(await author.reconcile()).toMatchObject({ phase: 'action_required' });
    expect((await author.target()).status.liveVersion).toBe('1.1.0');
    const { needs } = expectStatus(await world.api.as(author.mine).get('/overview'), 200).body;
    expect(needs).toMatchObject([{ kind: 'held', version: '1.2.0' }]);
    expect(await author.notifications()).toEqual(['action_required 1.2.0', 'live 1.1.0']);
  });

  it('is overridden once, however often that is asked at once', async () => {
    const { author, findings, override } = await refusable();
    const answers = await Promise.all(Array.from({ length: 4 }, () => override(findings[0]?.id)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await author.history()).filter((kind) => kind === 'finding_overridden')).toHaveLength(1);
  });

  it('is sent where the target says so', async () => {
    const { author } = await refusable();
    await author.set({ preflight: 'off' });
    expect(await author.target()).toMatchObject({ preflight: 'off' });
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
  });

  it('does not wait for what only another store refuses', async () => {
    const { author } = await refusable({ key: 'MIIB' });
    expect(await author.reconcile()).toMatchObject({ phase: 'in_review' });
  });

  it('has nothing to override in a warning, in nothing, and for no other tenant', async () => {
    const { api, artifact, listed, findings } = await refusable({ ...UPDATE_URL, key: 'MIIB' });
    const key = (await listed()).find(({ code }) => code === 'has_key');
    const path = `/artifacts/${artifact.id}/findings`;
    expect(await api.post(`${path}/${key?.id}/override`)).toMatchObject({
      status: 409,
      body: { code: 'finding_holds_nothing' },
    });
    expect(await api.post(`${path}/chrome-none-00000000/override`)).toMatchObject({
      status: 404,
      body: { code: 'finding_not_found' },
    });
    const stranger = world.api.as(await world.given.tenant());
    expect(await stranger.post(`${path}/${findings[0]?.id}/override`)).toMatchObject({
      status: 404,
      body: { code: 'artifact_not_found' },
    });
  });
});
