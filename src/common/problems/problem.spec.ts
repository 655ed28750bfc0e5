import { describe, expect, it } from 'vitest';
import { declaredProblems, defineProblem, Problem } from './problem.js';
import { InvalidRequest, secondsUntil } from './common.problems.js';

describe('a problem', () => {
  it('is declared once: a second one with the same code stops the start', () => {
    const Broken = defineProblem(
      { code: 'spec_broken', status: 409, title: 'Broken', cause: 'A test breaks it.', remedy: 'None.' },
      (part: string) => `${part} broke.`,
    );
    expect(() =>
      defineProblem(
        { code: 'spec_broken', status: 400, title: 'Other', cause: 'A test breaks it.', remedy: 'None.' },
        () => '',
      ),
    ).toThrow('The problem code spec_broken is declared twice');
    expect(declaredProblems()).toContainEqual(Broken.spec);
    expect(new Broken('A wheel')).toMatchObject({ message: 'A wheel broke.', name: 'spec_broken', extras: {} });
    expect(new Broken('A wheel')).toBeInstanceOf(Problem);
  });

  it('can add members and headers, and does not reveal its cause', () => {
    const cause = new Error('marked');
    const Full = defineProblem(
      { code: 'spec_full', status: 403, title: 'Full', cause: 'A test fills it.', remedy: 'None.' },
      (limit: number) => ({
        detail: `At most ${limit}.`,
        members: { limit },
        headers: { 'Retry-After': '1' },
        cause,
      }),
    );
    const problem = new Full(3);
    expect(problem.extras).toMatchObject({ members: { limit: 3 }, headers: { 'Retry-After': '1' } });
    expect(problem.cause).toBe(cause);
    expect(problem.message).not.toContain('marked');
  });

  it('of a request names each invalid field', () => {
    const problem = new InvalidRequest([
      { field: 'name', message: 'is missing.' },
      { field: '', message: 'The rest is odd.' },
    ]);
    expect(problem.message).toBe('name: is missing. The rest is odd.');
  });

  it('asks to wait for at least a second', () => {
    const now = new Date('2030-01-01T00:00:00Z');
    const after = (ms: number): number => secondsUntil(new Date(now.getTime() + ms), now);
    expect([after(-5000), after(0), after(1), after(1000), after(1001)]).toEqual([1, 1, 1, 1, 2]);
  });
});
