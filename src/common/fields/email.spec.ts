import { describe, expect, it } from 'vitest';
import { leastTimeOf } from '../../../test/support/processor-time.js';
import { mailboxOf } from './email.js';

describe('the mailbox of an address', () => {
  it.each([
    ['Ann@Buyer.example', 'ann@buyer.example'],
    ['ann+owl@buyer.example', 'ann@buyer.example'],
    ['ann+owl+two@buyer.example', 'ann@buyer.example'],
    ['+@buyer.example', '@buyer.example'],
    ['ann@buyer.example+owl', 'ann@buyer.example+owl'],
    ['ann+owl', 'ann+owl'],
  ])('%s is %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });

  it('takes no longer for many pluses', async () => {
    const address = '+'.repeat(100_000);
    expect(await leastTimeOf(() => expect(mailboxOf(address)).toBe(address))).toBeLessThan(20);
  });
});
