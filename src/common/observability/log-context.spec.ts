import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { makePino } from './log.js';
import { addToLogContext, withLogContext, withoutLogContext } from './log-context.js';

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
      await withLogContext({ tenantId: 't1' }, async () => {
        await turn();
        say('work');
        withLogContext({ targetId: 'x1' }, () => say('part'));
        withoutLogContext(() => say('other'));
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
          withLogContext({ requestId: `of ${tenantId}` }, async () => {
            await turn();
            addToLogContext({ tenantId });
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
