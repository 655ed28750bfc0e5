import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ReadBy, RequestPipe } from '../../common/http/index.js';
import { Problem } from '../../common/problems/index.js';
import { readActivate, readCheck } from './device-input.js';
import { Activate, Check } from './licensing.dto.js';

/** What is read by a function; the DTOs themselves are read by their decorators here, as every other body is. */
@ReadBy(readCheck)
class CheckByFunction {}
@ReadBy(readActivate)
class ActivateByFunction {}

const removedFrom = (dto: object, read: unknown): number =>
  (Reflect.getOwnMetadataKeys(dto) as string[]).filter(
    (key) => Reflect.getOwnMetadata(key, dto) === read && Reflect.deleteMetadata(key, dto),
  ).length;

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

describe('what a device sends', () => {
  let removed: readonly number[];
  beforeAll(() => {
    removed = [removedFrom(Check, readCheck), removedFrom(Activate, readActivate)];
  });
  // Whoever runs in the same process after this has them read by functions again.
  afterAll(() => {
    ReadBy(readCheck)(Check);
    ReadBy(readActivate)(Activate);
  });

  it('is read by functions, and here by decorators', () => {
    expect(removed).toEqual([1, 1]);
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
  const deviceInfo = fc.oneof(field, fc.record({ label: field, more: odd }, { requiredKeys: [] }));
  const body = fc.record(
    { code: field, extensionId: field, fingerprint: field, nonce: field, deviceInfo, more: odd, toString: odd },
    { requiredKeys: [] },
  );

  describe.each([
    ['check', CheckByFunction, Check],
    ['activation', ActivateByFunction, Activate],
  ])('as %s', (_, byFunction, dto) => {
    it('is read exactly as validation by its DTO reads it, whatever comes', async () => {
      let taken = 0;
      await fc.assert(
        fc.asyncProperty(fc.oneof({ weight: 20, arbitrary: body }, { weight: 1, arbitrary: odd }), async (given) => {
          const outcome = await outcomeOf(given, byFunction);
          if ('read' in outcome) taken += 1;
          expect(outcome).toEqual(await outcomeOf(given, dto));
        }),
        { numRuns: 1500 },
      );
      expect(taken).toBeGreaterThan(20);
    });

    it('is refused where it is unsafe, as any body is', async () => {
      const deep = JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`) as object;
      for (const given of [JSON.parse('{"__proto__":{"nonce":"x"}}'), { constructor: 1 }, deep] as unknown[]) {
        const outcome = await outcomeOf(given, byFunction);
        expect(outcome).toMatchObject({ status: 400 });
        expect(outcome).toEqual(await outcomeOf(given, dto));
      }
    });
  });
});
