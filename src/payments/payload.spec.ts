import { describe, expect, it } from 'vitest';
import { emailOf, eventNameOf, linkOn } from './payload.js';

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

describe('a link that a processor sends', () => {
  const on = (value: unknown, host = '.shop.example') => linkOn(host, value)?.href ?? null;

  it('is https on its host, or below it', () => {
    expect(on('https://a.shop.example/x?y=1#z')).toBe('https://a.shop.example/x?y=1#z');
    expect(on('https://A.B.shop.example:443')).toBe('https://a.b.shop.example/');
    expect(on('https://pay.example/x', 'pay.example')).toBe('https://pay.example/x');
  });

  it.each([
    'http://a.shop.example/',
    'javascript:alert(1)//a.shop.example/',
    'javascript://a.shop.example/%0aalert(1)',
    'data:text/html,<script>',
    'ftp://a.shop.example/',
    '//a.shop.example/',
    'https://shop.example/',
    'https://a.shop.example.evil.example/',
    'https://evilshop.example/',
    'https://evil.example/.shop.example',
    'https://evil.example\\.shop.example/',
    'https://a.shop.example@evil.example/',
    'https://user@a.shop.example/',
    'https://user:word@a.shop.example/',
    'https://a.shop.example:8443/',
    'https://a.shop.example./',
    `https://a.shop.example/${'x'.repeat(10_000)}`,
    `https://a.shop.example/${'é'.repeat(1000)}`,
    '',
    null,
    {},
    ['https://a.shop.example/'],
  ])('is not %j', (value) => expect(on(value)).toBeNull());

  it('of one host is none below it', () => {
    expect(on('https://a.pay.example/', 'pay.example')).toBeNull();
  });
});
