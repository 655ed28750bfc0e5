import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RequestPipe } from '../../common/http/index.js';
import { Problem } from '../../common/problems/index.js';
import { PING_LENGTHS, PingInput } from '../analytics.dto.js';
import { readPing } from './ping-input.js';

const pipe = new RequestPipe();

/** The faults that are named, by field; none when the ping is taken. */
async function faultsOf(read: () => unknown): Promise<unknown> {
  try {
    await read();
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [...(error.extras.errors ?? [])].toSorted((one, other) => (one.field < other.field ? -1 : 1));
  }
}

describe('reading a ping', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 140 }),
    fc.string({ unit: fc.constantFrom('a', '\0', '\ud800', '💥', '\ufe0f'), minLength: 30, maxLength: 140 }),
    fc.constantFrom<unknown>('', ' ', null, 1, true, [], {}, ['a']),
  );
  const valid = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 });
  const fields = Object.keys(PING_LENGTHS) as (keyof typeof PING_LENGTHS)[];
  const bodies = fc.record(Object.fromEntries(fields.map((field) => [field, fc.oneof(valid, odd)])), {
    requiredKeys: [],
  });

  it('says exactly what validation by its DTO says, of whatever comes', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const byDto = await faultsOf(() => pipe.transform({ ...body }, { type: 'body', metatype: PingInput }));
        expect(await faultsOf(() => readPing(body))).toEqual(byDto);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([null, [], 'text', 1, true])('refuses %j, which is no object', async (body) => {
    expect(await faultsOf(() => readPing(body))).toEqual([{ field: '', message: 'The body must be a JSON object.' }]);
  });

  it('ignores what it does not know', () => {
    const body = JSON.parse(
      '{"installId":"a","extensionId":"b","version":"c","more":{},"__proto__":{"language":1}}',
    ) as unknown;
    expect(readPing(body)).toMatchObject({ installId: 'a', extensionId: 'b', version: 'c' });
  });
});
