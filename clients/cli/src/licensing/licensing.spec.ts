import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Schema } from '../api/service.js';
import { chooseDevice } from './change.js';
import { licenseDetails } from './details.js';
import { devicesOf } from './devices.js';
import { expiryOf } from './expiry.js';
import { faultsOf, type FileImport, readingOf, unreadFailure } from './import.js';
import { licenseTable } from './line.js';
import { choosePlan, type Plan } from './plans.js';
import { termOf } from './term.js';

const NOW = new Date('2026-11-22T12:00:00Z');
const ID = '01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d4';
const plain = (_format: unknown, text: string): string => text;

const plan = (tier: string, id = ID): Plan => ({
  id,
  extensionId: ID,
  tier,
  duration: null,
  durationFrom: 'issue',
  graceDays: 0,
  renewalLeewayHours: null,
  onEnd: 'expire',
  noticeDays: [],
  noticeText: null,
  trialDays: null,
  trialNeedsEmail: false,
  entitlements: [],
  metadata: {},
  maxActivations: 3,
  maxMembers: null,
  seatsPerMember: null,
  products: [],
  createdAt: '2026-01-01T12:00:00Z',
  updatedAt: '2026-01-01T12:00:00Z',
});

const license = (changes: Partial<Schema<'License'>> = {}): Schema<'License'> => ({
  id: ID,
  planId: ID,
  extensionId: ID,
  tier: 'pro',
  buyerEmail: 'ann@example.com',
  campaign: null,
  codeHint: '4F7QK',
  status: 'active',
  suspendedFor: null,
  revokedFor: null,
  expiresAt: null,
  duration: null,
  renews: false,
  renewsAt: null,
  renewalLeewayHours: null,
  graceDays: 0,
  onEnd: 'expire',
  entitlements: [],
  metadata: {},
  maxActivations: null,
  maxMembers: null,
  seatsPerMember: null,
  team: null,
  source: 'manual',
  delivery: null,
  isTest: false,
  seats: { used: 2, max: 3 },
  createdAt: '2026-03-01T12:00:00Z',
  updatedAt: '2026-03-01T12:00:00Z',
  ...changes,
});

describe('a license is named by', () => {
  it.each([
    ['ann@example.com', null, [{ search: 'ann@example.com' }]],
    ['Ann@', null, [{ search: 'Ann@' }]],
    ['ann', null, [{ search: 'ann' }]],
    ['4F7', null, [{ search: '4F7' }]],
    ['4F7QK', null, [{ codeHint: '4F7QK' }]],
    ['…4f7qk', null, [{ codeHint: '4F7QK' }]],
    ['000g4-0r40m-30e20-9185g-r38eL', null, [{ codeHint: 'R38E1' }]],
    [
      'sub_1QaB',
      null,
      ['stripe', 'paddle', 'creem', 'dodo'].map((one) => ({ source: `${one}:subscription:sub_1QaB` })),
    ],
    ['cs_live_a1', null, [{ source: 'stripe:session:cs_live_a1' }]],
    ['txn_01h', null, [{ source: 'paddle:transaction:txn_01h' }]],
    ['#1234567', null, [{ source: 'lemonsqueezy:order:1234567' }, { source: 'lemonsqueezy:subscription:1234567' }]],
    [
      '12345',
      null,
      [{ codeHint: '12345' }, { source: 'lemonsqueezy:order:12345' }, { source: 'lemonsqueezy:subscription:12345' }],
    ],
    [ID, ID, [{ source: `polar:order:${ID}` }, { source: `polar:subscription:${ID}` }]],
    ['stripe:session:cs_1/2', null, [{ source: 'stripe:session:cs_1/2' }]],
  ])('%s', (text, id, queries) => expect(termOf(text)).toEqual({ id, queries }));

  it.each(['', 'An', 'Ann Lee', '000G4-0R40M-30E20-9185G'])('not by "%s"', (text) => expect(termOf(text)).toBeNull());

  it('no more of a code than its last five symbols', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'), { minLength: 25, maxLength: 25 }),
        (all) => {
          const code = all.join('');
          expect(JSON.stringify(termOf(code))).not.toContain(code.slice(0, 20));
        },
      ),
    );
  });
});

