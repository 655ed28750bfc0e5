import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, type World, Transactions } from '../support/app.js';
import { SECOND } from '../support/clock.js';
import { Author, stepsOf } from './author.js';
import { CallGate, type HeldCall } from './call-gate.js';

describe('several at once', () => {
  let gate: CallGate;
  let world: World;
  /** A second process on the same database. */
  let other: World;
  beforeAll(async () => {
    gate = await CallGate.start();
    world = await startWorld({ env: gate.env });
    gate.leadTo(world.sandbox.url);
    other = await startWorld({ with: world, env: gate.env });
  });
  afterAll(async () => {
    await other.close();
    await world.close();
    await gate.close();
  });

  const ready = async (wish: object = {}) => {
    const author = await Author.in(world, wish);
    await author.push('1.0.0');
    return author;
  };

  /** Reconciles, and comes back when the store is being called so; the call goes on when it is let. */
  const inTheMiddleOf = async (author: Author, call: string, side: 'before' | 'after' = 'before') => {
    const held = gate.hold(call === 'token' ? '/token' : `${author.mine.itemId}:${call}`, side);
    const reconciling = author.reconcile();
    await held.reached;
    await world.forward(SECOND);
    return { reconciling, goOn: () => goOn(held, reconciling) };
  };

  const goOn = async <T>(held: HeldCall, work: Promise<T>): Promise<T> => {
    held.open();
    return work;
  };

  const sentOnce = async (author: Author) => {
    expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 1, submissions: 1, refused: 0 });
    expect((await author.history()).filter((line) => line.startsWith('step_'))).toEqual([
      'step_done upload',
      'step_done submit',
    ]);
    expect(await author.releases()).toEqual(['1.0.0 in_review']);
  };

  const WAIT = [{ step: 'wait', because: 'Another worker is processing this target.', outcome: 'none' }];

  it.each([2, 5])('%i reconciles do what one would, and the others answer wait', async (count) => {
    const author = await ready();
    const { goOn: letGo } = await inTheMiddleOf(author, 'fetchStatus');
    const rest = await Promise.all(Array.from({ length: count - 1 }, () => author.reconcile()));
    for (const answer of rest) expect(answer.steps).toEqual(WAIT);
    expect(stepsOf(await letGo())).toEqual(['upload', 'submit', 'wait']);
    await sentOnce(author);
  });

  it('reconciles and ticks that start at the same moment do what one would', async () => {
    const author = await ready();
    const answers = await Promise.all([
      author.reconcile(),
      world.tick(),
      author.reconcile(),
      other.tick(),
      author.at(other).reconcile(),
    ]);
    expect(answers).toHaveLength(5);
    await sentOnce(author);
  });

  it('a tick skips a target that is being reconciled', async () => {
    const author = await ready();
    const { goOn: letGo } = await inTheMiddleOf(author, 'upload');
    const asked = await author.asked();
    await world.tick();
    await other.tick();
    expect(await author.asked()).toEqual(asked);
    await letGo();
    await sentOnce(author);
  });

  it('two processes that tick at once work on each due target once, and leave none for later', async () => {
    // What PostgreSQL knows of a young table decides how it joins, and taking a row must not depend on that.
    const oneRow = "update pg_class set relpages = 1000, reltuples = 1 where oid = 'target_status'::regclass";
    await world.app.get(Transactions).query(oneRow);
    const authors = await Promise.all(Array.from({ length: 12 }, () => ready()));
    await Promise.all([world.tick(), other.tick(), world.tick()]);
    for (const author of authors) {
      const calls = (await author.asked()).filter((operation) => operation !== 'token');
      expect(calls).toEqual(['fetchStatus', 'upload', 'fetchStatus', 'publish', 'fetchStatus']);
      await sentOnce(author);
    }
  });

  describe('a worker that lost its lock', () => {
    const expire = (author: Author) =>
      world.app
        .get(Transactions)
        .query('update target_status set lease_until = clock_timestamp() where target_id = $1', [author.mine.targetId]);

    it.each([
      ['fetchStatus', 'before'],
      ['upload', 'before'],
      ['upload', 'after'],
      ['publish', 'before'],
      ['publish', 'after'],
    ] as const)(
      'during %s, %s the store acts, writes nothing when it wakes up, and makes no further call',
      async (call, side) => {
        const author = await ready();
        const { goOn: wake } = await inTheMiddleOf(author, call, side);
        await expire(author);
        expect(await author.at(other).reconcile()).toMatchObject({ phase: 'in_review' });
        const left = { status: await author.status(), events: await author.events() };
        const calls = (await author.asked()).length;

        const late = await wake();
        expect(late.steps.map(({ outcome }) => outcome)).not.toContain('failed');
        expect({ status: await author.status(), events: await author.events() }).toEqual(left);
        expect((await author.asked()).length - calls).toBe(side === 'before' ? 1 : 0);
        expect(await author.counters()).toMatchObject({ publishes: 1, submissions: 1 });
        expect(await author.releases()).toEqual(['1.0.0 in_review']);
      },
    );

    it('does not return the lock of its successor', async () => {
      const author = await ready();
      const { goOn: wake } = await inTheMiddleOf(author, 'fetchStatus');
      await expire(author);
      const { goOn: finish } = await inTheMiddleOf(author.at(other), 'upload');
      await wake();
      expect((await author.reconcile()).steps).toEqual(WAIT);
      expect(await finish()).toMatchObject({ phase: 'in_review' });
      await sentOnce(author);
    });
  });

  describe('a tenant who changes something during a step', () => {
    it('other content pushed before the upload is what is published', async () => {
      const author = await ready();
      const { goOn: letGo } = await inTheMiddleOf(author, 'fetchStatus');
      const { artifact } = (await author.push('1.0.0', 'Day Owl')).body;
      expect(await letGo()).toMatchObject({ phase: 'in_review' });
      expect((await author.item()).lastUpload).toMatchObject({ sha256: artifact.sha256 });
      await sentOnce(author);
    });

    it('other content pushed during the upload is refused', async () => {
      const author = await ready();
      const { goOn: letGo } = await inTheMiddleOf(author, 'upload');
      const { status, body } = await author.push('1.0.0', 'Day Owl');
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'version_conflict' });
      expect(await letGo()).toMatchObject({ phase: 'in_review' });
      await sentOnce(author);
    });

    it('a newer version pushed before the upload is the only one uploaded', async () => {
      const author = await ready();
      const { goOn: letGo } = await inTheMiddleOf(author, 'fetchStatus');
      await author.push('1.0.1');
      expect(await letGo()).toMatchObject({ phase: 'in_review' });
      expect(await author.item()).toMatchObject({
        submitted: { package: { version: '1.0.1' } },
        counters: { uploads: 1, submissions: 1 },
      });
    });

    it('a newer version pushed during the upload is the only one submitted', async () => {
      const author = await ready();
      const { goOn: letGo } = await inTheMiddleOf(author, 'upload');
      await author.push('1.0.1');
      expect(await letGo()).toMatchObject({ phase: 'in_review' });
      expect(await author.item()).toMatchObject({
        submitted: { package: { version: '1.0.1' } },
        counters: { uploads: 2, submissions: 1 },
      });
      expect(await author.releases()).toEqual(['1.0.1 in_review', '1.0.0 superseded']);
    });

    it('disabling the target lets the call under way end, and none follows', async () => {
      const author = await ready();
      const { goOn: letGo } = await inTheMiddleOf(author, 'upload');
      await author.set({ enabled: false });
      await letGo();
      expect(await author.status()).toMatchObject({ phase: 'disabled', nextCheckAt: null });
      expect(await author.counters()).toMatchObject({ uploads: 1, publishes: 0 });
      const asked = await author.asked();
      await world.tick();
      expect(await author.asked()).toEqual(asked);
    });

    it('a credential rotated while the store refuses the old one is used at once', async () => {
      const author = await ready();
      await author.revoke();
      const { goOn: letGo } = await inTheMiddleOf(author, 'token');
      await author.rotate();
      await letGo();
      await world.tick();
      expect(await author.status()).toMatchObject({ phase: 'in_review' });
    });

    it.each(['fetchStatus', 'upload', 'publish'])(
      'and deletes the extension during %s: the call in hand ends, and none follows',
      async (call) => {
        const author = await ready();
        const { goOn: letGo } = await inTheMiddleOf(author, call);
        const asked = await author.asked();
        const { token, extensionId } = author.mine;
        expect((await world.api.as({ token }).delete(`/extensions/${extensionId}`)).status).toBe(204);
        await letGo();
        await world.tick();
        expect(await author.asked()).toEqual([...asked, call]);
        expect((await world.api.as({ token }).post(`/extensions/${extensionId}/reconcile`)).status).toBe(404);
        expect(world.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
      },
    );
  });
});
