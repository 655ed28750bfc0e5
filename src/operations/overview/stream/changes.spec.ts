import { describe, expect, it } from 'vitest';
import type { Caller, Role, Scope } from '../../../common/access/index.js';
import { changesOf, MAX_AT_ONCE, visibleTo, type Change, type Written } from './changes.js';

const row = (source: string, extensionId: string | null = null, id: string | null = null): Written => ({
  tenantId: 'tenant',
  source,
  extensionId,
  id,
});

describe('the changes that written rows amount to', () => {
  it.each<[string, readonly Written[], readonly Change[]]>([
    ['nothing of nothing', [], []],
    [
      'an event: its target, the timeline and the versions',
      [row('event', 'tabs', 'chrome')],
      [
        { resource: 'targets', extensionId: 'tabs', id: 'chrome' },
        { resource: 'events', extensionId: 'tabs' },
        { resource: 'releases', extensionId: 'tabs' },
      ],
    ],
    [
      'a change by somebody: what it is about, what shows it too, and the audit log',
      [row('license', 'tabs', 'sold')],
      [
        { resource: 'licenses', extensionId: 'tabs', id: 'sold' },
        { resource: 'orders', extensionId: 'tabs' },
        { resource: 'trials', extensionId: 'tabs' },
        { resource: 'audit', extensionId: 'tabs' },
      ],
    ],
    [
      'the same thing in two tables: one change',
      [row('license_row', 'tabs', 'sold'), row('license', 'tabs', 'sold')],
      [
        { resource: 'licenses', extensionId: 'tabs', id: 'sold' },
        { resource: 'orders', extensionId: 'tabs' },
        { resource: 'trials', extensionId: 'tabs' },
        { resource: 'audit', extensionId: 'tabs' },
      ],
    ],
    [
      'a plan: also what its licenses allow',
      [row('plan', 'tabs', 'pro')],
      [
        { resource: 'plans', extensionId: 'tabs', id: 'pro' },
        { resource: 'licenses', extensionId: 'tabs' },
        { resource: 'audit', extensionId: 'tabs' },
      ],
    ],
    [
      'a product that is of no plan: the inbox, which lists it',
      [row('unrelated_product', null, 'cap')],
      [{ resource: 'audit', id: 'cap' }, { resource: 'inbox' }],
    ],
    ['several members: the collection', [row('inbox_row')], [{ resource: 'inbox' }]],
    ['what only the audit log shows: the audit log', [row('session', null, 'one')], [{ resource: 'audit', id: 'one' }]],
  ])('%s', (_, written, changes) => {
    expect(changesOf(written)).toEqual(changes);
  });
});

const caller = (role: Role | null, scopes: readonly Scope[], rest: Partial<Caller> = {}): Caller => ({
  tenantId: 'tenant',
  userId: null,
  sessionId: null,
  tokenId: 'token',
  isOperator: false,
  extensionIds: null,
  scopes,
  role,
  actor: { kind: 'token', id: 'token', name: 'CI', role, owner: null },
  ...rest,
});
const inConsole = (role: Role): Caller =>
  caller(role, ['*'], { actor: { kind: 'user', id: 'user', name: 'Ann', role, sessionId: 'session' } });

describe('the changes that a caller may see', () => {
  const all: readonly Change[] = [
    { resource: 'targets', extensionId: 'tabs' },
    { resource: 'licenses', extensionId: 'tabs' },
    { resource: 'inbox' },
    { resource: 'credentials' },
    { resource: 'members' },
    { resource: 'audit' },
  ];
  it.each<[string, Caller, readonly string[]]>([
    [
      'an owner at the console',
      inConsole('owner'),
      ['targets', 'licenses', 'inbox', 'credentials', 'members', 'audit'],
    ],
    ['a publisher', inConsole('publisher'), ['targets', 'credentials', 'members']],
    ['support', inConsole('support'), ['targets', 'licenses', 'inbox', 'members']],
    ['a viewer', inConsole('viewer'), ['targets', 'licenses', 'inbox', 'credentials', 'members']],
    ['a token with everyday scopes', caller('owner', ['*']), ['targets', 'licenses', 'inbox']],
    ['a token that reads extensions', caller(null, ['extensions:read']), ['targets']],
    ['a token that reads the audit log', caller(null, ['extensions:read', 'audit:read']), ['targets', 'audit']],
    ['a token of a publisher', caller('publisher', ['*']), ['targets']],
    ['a token of this extension', caller('owner', ['*'], { extensionIds: ['tabs'] }), ['targets', 'licenses']],
    ['a token of another extension', caller('owner', ['*'], { extensionIds: ['owl'] }), []],
    ['a token of no extension that is left', caller('owner', ['*'], { extensionIds: [] }), []],
  ])('%s', (_, listener, resources) => {
    expect(visibleTo(listener, all).map(({ resource }) => resource)).toEqual(resources);
  });

  it('are one for each collection when there are very many at once', () => {
    const many = Array.from({ length: MAX_AT_ONCE }, (__, at): Change => ({
      resource: 'events',
      extensionId: `${at}`,
    }));
    expect(visibleTo(inConsole('owner'), many)).toEqual(many);
    expect(visibleTo(inConsole('owner'), [...many, { resource: 'inbox' }])).toEqual([
      { resource: 'events' },
      { resource: 'inbox' },
    ]);
  });
});
