import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { changesIn, cut, isReady, keysOf } from './changes';

const CHANGE = 'event: change\nid: 7\ndata: {"resource":"targets","extensionId":"e1","id":"t1"}';
const SAID = ['event: ready\ndata: {}', CHANGE, ': still here', 'event: end\r\ndata: {"resource":"licenses"}'];

describe('the stream of changes', () => {
  it('has the same events wherever the network cuts it', () => {
    const line = fc.constantFrom('\n\n', '\r\n\r\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...SAID), line)), fc.array(fc.nat(400)), (said, cuts) => {
        const whole = said.flat().join('');
        const at = [0, ...cuts.filter((one) => one < whole.length).toSorted((one, other) => one - other)];
        const chunks = at.map((from, index) => whole.slice(from, at[index + 1]));
        let rest = '';
        const events = chunks.flatMap((chunk) => {
          const now = cut(rest + chunk);
          rest = now.rest;
          return now.events;
        });
        expect({ events, rest }).toEqual({ events: said.map(([event]) => event), rest: '' });
      }),
    );
  });

  it('tells of changes and of when all are told, and nothing else by other events', () => {
    expect(changesIn(SAID)).toEqual([{ resource: 'targets', extensionId: 'e1', id: 't1' }]);
    expect(SAID.filter(isReady)).toEqual([SAID[0]]);
  });
});

describe('what is asked for again after changes', () => {
  it.each([
    ['nothing after none', [], []],
    ['the resource, and everything at once', [{ resource: 'licenses' }], [['overview'], ['licenses']]],
    [
      'also the extension, and each once',
      [
        { resource: 'targets', extensionId: 'e1' },
        { resource: 'targets', extensionId: 'e2' },
        { resource: 'targets', extensionId: 'e1' },
      ],
      [['overview'], ['targets'], ['extensions', 'e1'], ['extensions', 'e2']],
    ],
  ])('is %s', (_, changes, keys) => {
    expect(keysOf(changes)).toEqual(keys);
  });
});
