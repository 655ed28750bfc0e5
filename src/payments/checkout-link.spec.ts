import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { PROCESSOR_IDS } from './processor.js';
import { HttpClient, makeProcessors } from '../../test/support/app.js';
import { CHECKOUTS } from '../../test/licensing/buying/checkout-addresses.js';

const PROCESSORS = makeProcessors(() => 'https://api.example', new HttpClient({ allowedHosts: [] }), {
  now: () => new Date(),
});

describe.each(PROCESSOR_IDS)('the address of a checkout at %s', (id) => {
  const processor = PROCESSORS.for(id);
  const { url, parameter } = CHECKOUTS[id];
  const word = fc.stringMatching(/^[\w-]{1,20}$/);
  const query = fc.uniqueArray(fc.tuple(word, fc.string({ maxLength: 20 })), { selector: ([name]) => name });

  it('carries the token, and whatever else was in it', () => {
    fc.assert(
      fc.property(query, word, (pairs, token) => {
        const address = new URL(url);
        for (const [name, value] of pairs) if (name !== parameter) address.searchParams.set(name, value);
        expect(processor.checkoutFault(address.href)).toBeNull();
        const completed = new URL(processor.checkoutWith(address.href, token));
        expect(completed.searchParams.getAll(parameter)).toEqual([token]);
        completed.searchParams.delete(parameter);
        address.searchParams.sort();
        completed.searchParams.sort();
        expect(completed.href).toBe(address.href);
      }),
    );
  });

  it('is refused for any text that is no https address, and with a token already', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl({ validSchemes: ['http', 'ftp'] })), (text) => {
        expect(processor.checkoutFault(text)).not.toBeNull();
      }),
    );
    expect(processor.checkoutFault(processor.checkoutWith(url, 'mine'))).toContain(parameter);
    expect(processor.checkoutFault(url.replace('https:', 'http:'))).not.toBeNull();
    expect(processor.checkoutFault(url.replace('://', '://me:pw@'))).toContain('password');
  });
});
