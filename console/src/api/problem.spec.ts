import { describe, expect, it } from 'vitest';
import { asProblem, Problem, problemOf } from './problem';

const REFUSED = {
  code: 'validation_failed',
  title: 'Invalid request',
  detail: 'The request is not valid.',
  status: 400,
  errors: [
    { field: 'name', message: 'must not be empty.' },
    { field: 'plans.0.tier', message: 'is taken.' },
  ],
} as const;

describe('what a call throws', () => {
  it('is what the service said', () => {
    const problem = problemOf({ status: 400 }, REFUSED);
    expect(problem).toMatchObject({ code: 'validation_failed', isOffline: false, message: REFUSED.detail });
    expect(asProblem(problem)).toBe(problem);
  });

  it('shows each fault once: at its field, or else with those of no field', () => {
    const problem = new Problem({ ...REFUSED, errors: [...REFUSED.errors] });
    expect(problem.fault('name')).toBe('must not be empty.');
    expect(problem.fault('seats')).toBeUndefined();
    expect(problem.otherFaults()).toEqual([{ field: 'plans.0.tier', message: 'is taken.' }]);
  });

  it.each([['Failed to fetch'], ['NetworkError when attempting to fetch resource.'], ['Load failed']])(
    'is that the service is out of reach, as browsers say it: %s',
    (words) => {
      expect(asProblem(new TypeError(words)).isOffline).toBe(true);
    },
  );

  it.each([
    [new TypeError('x is not a function'), 'x is not a function'],
    [new Error('Failed to fetch'), 'Failed to fetch'],
    ['nothing', 'nothing'],
  ])('is a failure of the console otherwise: %s', (thrown, detail) => {
    expect(asProblem(thrown).body).toMatchObject({ code: 'unexpected', detail, status: 0 });
  });

  it.each([[null], ['<html>'], [{ code: 'x' }], [{ detail: 'x' }]])(
    'has a reason also when a proxy answered %j',
    (body) => {
      const { code, status, detail } = problemOf({ status: 502 }, body).body;
      expect({ code, status }).toEqual({ code: 'unexpected', status: 502 });
      expect(detail).toContain('502');
    },
  );
});
