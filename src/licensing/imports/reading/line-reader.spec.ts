import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { delimiterOf } from './delimiter.js';
import { LineReader } from './line-reader.js';
import { recognize } from './profiles/index.js';
import { readCsv, type CsvRow } from './read-csv.js';
import { missingFields, notesOf, proposeColumns, proposeTiers, type Reading } from './reading.js';

const NOW = new Date('2027-01-01T00:00:00Z');
const TIERS = ['pro', 'team'];

const rowsOf = async (text: string): Promise<readonly CsvRow[]> => {
  const part = { bytes: Buffer.from(text), linesBefore: 0, isLast: true, delimiter: delimiterOf(text) };
  return (await readCsv(part, { lines: 1000, cells: 300 })).rows;
};

/** Reads a file as it is proposed to, with what its owner says besides. */
async function readFile(text: string, said: Partial<Reading> = {}) {
  const [head, ...rows] = await rowsOf(text);
  const names = head?.cells ?? [];
  const profile = recognize(names);
  const columns = { ...proposeColumns(profile, names), ...said.columns };
  const unsaid: Reading = { profile, tiers: {}, statuses: {}, ...said, columns };
  const reader = new LineReader(unsaid, names, new Set(TIERS), NOW);
  const products = [
    ...new Set(rows.filter(({ cells }) => !reader.isLeftOut(cells)).map(({ cells }) => reader.productOf(cells))),
  ];
  const reading = { ...unsaid, tiers: { ...proposeTiers(products, TIERS), ...said.tiers } };
  const read = new LineReader(reading, names, new Set(TIERS), NOW);
  const lines = rows.map(({ line, cells }) => ({ line, read: read.read(cells) }));
  return { profile, products, missing: missingFields(reading), notes: notesOf(reading, names), lines };
}

const fileOf = (name: string): string => readFileSync(`test/licensing/imports/files/${name}.csv`, 'utf8');
const brief = ({ line, read }: Awaited<ReturnType<typeof readFile>>['lines'][number]): string =>
  `${line} ${
    read === null
      ? 'left out'
      : 'fault' in read
        ? read.fault
        : [
            read.email,
            read.tier,
            read.code?.slice(-5) ?? '-',
            read.order ?? '-',
            read.status,
            read.expiresAt ?? 'never',
            read.maxActivations ?? '-',
          ].join(' ')
  }`;

