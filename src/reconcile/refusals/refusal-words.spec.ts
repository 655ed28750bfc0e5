import { describe, expect, it } from 'vitest';
import { wordsOf } from './refusal-words.js';

describe('the words of a refusal', () => {
  it.each([
    ['The description is too long: 144. At most 132.', 'The description is too long: N. At most N.'],
    ['The id "owl@night.example" is taken.', 'The id "…" is taken.'],
    ["The file 'icons/owl.png' is missing.", 'The file "…" is missing.'],
    ['The add-on owl@night.example is another one.', 'The add-on … is another one.'],
    ['Add-on {3c6bf0cc-3ae2-42fb-9993-0d33104fdcaf} is another one.', 'Add-on … is another one.'],
    ['Item mbfmhplclkbnbppnbjccnfhpgipnabcd is another one.', 'Item … is another one.'],
    ['See https://example.com/a?b=1 for more.', 'See … for more.'],
    ['Version 1.2.3 exists.', 'Version N exists.'],
    ["It shouldn't contain the key 'acme-secret'.", 'It shouldn\'t contain the key "…".'],
    ["It can't be read: clients/acme/keys.txt isn't valid.", "It can't be read: … isn't valid."],
    ['The file `owl` or ‘owl’ is none.', 'The file "…" or "…" is none.'],
  ])('%s', (message, words) => {
    expect(wordsOf(message)).toBe(words);
  });

  it('are cut', () => {
    expect(wordsOf('x'.repeat(2000))).toHaveLength(500);
  });
});
