import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { makePino } from '../observability/log.js';
import {
  actAs,
  addToWorkContext,
  currentActor,
  logContext,
  withoutWorkContext,
  withWorkContext,
  workContext,
} from './work-context.js';

describe('a log line', () => {
  const logged = async (work: (say: (msg: string) => void) => unknown): Promise<readonly object[]> => {
    const lines: object[] = [];
    const log = makePino('info', { write: (line) => void lines.push(JSON.parse(line)) });
    await work((msg) => log.info({ msg }));
    return lines.map((line) => ({ ...line, time: undefined, level: undefined }));
  };

  it('carries the fields of the work that it belongs to', async () => {
    const lines = await logged(async (say) => {
      say('outside');
      await withWorkContext({ tenantId: 't1' }, async () => {
        await turn();
        say('work');
        withWorkContext({ targetId: 'x1' }, () => say('part'));
        withoutWorkContext(() => say('other'));
        say('rest');
      });
    });
    expect(lines).toEqual([
      { msg: 'outside' },
      { msg: 'work', tenantId: 't1' },
      { msg: 'part', tenantId: 't1', targetId: 'x1' },
      { msg: 'other' },
      { msg: 'rest', tenantId: 't1' },
    ]);
  });

  it('carries fields that become known later, in its own work only', async () => {
    const lines = await logged((say) =>
      Promise.all(
        ['t1', 't2'].map((tenantId) =>
          withWorkContext({ requestId: `of ${tenantId}` }, async () => {
            await turn();
            addToWorkContext({ tenantId });
            await turn();
            say('line');
          }),
        ),
      ),
    );
    expect(lines).toEqual([
      { msg: 'line', requestId: 'of t1', tenantId: 't1' },
      { msg: 'line', requestId: 'of t2', tenantId: 't2' },
    ]);
  });
});

describe('who acts', () => {
  it('is the service until an actor is known, and in work that is detached from its request', () => {
    expect(currentActor()).toEqual({ kind: 'service' });
    withWorkContext({ requestId: 'r1' }, () => {
      expect(currentActor()).toEqual({ kind: 'service' });
      addToWorkContext({ actor: { kind: 'processor', name: 'stripe' } });
      expect(currentActor()).toEqual({ kind: 'processor', name: 'stripe' });
      actAs({ kind: 'operator', name: 'users' }, () => {
        expect(currentActor()).toEqual({ kind: 'operator', name: 'users' });
        expect(workContext().requestId).toBe('r1');
      });
      withoutWorkContext(() => expect(currentActor()).toEqual({ kind: 'service' }));
    });
  });

  it('is in no log line, and neither is the address', () => {
    const context = { requestId: 'r1', address: '192.0.2.1', actor: { kind: 'buyer' } } as const;
    withWorkContext(context, () => expect(logContext()).toEqual({ requestId: 'r1' }));
  });
});
