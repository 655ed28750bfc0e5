import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ReadBy, RequestPipe } from '../../common/http/index.js';
import { Problem } from '../../common/problems/index.js';
import { readCheck } from './check-input.js';
import { Check } from './licensing.dto.js';

/** A check that is read by the function; Check itself is read by its decorators here, as every other body is. */
@ReadBy(readCheck)
class ByFunction {}

const removed = (Reflect.getOwnMetadataKeys(Check) as string[]).filter(
  (key) => Reflect.getOwnMetadata(key, Check) === readCheck && Reflect.deleteMetadata(key, Check),
);

const pipe = new RequestPipe();

/** What is read, or the faults that are named, in their order. */
async function outcomeOf(body: unknown, metatype: new () => object): Promise<object> {
  try {
    return { read: { ...((await pipe.transform(body, { type: 'body', metatype })) as object) } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: error.spec.status, errors: error.extras.errors };
  }
}

describe('reading a check', () => {
  it('is done by the function for Check, and here by its decorators', () => {
    expect(removed).toHaveLength(1);
  });

  const odd = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 140 }),
    fc.string({
      unit: fc.constantFrom('a', ' ', '\t', '\u00a0', '\ufeff', '\0', '\ud800', '💥', '\ufe0f', '\n'),
      minLength: 40,
      maxLength: 530,
    }),
    fc.constantFrom<unknown>('', ' ', null, 1, true, [], {}, ['a'], undefined),
    fc.jsonValue(),
  );
  const valid = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).map((text) => ` ${text} `);
  const field = fc.oneof({ weight: 3, arbitrary: valid }, { weight: 1, arbitrary: odd });
  const body = fc.record(
    { code: field, extensionId: field, fingerprint: field, nonce: field, more: odd, toString: odd },
    { requiredKeys: [] },
  );

  it('says exactly what validation by its DTO says, of whatever comes', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 20, arbitrary: body }, { weight: 1, arbitrary: odd }), async (given) => {
        const outcome = await outcomeOf(given, ByFunction);
        if ('read' in outcome) taken += 1;
        expect(outcome).toEqual(await outcomeOf(given, Check));
      }),
      { numRuns: 1500 },
    );
    expect(taken).toBeGreaterThan(20);
  });

  it('refuses what is unsafe, as any body is', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) as object;
    for (const given of [JSON.parse('{"__proto__":{"nonce":"x"}}'), { constructor: 1 }, deep] as unknown[]) {
      const outcome = await outcomeOf(given, ByFunction);
      expect(outcome).toMatchObject({ status: 400 });
      expect(outcome).toEqual(await outcomeOf(given, Check));
    }
  });
});
