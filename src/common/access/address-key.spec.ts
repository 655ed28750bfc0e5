import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { addressKey, networkKey } from './address-key.js';

const group = fc.integer({ min: 0, max: 0xffff });
const octet = fc.integer({ min: 0, max: 255 });
const hex = (groups: readonly number[]): string => groups.map((one) => one.toString(16)).join(':');

describe('the key of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:DB8:A:B::1', '2001:db8:a:b::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:db8:1:2:3:4:5::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['fe80::1%2', 'fe80:0:0:0::/64'],
    ['192.0.2.7:1234', '192.0.2.7'],
    ['[2001:db8:1:2::1]:1234', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['no address', 'no address'],
    ['', ''],
  ])('of %j is %j', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  it('is the same for every spelling of one address', () => {
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 8, maxLength: 8 }),
        fc.nat(6),
        fc.integer({ min: 1, max: 8 }),
        (groups, at, length) => {
          const zeroed = groups.map((one, index) => (index >= at && index < at + length ? 0 : one));
          const short = `${hex(zeroed.slice(0, at))}::${hex(zeroed.slice(at + length))}`;
          const padded = zeroed.map((one) => one.toString(16).padStart(4, '0').toUpperCase()).join(':');
          expect(addressKey(short)).toBe(addressKey(hex(zeroed)));
          expect(addressKey(padded)).toBe(addressKey(hex(zeroed)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is shared by a /64 and by nothing beyond it', () => {
    const four = fc.array(group, { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(four, four, four, four, (network, host, otherNetwork, otherHost) => {
        const key = addressKey(hex([...network, ...host]));
        expect(addressKey(hex([...network, ...otherHost]))).toBe(key);
        expect(addressKey(hex([...otherNetwork, ...host])) === key).toBe(hex(network) === hex(otherNetwork));
      }),
      { numRuns: 500 },
    );
  });

  it('is an IPv4 address itself, however the socket writes it', () => {
    fc.assert(
      fc.property(fc.array(octet, { minLength: 4, maxLength: 4 }), (octets) => {
        const plain = octets.join('.');
        expect(addressKey(plain)).toBe(plain);
        expect(addressKey(`::ffff:${plain}`)).toBe(plain);
      }),
      { numRuns: 200 },
    );
  });

  it('exists for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6()), (text) => {
        expect(typeof addressKey(text)).toBe('string');
      }),
      { numRuns: 500 },
    );
  });
});

describe('the key of a network', () => {
  it.each([
    ['192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0db8:0001:ffff::1', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['no address', 'no address'],
    ['', ''],
  ])('of %j is %j', (address, key) => {
    expect(networkKey(address)).toBe(key);
  });

  it('is shared by a /48 or a /24 and by nothing beyond it', () => {
    const three = fc.array(group, { minLength: 3, maxLength: 3 });
    const five = fc.array(group, { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(three, five, three, five, (network, host, otherNetwork, otherHost) => {
        const key = networkKey(hex([...network, ...host]));
        expect(networkKey(hex([...network, ...otherHost]))).toBe(key);
        expect(networkKey(hex([...otherNetwork, ...host])) === key).toBe(hex(network) === hex(otherNetwork));
      }),
    );
    fc.assert(
      fc.property(fc.array(octet, { minLength: 4, maxLength: 4 }), octet, (octets, host) => {
        expect(networkKey(octets.join('.'))).toBe(networkKey([...octets.slice(0, 3), host].join('.')));
      }),
    );
  });
});
