import { describe, expect, it } from 'vitest';
import { chooseToken, tokenTable, type Token } from './tokens.js';

const NOW = new Date('2026-11-22T12:00:00Z');
const plain = (_format: unknown, text: string): string => text;

const token = (id: string, name: string, changes: Partial<Token> = {}): Token => ({
  id,
  name,
  scopes: ['artifacts:write', 'extensions:read'],
  extensionIds: null,
  createdBy: 'ann@example.com',
  expiresAt: null,
  lastFour: `000${id}`,
  lastUsedAt: null,
  lastUsedAddress: null,
  lastUsedClient: null,
  createdAt: '2026-11-01T12:00:00Z',
  updatedAt: '2026-11-01T12:00:00Z',
  ...changes,
});

describe('an access token', () => {
  const tokens = [token('1', 'CI'), token('2', 'CI'), token('3', 'Backup')];

  it('is named by its name, its last four characters or its id', () => {
    for (const name of ['Backup', '0003', '…0003', '3']) expect(chooseToken(tokens, name).id).toBe('3');
    expect(() => chooseToken(tokens, 'CI')).toThrow('"CI" names 2 access tokens.');
    expect(() => chooseToken(tokens, 'backup')).toThrow('There is no access token "backup".');
  });

  it('has a row that says what it may do, until when, and when it was used', () => {
    const used = token('1', 'CI', {
      extensionIds: ['x', 'y'],
      expiresAt: '2026-12-24T12:00:00Z',
      lastUsedAt: '2026-11-22T10:00:00Z',
    });
    const ended = token('2', 'Backup', { scopes: ['*'], expiresAt: '2026-11-21T12:00:00Z' });
    expect(tokenTable([used, ended, token('3', 'Old')], new Map([['x', 'Tab Counter']]), plain, NOW)).toBe(
      [
        '  NAME    TOKEN  SCOPES                           EXTENSIONS      EXPIRES         LAST USED',
        '  CI      …0001  artifacts:write extensions:read  Tab Counter, y  24 Dec          2 h ago',
        '  Backup  …0002  *                                all             expired 21 Nov  never',
        '  Old     …0003  artifacts:write extensions:read  all             never           never',
      ].join('\n'),
    );
    expect(tokenTable([], new Map(), plain, NOW)).toContain('pierhead tokens create');
  });
});
