import { describe, expect, it } from 'vitest';
import { newsOf, NOTHING_TOLD, type FileOutcome } from './served-file-news.js';

const same = (version: string): FileOutcome => ({ result: 'same', version });
const notSent = (version: string): FileOutcome => ({ result: 'not_sent', version });
const unreadable = (version: string): FileOutcome => ({ result: 'unreadable', version, why: 'It is cut off.' });
const differs = (version: string, digest: string): FileOutcome => ({
  result: 'differs',
  version,
  differences: { changed: ['a.js'], added: [], missing: [], digest },
});

describe('an outcome', () => {
  it.each<[string, readonly FileOutcome[], readonly number[]]>([
    ['is told once', [same('1'), same('1'), same('1')], [0]],
    ['is told of each version', [same('1'), notSent('2'), same('3')], [0, 1, 2]],
    ['is told of each file', [differs('1', 'a'), differs('1', 'a'), differs('1', 'b')], [0, 2]],
    ['is told of each version with the same file', [differs('1', 'a'), differs('2', 'a')], [0, 1]],
    [
      'is not told again where a store serves two versions by turns',
      [differs('1', 'a'), same('2'), differs('1', 'a')],
      [0, 1],
    ],
    ['that nothing can be read is told once', [unreadable('1'), unreadable('1'), differs('1', 'a')], [0, 2]],
    ['is told when it can be read again', [unreadable('1'), same('1'), unreadable('1')], [0, 1, 2]],
    ['is told when all is well again', [same('1'), differs('1', 'a'), same('1'), same('1')], [0, 1, 2]],
    [
      'is told again when a file comes back after all was well',
      [differs('1', 'a'), same('1'), differs('1', 'a'), same('1')],
      [0, 1, 2, 3],
    ],
    [
      'is told when all is well again, also where another version came between',
      [same('1'), differs('1', 'a'), same('2'), same('1')],
      [0, 1, 2, 3],
    ],
    [
      'is not told again when an earlier file comes back',
      [differs('1', 'a'), differs('1', 'b'), differs('1', 'a')],
      [0, 1],
    ],
  ])('%s', (_, outcomes, expected) => {
    let told = NOTHING_TOLD;
    const news = outcomes.map((outcome) => {
      const next = newsOf(told, outcome);
      ({ told } = next);
      return next.isNews;
    });
    expect(news.flatMap((isNews, at) => (isNews ? [at] : []))).toEqual(expected);
  });

  it('is remembered among the last twenty, and ends what could not be read', () => {
    let told = { ...NOTHING_TOLD, isUnread: true };
    for (let version = 1; version <= 30; version += 1) ({ told } = newsOf(told, same(String(version))));
    expect([told.outcomes.length, told.isUnread]).toEqual([20, false]);
  });
});