describe('the line of a license', () => {
  it.each([
    [{}, '…4F7QK  pro  ● active  2 of 3 devices  never expires  ann@example.com'],
    [
      { source: 'stripe:subscription:sub_1', expiresAt: '2026-12-12T12:00:00Z', seats: { used: 0, max: 1 } },
      '…4F7QK  pro  ● active  0 of 1 device  paid until 12 Dec (Stripe)  ann@example.com',
    ],
    [
      { source: 'stripe:subscription:sub_1', expiresAt: '2026-12-12T12:00:00Z', renews: true, renewalLeewayHours: 72 },
      '…4F7QK  pro  ● active  2 of 3 devices  renews 12 Dec (Stripe)  ann@example.com',
    ],
    [
      { source: 'stripe:subscription:sub_1', expiresAt: '2026-11-22T08:00:00Z', renews: true, renewalLeewayHours: 72 },
      '…4F7QK  pro  ● active  2 of 3 devices  renewal due 22 Nov, active until 25 Nov (Stripe)  ann@example.com',
    ],
    [
      { source: 'lemonsqueezy:order:1' },
      '…4F7QK  pro  ● active  2 of 3 devices  paid for good (Lemon Squeezy)  ann@example.com',
    ],
    [
      { status: 'expired', expiresAt: '2025-10-03T12:00:00Z' },
      '…4F7QK  pro  – expired  2 of 3 devices  since 3 Oct 2025  ann@example.com',
    ],
    [
      { status: 'suspended', suspendedFor: 'payment', expiresAt: '2028-01-03T12:00:00Z' },
      '…4F7QK  pro  ! suspended for a missing payment  2 of 3 devices  expires 3 Jan 2028  ann@example.com',
    ],
    [
      { status: 'revoked', revokedFor: 'tenant' },
      '…4F7QK  pro  ✗ revoked by your team  2 of 3 devices  never expires  ann@example.com',
    ],
  ] as const)('%j', (changes, line) => expect(licenseTable([license(changes)], plain, NOW).trim()).toBe(line));

  it('is followed by its facts and devices', () => {
    const devices = [
      {
        id: 'a',
        label: 'Laptop',
        memberId: null,
        firstSeenAt: '2026-11-01T12:00:00Z',
        lastSeenAt: '2026-11-22T09:00:00Z',
      },
      { id: 'b', label: null, memberId: null, firstSeenAt: '2026-11-02T12:00:00Z', lastSeenAt: '2026-11-20T12:00:00Z' },
    ];
    const team = { members: 1, maxMembers: 5, seatsPerMember: null };
    expect(licenseDetails({ ...license({ delivery: 'sent', team }), devices }, 'Tab Counter', plain, NOW)).toBe(
      [
        '  …4F7QK  pro  ● active  2 of 3 devices  never expires  ann@example.com',
        '',
        '  Extension  Tab Counter',
        '  Sold       issued by hand',
        '  Since      1 Mar',
        '  Code       mailed to the buyer',
        '  Team       1 of 5 people besides the buyer',
        `  Id         ${ID}`,
        '',
        '  DEVICE  SEEN        SINCE  ID',
        '  Laptop  3 h ago     1 Nov  a',
        '  —       2 days ago  2 Nov  b',
      ].join('\n'),
    );
  });
});

describe('a plan', () => {
  it('is named by its tier or id, or is the only one', () => {
    const [pro, team] = [plan('Pro'), plan('team', '01a1e7c2-5b0a-7c3e-9f41-2d8a6b90c1d5')];
    expect(choosePlan([pro, team], 'pro')).toBe(pro);
    expect(choosePlan([pro, team], team.id)).toBe(team);
    expect(choosePlan([team], undefined)).toBe(team);
    expect(() => choosePlan([pro, team], undefined)).toThrow('several plans');
    expect(() => choosePlan([pro], 'gold')).toThrow('no plan "gold"');
    expect(() => choosePlan([], 'pro')).toThrow('The extension has no plan.');
  });
});

