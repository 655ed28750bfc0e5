import { describe, expect, it } from 'vitest';
import type { Target } from '../publishing/targets.js';
import {
  clockFinding,
  credentialFinding,
  sessionFinding,
  targetFinding,
  tokenFinding,
  versionFinding,
} from './findings.js';

const NOW = new Date('2026-11-22T12:00:00Z');
const after = (minutes: number): string => new Date(NOW.getTime() + minutes * 60_000).toISOString();
const DAY = 24 * 60;

it.each([
  [0, 'ok', 'agrees'],
  [1, 'ok', 'agrees'],
  [-5, 'warning', '5 min ahead of the service'],
  [5, 'warning', '5 min behind the service'],
])('a clock with the service %d minutes ahead is %s', (minutes, state, says) => {
  const { message, ...finding } = clockFinding(new Date(after(minutes)), NOW);
  expect([finding.state, message]).toEqual([state, expect.stringContaining(says)]);
});

it.each([
  ['0.1.0', '0.1.9', 'ok', null],
  ['0.1.0', '0.2.0', 'warning', 'npm install -g https://pierhead.example/cli/pierhead.tgz'],
  ['0.2.0', '0.1.0', 'warning', 'Update the service'],
  ['1.0.0', '0.9.0', 'warning', 'Update the service'],
])('program %s with service %s is %s', (ours, theirs, state, remedy) => {
  expect(versionFinding(ours, theirs, 'https://pierhead.example')).toMatchObject({
    state,
    remedy: remedy === null ? null : expect.stringContaining(remedy),
  });
});

it.each([
  [30 * DAY, 'ok', 'expires in 30 days'],
  [DAY, 'warning', 'expires in 1 day'],
])('a session that expires in %d minutes is %s', (minutes, state, says) => {
  expect(sessionFinding('Logged in as ann@example.com', { expiresAt: after(minutes) }, NOW)).toMatchObject({
    state,
    message: expect.stringContaining(says),
  });
});

it.each([
  [['extensions:read', 'artifacts:write', 'licenses:read'], 'ok', null],
  [['artifacts:write'], 'warning', 'needs extensions:read:'],
  [[], 'warning', 'needs extensions:read and artifacts:write:'],
])('a token with %j is %s', (scopes, state, remedy) => {
  expect(tokenFinding(scopes, null, NOW)).toMatchObject({
    state,
    remedy: remedy === null ? null : expect.stringContaining(remedy),
  });
});

it.each([
  [20 * DAY, 'ok', 'expires in 20 days.'],
  [3 * DAY, 'warning', 'expires in 3 days.'],
])('a token that expires in %d minutes is %s', (minutes, state, says) => {
  const finding = tokenFinding(['extensions:read', 'artifacts:write'], new Date(after(minutes)), NOW);
  expect(finding).toMatchObject({ state, message: expect.stringContaining(says) });
  expect(finding.remedy === null).toBe(state === 'ok');
});

describe('a key', () => {
  const key = {
    id: 'id',
    store: 'edge' as const,
    label: 'studio',
    lastFour: '9f5a',
    identity: '',
    verifiedAt: after(-120),
    createdAt: '',
    updatedAt: '',
  };
  const RENEW = 'Renew it with: pierhead connect edge';
  it.each([
    ['ok', -120, null, 'ok', 'worked 2 h ago', null],
    ['ok', -120, 20 * DAY, 'ok', 'expires in 20 days', null],
    ['expires_soon', 9 * DAY, 9 * DAY, 'warning', 'expires in 9 days', RENEW],
    ['expired', -DAY, -DAY, 'failed', 'expired 1 day ago', RENEW],
    ['refused', -120, 9 * DAY, 'failed', 'was first refused 2 h ago, and still is', RENEW],
  ] as const)('that is %s (%s), and expires in %s, is %s', (health, at, expiry, state, words, remedy) => {
    const expiresAt = expiry === null ? null : after(expiry);
    expect(credentialFinding({ ...key, expiresAt, health: { state: health, at: after(at) } }, NOW)).toEqual({
      check: 'credential',
      state,
      message: `The key "studio" of Edge (…9f5a) ${words}.`,
      remedy,
    });
  });
});

describe('a target', () => {
  type Part = Partial<{ [Member in keyof Target]: Partial<Target[Member]> }>;
  const target = ({ status, display, health, ...rest }: Part): Target =>
    ({
      store: 'chrome',
      channel: null,
      paused: false,
      ...rest,
      status: { phase: 'live', message: 'Why.', failures: 0, ...status },
      display: { word: 'live', tone: 'live', ...display },
      health: { state: 'ok', at: null, ...health },
    }) as Target;
  const needsYou = { word: 'needs you', tone: 'needs_you' } as const;
  it.each<[Part, string, string]>([
    [{}, 'ok', 'Owl at Chrome is live.'],
    [{ display: { word: 'nothing pushed', tone: 'off' } }, 'ok', 'Owl at Chrome is ready.'],
    [{ display: { word: 'in review', tone: 'underway' } }, 'ok', 'Owl at Chrome is in review.'],
    [{ status: { phase: 'incomplete' }, display: needsYou }, 'failed', 'Owl at Chrome is not connected: Why.'],
    [{ display: needsYou }, 'failed', 'Owl at Chrome needs you: Why.'],
    [{ display: { word: 'rejected', tone: 'rejected' } }, 'failed', 'Owl at Chrome is rejected: Why.'],
    [{ paused: true }, 'warning', 'Owl at Chrome is paused.'],
    [
      { status: { failures: 3 }, health: { state: 'failing' } },
      'warning',
      'Owl at Chrome has failed 3 times in a row: Why.',
    ],
    [{ health: { state: 'stalled' } }, 'warning', 'Owl at Chrome makes no progress: Why.'],
    [{ health: { state: 'overdue', at: after(-61) } }, 'failed', 'Owl at Chrome should have been checked 1 h ago.'],
  ])('%j is %s', (part, state, message) => {
    const found = targetFinding('Owl', target(part), NOW);
    expect([found.state, found.message, found.remedy === null]).toEqual([state, message, state === 'ok']);
  });
});