describe('a file', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'gumroad-sales',
      'gumroad',
      [
        '2 Ann@Example.com pro F7081 aB3dE5fG7hI9jK1lM3nO5p== active never -',
        '3 ben@example.com team A6B7C bC4eF6gH8iJ0kL2mN4oP6q== active 2026-03-04T10:11:12.000Z -',
        '4 cid@example.com pro D6E5F cD5fG7hI9jK1lM3nO5pQ7r== revoked never -',
        '5 eve@example.com pro F5566 dE6gH8iJ0kL2mN4oP6qR8s== active never -',
        '6 fay@example.com pro 59687 eF7hI9jK1lM3nO5pQ7rS9t== suspended never -',
        '7 ben@example.com team A6B7C fG8iJ0kL2mN4oP6qR8sT0u== active never -',
        '8 tier: no tier is said for "E-book, \\"signed\\"".',
        '10 left out',
        '11 hal@example.com pro B3C4D iJ1lM3nO5pQ7rS9tU1vW3x== revoked never -',
        '12 left out',
      ],
    ],
    [
      'lemonsqueezy-license-keys',
      'lemonsqueezy',
      [
        '2 ann@example.com pro 34d51 5104001 active never 5',
        '3 ben@example.com pro 48abe 5104002 active 2030-05-24T14:15:07.000Z 1000000',
        '4 cid@example.com team 78665 5104003 active 2025-05-24T14:15:00.000Z 10',
        '5 dan@example.com team a3c4d 5104004 suspended never 10',
        '6 dan@example.com team f4a5b 5104004 active never 10',
      ],
    ],
    [
      'keygen-licenses',
      'keygen',
      [
        '2 ann@example.com pro znA== - active never 5',
        '3 ben@example.com team 7xQ== - active 2031-01-02T03:04:05.000Z -',
        '4 cid@example.com pro 93-V3 - active 2025-01-02T03:04:05.000Z 1',
        '5 dan@example.com pro jow== - suspended never 3',
        '6 eve@example.com pro KPg== - suspended never 3',
      ],
    ],
    [
      'polar-orders',
      'polar',
      [
        '2 ann@example.com pro - POLAR-0001 active never -',
        '3 ben@example.com team - POLAR-0002 active never -',
        '4 left out',
        '5 cid@example.com pro - POLAR-0004 revoked never -',
        '6 left out',
      ],
    ],
    [
      'polar-license-keys',
      'polar',
      [
        '2 ann@example.com pro 34D51 - active never 3',
        '3 ben@example.com pro 48ABE - revoked 2031-02-03T04:05:06.000Z 3',
        '4 cid@example.com team 78665 - suspended never -',
      ],
    ],
  ])('of %s is read as one of %s', async (name, profile, expected) => {
    const read = await readFile(fileOf(name));
    expect([read.profile, read.missing]).toEqual([profile, []]);
    expect(read.lines.map(brief)).toEqual(expected);
  });

  it('says which products have no tier, and leaves out those that are none', async () => {
    const text = fileOf('gumroad-sales');
    expect((await readFile(text)).products).toEqual([
      'Tab Counter / (Pro)',
      'Tab Counter / (Team)',
      'E-book, "signed"',
    ]);
    const { lines } = await readFile(text, { tiers: { 'E-book, "signed"': '-' } });
    expect(lines.filter(({ read }) => read === null).map(({ line }) => line)).toEqual([8, 10, 12]);
  });

  it('of no known tool is read by the names of its columns, and by what is said', async () => {
    const text = 'Customer;Mail;Serial;Kind;State\nAnn;ann@example.com;38b1460a51044067a91d77b872934d51;gold;frozen\n';
    const { profile, missing } = await readFile(text);
    expect([profile, missing]).toEqual([null, ['tier']]);
    const said = { columns: { tier: ['Kind'] }, tiers: { gold: 'team' }, statuses: { frozen: 'suspended' } } as const;
    expect((await readFile(text, said)).lines.map(brief)).toEqual(['2 ann@example.com team 34d51 - suspended never -']);
    expect((await readFile(text, { ...said, statuses: {} })).lines.map(brief)).toEqual([
      '2 status: "frozen" is not known. Say what it comes to.',
    ]);
    expect((await readFile(text, { ...said, columns: {}, tiers: { '*': 'pro' } })).lines.map(brief)[0]).toContain(
      ' pro ',
    );
  });

  it('of no known tool is not taken for Pierhead’s own where it has an address and a tier alone', async () => {
    const code = '38b1460a51044067a91d77b872934d51';
    for (const [name, key, order] of [
      ['License Key', code, '-'],
      ['Invoice', 'R-1', 'R-1'],
    ]) {
      const { profile, missing, lines } = await readFile(
        `Email,Tier,${name},Status\nann@example.com,pro,${key},Banned\n`,
      );
      expect([profile, missing]).toEqual([null, []]);
      expect(lines.map(brief)[0]).toContain(` ${order} suspended`);
    }
    expect((await readFile(`email,tier,order\n`)).profile).toBe('pierhead');
  });

  it('of Polar without the reason of its orders says that renewals become licenses', async () => {
    const head = 'Email,Created At,Product,Net Amount,Currency,Status,Invoice number';
    expect((await readFile(`${head}\n`)).notes).toEqual([
      expect.stringMatching(/no license keys/),
      expect.stringMatching(/renewal/),
    ]);
    expect((await readFile(fileOf('polar-license-keys'))).notes).toEqual([expect.stringMatching(/renewal/)]);
  });

  it('of any cells is read without failing', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        'paid',
        'Totals',
        '1',
        'true',
        '2027-02-30',
        '31/12/2027',
        'constructor',
        '__proto__',
        '*',
        '-',
        'null',
        'a@b.example',
      ),
    );
    const names = fc.constantFrom(
      ...['gumroad-sales', 'keygen-licenses', 'polar-orders'].map(
        (one) => fileOf(one).split('\n')[0]?.split(',') ?? [],
      ),
      ['__proto__', 'constructor', 'email', 'tier'],
    );
    fc.assert(
      fc.property(names, fc.array(fc.array(cell, { maxLength: 80 }), { maxLength: 5 }), (header, rows) => {
        const profile = recognize(header);
        const reading = { profile, columns: proposeColumns(profile, header), tiers: {}, statuses: {} };
        const reader = new LineReader(reading, header, new Set(TIERS), NOW);
        for (const row of rows) {
          const read = reader.read(row);
          if (read !== null && !('fault' in read))
            expect(Object.values(read).every((one) => typeof one === 'string' && one !== '')).toBe(true);
        }
      }),
    );
  });

  it('of any text is read to the end, or refused with its line', async () => {
    const piece = fc.constantFrom(
      'a',
      ',',
      ';',
      '\t',
      '"',
      '\n',
      '\r\n',
      '\r',
      '\uFEFF',
      ' ',
      "'=",
      '\0',
      '€',
      'email',
      'tier',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const error = await readFile(pieces.join('')).then(() => null, String);
        if (error !== null) expect(error).toMatch(/line \d+|does not end/);
      }),
    );
  });
});

it.each([
  ['a,b;c', ','],
  ['a;b;c,d', ';'],
  ['\uFEFFa\tb', '\t'],
  ['"a,b,c";d', ';'],
  ['a\nb;c;d', ','],
  ['', ','],
])('the cells of %j are separated by %j', (text, delimiter) => {
  expect(delimiterOf(text)).toBe(delimiter);
});