describe('a device', () => {
  const device = (id: string, label: string | null) => ({ id, label, memberId: null, firstSeenAt: '', lastSeenAt: '' });
  const devices = [device('a', 'Laptop'), device('b', 'Phone'), device('c', 'phone'), device('d', null)];

  it('is named by its name or id', () => {
    expect(chooseDevice(devices, 'LAPTOP').id).toBe('a');
    expect(chooseDevice(devices, 'd').id).toBe('d');
    expect(() => chooseDevice(devices, 'phone')).toThrow('More than one device of the license is "phone".');
    expect(() => chooseDevice(devices, 'x')).toThrow('No device of the license is "x".');
    expect(() => chooseDevice([], '')).toThrow('No device uses the license.');
  });
});

describe('an expiry', () => {
  it.each([
    ['2026-12-31', '2026-12-31T23:59:59.000Z'],
    ['90d', '2027-02-20T12:00:00.000Z'],
    ['2027-01-01T00:00:00+01:00', '2026-12-31T23:00:00.000Z'],
  ])('of %s is %s', (text, time) => expect(expiryOf(text, NOW)).toBe(time));

  it.each(['2026-11-21', '0d', '2026-02-30', 'tomorrow', '90', '', '1'])('is not "%s"', (text) => {
    expect(() => expiryOf(text, NOW)).toThrow(/^".*" is (not a valid day|in the past)\.$/);
  });
});

describe('an import', () => {
  const made: FileImport = {
    id: ID,
    extensionId: ID,
    state: 'ready',
    profile: null,
    columns: [
      { name: 'Mail', field: null },
      { name: 'Kind', field: 'tier' },
    ],
    missing: [],
    products: [{ value: 'E-book', lines: 1, tier: null }],
    statuses: [],
    notes: [],
    lines: 2,
    done: 2,
    created: 1,
    existing: 0,
    skipped: 0,
    faults: 0,
    firstFaults: [],
    codes: 0,
    sha256: '',
    requestedBy: null,
    createdAt: '2026-01-01T12:00:00Z',
    updatedAt: '2026-01-01T12:00:00Z',
    expiresAt: '2026-01-08T12:00:00Z',
  };

  it('is read as the options say', () => {
    expect(readingOf({})).toBeNull();
    expect(
      readingOf({ profile: 'polar', map: ['a=b=email'], tier: ['pro', 'E-book=-'], status: ['Frozen=suspended'] }),
    ).toEqual({
      profile: 'polar',
      columns: { 'a=b': 'email' },
      tiers: { '*': 'pro', 'E-book': '-' },
      statuses: { Frozen: 'suspended' },
    });
    expect(() => readingOf({ map: ['Mail'] })).toThrow('"Mail" lacks what it stands for.');
  });

  it('is refused with its faults, and with what would mend them', () => {
    const faults = { faults: 30, firstFaults: [{ line: 7, message: 'tier: must be there.' }] };
    expect(faultsOf({ ...made, ...faults })).toMatchObject({
      message: '30 of 2 lines cannot be imported. Nothing was changed.',
      exitCode: 2,
      errors: [
        { field: 'line 7', message: 'tier: must be there.' },
        { field: 'and', message: '29 more.' },
      ],
      hint: "--tier 'E-book=…' (- leaves lines out). --skip-faults imports the others.",
    });
    expect(faultsOf({ ...made, ...faults, state: 'done' })).toMatchObject({ exitCode: 1 });
    const products = [{ value: "Ann's; $(x)", lines: 1, tier: null }];
    expect(faultsOf({ ...made, ...faults, products })).toMatchObject({
      hint: expect.stringContaining(String.raw`--tier 'Ann'\''s; $(x)=…' (-`),
    });
    expect(faultsOf(made)).toBeNull();
    expect(unreadFailure(made)).toBeNull();
    expect(unreadFailure({ ...made, missing: ['email', 'tier'] })).toMatchObject({
      message: 'The file does not say which column holds email and tier. Its columns: "Mail", "Kind".',
      hint: '--map "Column=email"; --tier pro, or --map "Column=tier"',
    });
  });
});

it.each(['0', '1234567890', '1.5', '-1', '', 'x'])('"%s" is not a number of devices', (text) => {
  expect(() => devicesOf(text)).toThrow(`"${text}" is not a number of devices.`);
});
