import { describe, expect, it } from 'vitest';
import { justificationFaults, privacyFields, type Justifications } from './justifications.js';

const REQUESTED = {
  permissions: ['tabs', 'storage'],
  optionalPermissions: ['history', 'https://b.example/*'],
  hostPermissions: ['https://a.example/*'],
};
const NOTHING = { permissions: [], optionalPermissions: [], hostPermissions: [] };
const WHOLE = {
  singlePurpose: 'Counts tabs.',
  permissions: { tabs: 'To count.', storage: 'To remember.', history: 'To compare.' },
  hosts: { 'https://a.example/*': 'To show it.', 'https://b.example/*': 'To show that.' },
  dataUses: { webHistory: 'Addresses of tabs, on the device.' },
} as const satisfies Justifications;

describe('the faults of justifications', () => {
  it.each<[string, object, Justifications, readonly string[]]>([
    ['none where each request has its reason', REQUESTED, WHOLE, []],
    ['none where one reason is for each host', REQUESTED, { ...WHOLE, hosts: { '*': 'To show it.' } }, []],
    [
      'requests without a reason',
      REQUESTED,
      { permissions: { tabs: 'To count.', storage: 'To remember.' } },
      [
        'The single purpose of the extension is not stated.',
        'The permission history has no reason.',
        'The hosts https://a.example/*, https://b.example/* have no reason.',
      ],
    ],
    [
      'reasons without a request',
      NOTHING,
      { singlePurpose: 'Waits.', permissions: { tabs: 'x' }, hosts: { '*': 'y', 'https://a.example/*': 'z' } },
      [
        'There is a reason for the permission tabs, which the manifest does not request.',
        'There is a reason for the host *, which the manifest does not request.',
        'There is a reason for the host https://a.example/*, which the manifest does not request.',
      ],
    ],
    [
      'more than the one field for hosts takes',
      { ...NOTHING, hostPermissions: ['https://a.example/*'] },
      { singlePurpose: 'Waits.', hosts: { '*': 'x'.repeat(1001) } },
      ['The reasons for hosts have 1001 characters together; the one field for them takes 1000.'],
    ],
    [
      'more than a field takes, and data of no kind',
      NOTHING,
      { singlePurpose: 'x'.repeat(1001), dataUses: { shoes: 'x', health: 'y'.repeat(1001) } },
      [
        'The single purpose has 1001 characters; its field takes 1000.',
        'The text for health has 1001 characters; its field takes 1000.',
        'shoes is no kind of data; they are personallyIdentifiable, health, financial, authentication, personalCommunications, location, webHistory, userActivity, websiteContent.',
      ],
    ],
    [
      'names that objects have by themselves',
      { ...NOTHING, permissions: ['constructor'] },
      { singlePurpose: 'Waits.', permissions: {} },
      ['The permission constructor has no reason.'],
    ],
  ])('%s', (_title, requested, given, faults) => {
    expect(justificationFaults({ ...NOTHING, ...requested }, given)).toEqual(faults);
  });
});

describe('the fields of a privacy page', () => {
  it.each<[string, object, Justifications, readonly (readonly [string, string | null])[]]>([
    [
      'have a text each, and one for all hosts',
      REQUESTED,
      WHOLE,
      [
        ['Single purpose', 'Counts tabs.'],
        ['Permission tabs', 'To count.'],
        ['Permission storage', 'To remember.'],
        ['Permission history', 'To compare.'],
        ['Host permissions', 'https://a.example/*: To show it.\nhttps://b.example/*: To show that.'],
        ['Data: Web history', 'Addresses of tabs, on the device.'],
      ],
    ],
    [
      'show what is missing',
      { permissions: ['tabs'], hostPermissions: ['https://a.example/*'] },
      { singlePurpose: 'Counts tabs.', permissions: { bookmarks: 'Gone.' } },
      [
        ['Single purpose', 'Counts tabs.'],
        ['Permission tabs', null],
        ['Host permissions', null],
      ],
    ],
    ['are few where little is requested', NOTHING, {}, [['Single purpose', null]]],
  ])('%s', (_title, requested, given, fields) => {
    expect(privacyFields({ ...NOTHING, ...requested }, given).map(({ title, text }) => [title, text])).toEqual(fields);
  });
});
