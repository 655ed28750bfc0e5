import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { decideLines, type ExistingLicense, type IdentifiedLine } from './decide-lines.js';

const OWNER = { tenantId: 't', extensionId: 'e', since: new Date('2030-01-01T00:00:00Z') };
const BEFORE = new Date('2029-01-01T00:00:00Z');
const hex = (code: string): string => Buffer.from(code.padEnd(8, '0')).toString('hex');
const stored = (code: string) => ({ codeDigest: Buffer.from(hex(code), 'hex'), codePepper: 'p', codeHint: code });

const lineOf = (line: number, code: string | null, order: string | null): IdentifiedLine => ({
  line,
  order,
  digests: code === null ? [] : [hex(code)],
  stored: code === null ? null : stored(code),
});
const license = (code: string, order: string | null, other: Partial<ExistingLicense> = {}): ExistingLicense => ({
  id: `license of ${code}`,
  tenantId: 't',
  extensionId: 'e',
  createdAt: BEFORE,
  codeDigest: stored(code).codeDigest,
  source: order === null ? 'manual' : `import:${order}`,
  ...other,
});

const decide = (lines: readonly IdentifiedLine[], existing: readonly ExistingLicense[] = [], seen = new Map()) =>
  decideLines(
    lines,
    {
      ofCodes: existing.filter((one) => lines.some(({ digests }) => digests.includes(one.codeDigest.toString('hex')))),
      ofOrders: existing.filter(
        (one) => one.tenantId === 't' && lines.some(({ order }) => order !== null && one.source === `import:${order}`),
      ),
      ofIds: existing.filter((one) => one.tenantId === 't' && lines.some(({ order }) => order === one.id)),
    },
    OWNER,
    seen,
  );

describe('a line', () => {
  it.each<[string, IdentifiedLine, readonly ExistingLicense[], object]>([
    ['of a new code', lineOf(2, 'a', null), [], { kind: 'new', order: null }],
    ['of a new order', lineOf(2, null, '1'), [], { kind: 'new', order: '1' }],
    ['whose code exists', lineOf(2, 'a', '1'), [license('a', null)], { kind: 'exists', licenseId: 'license of a' }],
    ['whose order exists', lineOf(2, null, '1'), [license('x', '1')], { kind: 'exists', licenseId: 'license of x' }],
    [
      'that was exported',
      lineOf(2, null, 'license of x'),
      [license('x', '1')],
      { kind: 'exists', licenseId: 'license of x' },
    ],
    [
      'whose code was replaced',
      lineOf(2, 'a', '1'),
      [license('x', '1')],
      { kind: 'exists', licenseId: 'license of x' },
    ],
    ['whose code is elsewhere', lineOf(2, 'a', null), [license('a', null, { extensionId: 'f' })], { kind: 'foreign' }],
    ['whose order is elsewhere', lineOf(2, null, '1'), [license('x', '1', { extensionId: 'f' })], { kind: 'foreign' }],
    ['whose code is a stranger’s', lineOf(2, 'a', '1'), [license('a', null, { tenantId: 'u' })], { kind: 'foreign' }],
    [
      'of an order that the same import made for another code',
      lineOf(2, 'a', '1'),
      [license('x', '1', { createdAt: OWNER.since })],
      { kind: 'new', order: expect.stringMatching(/^1\/\d+$/) },
    ],
  ])('%s is decided', (_, line, existing, expected) => {
    expect(decide([line], existing)).toMatchObject([expected]);
  });

  it.each<[string, readonly IdentifiedLine[], readonly object[]]>([
    ['the same code', [lineOf(2, 'a', null), lineOf(3, 'a', '7')], [{ kind: 'new' }, { kind: 'exists', sameAs: 2 }]],
    ['the same order', [lineOf(2, null, '1'), lineOf(3, null, '1')], [{ kind: 'new' }, { kind: 'exists', sameAs: 2 }]],
    [
      'another code of the same order',
      [lineOf(2, 'a', '1'), lineOf(3, 'b', '1')],
      [{ order: '1' }, { kind: 'new', order: expect.stringMatching(/^1\/\d+$/) }],
    ],
  ])('after one with %s is decided', (_, lines, expected) => {
    expect(decide(lines)).toMatchObject(expected);
  });
});

describe('a file', () => {
  const codes = fc.constantFrom('a', 'b', 'c', 'd', null);
  const orders = fc.constantFrom('1', '2', '3', null);
  const file = fc
    .array(
      fc.tuple(codes, orders).filter(([code, order]) => code !== null || order !== null),
      { maxLength: 30 },
    )
    .map((lines) => lines.map(([code, order], at) => lineOf(at + 2, code, order)));

  /** Imports a file in parts, as pages of it are. @returns the licenses, of which no two have a code or source in common */
  const importInParts = (lines: readonly IdentifiedLine[], parts: number, made: ExistingLicense[]): void => {
    for (let at = 0; at < lines.length; at += parts)
      for (const one of decide(lines.slice(at, at + parts), made)) {
        if (one.kind !== 'new') continue;
        const [digest] = one.line.digests;
        const code = digest === undefined ? `new ${one.line.line}` : (one.line.stored?.codeHint ?? '');
        made.push(license(code, one.order, { createdAt: OWNER.since }));
      }
    const sources = made.flatMap(({ source }) => (source === 'manual' ? [] : [source]));
    expect(new Set(sources).size).toBe(sources.length);
    expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
  };

  it('makes the same licenses however it is cut in parts, and none when it is repeated', () => {
    fc.assert(
      fc.property(file, fc.integer({ min: 1, max: 10 }), (lines, parts) => {
        const [whole, cut]: [ExistingLicense[], ExistingLicense[]] = [[], []];
        importInParts(lines, lines.length + 1, whole);
        importInParts(lines, parts, cut);
        expect(cut).toEqual(whole);
        importInParts(lines, parts, cut);
        expect(cut).toEqual(whole);
      }),
    );
  });

  it('is previewed as it is imported', () => {
    fc.assert(
      fc.property(file, fc.integer({ min: 1, max: 10 }), (lines, parts) => {
        const seen = new Map<string, number>();
        const kinds: string[] = [];
        for (let at = 0; at < lines.length; at += parts)
          kinds.push(...decide(lines.slice(at, at + parts), [], seen).map(({ kind }) => kind));
        expect(kinds).toEqual(decide(lines).map(({ kind }) => kind));
      }),
    );
  });
});
