import { describe, expect, it } from '@jest/globals';
import { emailOf, eventNameOf } from './payload.js';

describe('an e-mail address that a processor names', () => {
  it.each([
    ['ada@buyer.example', 'ada@buyer.example'],
    [' Ada+Owl@Buyer.example\n', 'ada+owl@buyer.example'],
    ["o'hara@buyer.example", "o'hara@buyer.example"],
    ['zoë@bücher.example', 'zoë@bücher.example'],
  ])('%j is read as %j', (said, kept) => {
    expect(emailOf(said)).toBe(kept);
  });

  it.each([
    '<evil@x>',
    '<evil@buyer.example>',
    'Ada <ada@buyer.example>',
    '"<evil>"@buyer.example',
    'ada@buyer.example,bob@buyer.example',
    'ada@buyer.example\nbcc: bob@buyer.example',
    'ada@buyer.example\0',
    'ada@\ud800.example',
    'ada@buyer',
    '@buyer.example',
    `${'x'.repeat(250)}@buyer.example`,
    '',
    7,
    null,
    { id: 'ada@buyer.example' },
  ])('%j is not read', (said) => {
    expect(emailOf(said)).toBeNull();
    expect(emailOf(said, 'bob@buyer.example')).toBe('bob@buyer.example');
  });
});

describe("an event's name", () => {
  it.each([
    ['invoice.paid', 'invoice.paid'],
    ['invoice\0paid', ''],
    ['invoice\ud800', ''],
    ['x'.repeat(501), ''],
    [7, ''],
    [{ id: 'invoice.paid' }, ''],
  ])('%j is read as %j', (said, kept) => {
    expect(eventNameOf(said)).toBe(kept);
  });
});
