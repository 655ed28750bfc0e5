import { describe, expect, it } from 'vitest';
import { clearanceOf, type Asked } from './clearance.js';

const CONTENT = { id: 'artifact', version: '1.4.0', platform: '', sha256: 'abc', rollbackOf: null };
const TARGET = { id: 'target', store: 'chrome' } as const;
const asked = (rest: Partial<Asked>): Asked => ({
  artifactId: 'artifact',
  targetId: null,
  scope: 'any',
  platform: '',
  sha256: 'abc',
  rollbackOf: null,
  state: 'waiting',
  act: 'push',
  requestedBy: 'ann@author.example',
  decidedBy: null,
  reason: null,
  ...rest,
});
const APPROVED = asked({ state: 'approved', decidedBy: 'bob@author.example' });
const REJECTED = asked({ state: 'rejected', decidedBy: 'bob@author.example', reason: 'It is late.' });
const RESUBMITTED = { act: 'resubmit', targetId: 'target' } as const;

describe('a version at a target', () => {
  it.each<[string, readonly Asked[], 'waiting' | 'rejected' | null, boolean]>([
    ['nobody was asked about', [], 'waiting', false],
    ['waits', [asked({})], 'waiting', true],
    ['was approved', [APPROVED], null, true],
    ['was rejected', [REJECTED], 'rejected', true],
    ['was rejected, and is asked for again', [asked({}), REJECTED], 'waiting', true],
    ['was rejected, and approved then', [APPROVED, REJECTED], null, true],
    ['was approved, and is pinned again', [asked({ act: 'pin' }), APPROVED], 'waiting', true],
    [
      'was approved, and its pin was withdrawn',
      [asked({ act: 'pin', state: 'withdrawn' }), APPROVED],
      'waiting',
      false,
    ],
    ['was approved with other bytes', [{ ...APPROVED, sha256: 'def' }], 'waiting', false],
    ['was approved as another artifact', [{ ...APPROVED, artifactId: 'other' }], 'waiting', false],
    ['was approved as what brings another version back', [{ ...APPROVED, rollbackOf: '1.2.0' }], 'waiting', false],
    ['was approved for another store', [{ ...APPROVED, scope: 'edge' }], 'waiting', false],
    ['was approved for its store', [{ ...APPROVED, scope: 'chrome' }], null, true],
    ['was approved for another target', [{ ...APPROVED, ...RESUBMITTED, targetId: 'other' }], 'waiting', false],
    ['is resubmitted', [asked(RESUBMITTED), APPROVED], 'waiting', true],
    ['is resubmitted elsewhere', [asked({ ...RESUBMITTED, targetId: 'other' }), APPROVED], null, true],
    ['is resubmitted with an approval', [{ ...APPROVED, ...RESUBMITTED }, APPROVED], null, true],
    [
      'is pinned for all while its own content is approved',
      [asked({ artifactId: 'other' }), APPROVED],
      'waiting',
      true,
    ],
    [
      'is approved for all while its own content waits',
      [{ ...APPROVED, artifactId: 'other' }, asked({ scope: 'chrome' })],
      'waiting',
      true,
    ],
    ['was approved for the target alone', [{ ...APPROVED, scope: 'chrome:target' }], null, true],
    ['was approved for another target alone', [{ ...APPROVED, scope: 'chrome:other' }], 'waiting', false],
    ['was approved, and waits for another target', [asked({ scope: 'chrome:other' }), APPROVED], null, true],
  ])('%s', (_, all, held, isAsked) => {
    expect(clearanceOf(true, all, CONTENT, TARGET)).toMatchObject({ held, isAsked });
  });

  it.each<[string, Asked, 'waiting' | 'rejected' | null]>([
    ['waits', asked({ artifactId: 'other', platform: 'ios' }), null],
    ['was rejected', { ...REJECTED, artifactId: 'other', platform: 'ios' }, null],
    ['is resubmitted at the same target', asked({ ...RESUBMITTED, artifactId: 'other', platform: 'ios' }), 'waiting'],
  ])('for a platform, while that for another one %s', (_, other, held) => {
    const macos = { platform: 'macos' } as const;
    expect(clearanceOf(true, [other, { ...APPROVED, ...macos }], { ...CONTENT, ...macos }, TARGET).held).toBe(held);
  });

  it.each<[string, readonly Asked[], 'rejected' | null]>([
    ['that waits is sent', [asked({})], null],
    ['that nobody was asked about is sent', [], null],
    ['that was rejected stays', [REJECTED], 'rejected'],
    ['that was rejected, and pinned again, is sent', [{ ...REJECTED, state: 'withdrawn' }], null],
  ])('of an extension that requires no approvals: one %s', (_, all, held) => {
    expect(clearanceOf(false, all, CONTENT, TARGET).held).toBe(held);
  });

  it('says who has done what', () => {
    const why = (...all: readonly Asked[]): string => clearanceOf(true, all, CONTENT, TARGET).why;
    expect(why(asked({}))).toBe(
      'Version 1.4.0 waits for approval: ann@author.example pushed it, and another person has to approve it.',
    );
    expect(why(REJECTED)).toBe(
      'bob@author.example rejected version 1.4.0: It is late. Push a mended package, or the same one to ask again.',
    );
  });
});
