import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigFault, type Config } from '../../config/index.js';
import { CountryResolver } from './country.js';

const folder = mkdtempSync(join(tmpdir(), 'pierhead-mmdb-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Value = string | number | { readonly [key: string]: Value };

/** A value of a MaxMind DB (its format 2.0): texts, numbers of 32 bits, and maps. */
function encoded(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([Buffer.from([0x40 | value.length]), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(5);
    bytes.writeUInt8(0xc4, 0);
    bytes.writeUInt32BE(value, 1);
    return bytes;
  }
  const entries = Object.entries(value);
  return Buffer.concat([
    Buffer.from([0xe0 | entries.length]),
    ...entries.flatMap(([key, entry]) => [encoded(key), encoded(entry)]),
  ]);
}

/** A database of one record, for the addresses whose 128 bits begin as given; IPv4 addresses are those behind 96 zeros. */
function databaseOf(bits: string, record: Value): string {
  const nodes = bits.length;
  const tree = Buffer.alloc(nodes * 6);
  [...bits].forEach((bit, node) => {
    const next = node + 1 < nodes ? node + 1 : nodes + 16;
    const pair = bit === '0' ? [next, nodes] : [nodes, next];
    pair.forEach((to, side) => tree.writeUIntBE(to, node * 6 + side * 3, 3));
  });
  const metadata = {
    node_count: nodes,
    record_size: 24,
    ip_version: 6,
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: 'Test',
  };
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
  const path = join(folder, `${Math.random()}.mmdb`);
  writeFileSync(path, Buffer.concat([tree, Buffer.alloc(16), encoded(record), marker, encoded(metadata)]));
  return path;
}

const IPV4_203 = '0'.repeat(96) + '11001011';
const IPV6_2001 = '0010000000000001';
const DOCUMENTATION = '203.0.113.9';

const resolverOf = (config: Partial<Config>): CountryResolver =>
  new CountryResolver({ trustProxy: 0, ...config } as Config);

describe('the country of a request', () => {
  it('is that of the trusted proxy, in any case, without another lookup', () => {
    const resolver = resolverOf({ trustProxy: 1, countryHeader: 'CF-IPCountry' });
    expect(resolver.countryOf({ 'cf-ipcountry': 'pt' }, '8.8.8.8')).toBe('PT');
    for (const unknown of ['XX', 'T1', 'PRT', '1', "PT' or"])
      expect(resolver.countryOf({ 'cf-ipcountry': unknown }, '8.8.8.8')).toBeNull();
    expect(resolver.countryOf({ 'cf-ipcountry': '' }, '8.8.8.8')).toBe('US');
    expect(resolver.countryOf({}, '8.8.8.8')).toBe('US');
  });

  it('ignores the header when no proxy is trusted', () => {
    const resolver = resolverOf({ countryHeader: 'cf-ipcountry' });
    expect(resolver.countryOf({ 'cf-ipcountry': 'PT' }, '8.8.8.8')).toBe('US');
  });

  it.each<[string, Value]>([
    ['GeoLite2', { country: { iso_code: 'NZ' } }],
    ['ip-location-db', { country_code: 'NZ' }],
    ['IPinfo', { country: 'NZ' }],
  ])('is found in a database in the form of %s', (_, record) => {
    const resolver = resolverOf({ countryMmdb: databaseOf(IPV4_203, record) });
    for (const address of [DOCUMENTATION, `::ffff:${DOCUMENTATION}`])
      expect(resolver.countryOf({}, address)).toBe('NZ');
    expect(resolver.countryOf({}, '2001:db8::1')).toBeNull();
  });

  it('of an IPv6 address is found in a database only', () => {
    const resolver = resolverOf({ countryMmdb: databaseOf(IPV6_2001, { country: { iso_code: 'NZ' } }) });
    expect(resolver.countryOf({}, '2001:db8::1')).toBe('NZ');
    expect(resolverOf({}).countryOf({}, '2001:db8::1')).toBeNull();
  });

  it('is looked up in the built-in table when the database has none', () => {
    const resolver = resolverOf({ countryMmdb: databaseOf(IPV4_203, { other: 'x' }) });
    expect(resolver.countryOf({}, '8.8.8.8')).toBe('US');
    for (const address of [DOCUMENTATION, '127.0.0.1', '10.0.0.1', '', 'no address', 'fe80::1%eth0'])
      expect(resolver.countryOf({}, address)).toBeNull();
  });

  it('stops the start when its database is invalid', () => {
    const path = join(folder, 'text.mmdb');
    writeFileSync(path, 'no database');
    for (const countryMmdb of [path, join(folder, 'absent.mmdb')])
      expect(() => resolverOf({ countryMmdb })).toThrow(ConfigFault);
  });
});
