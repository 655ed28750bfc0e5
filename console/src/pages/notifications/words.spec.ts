import { describe, expect, it } from 'vitest';
import { answerOf, endpointStatus, EVENT_KINDS, eventsOf, outcomeOf, successOf, USUAL_KINDS } from './words';

type Endpoint = Parameters<typeof endpointStatus>[0];
type Delivery = Parameters<typeof outcomeOf>[0];

const NOW = Date.parse('2030-06-15T12:00:00Z');
const LATER = '2030-06-15T13:00:01Z';
const MAIL = { kind: 'email', confirmedAt: null, confirmationExpiresAt: LATER };
const endpoint = (rest: object) =>
  ({
    kind: 'webhook',
    enabled: true,
    disabledBecause: null,
    confirmedAt: null,
    confirmationExpiresAt: null,
    health: { state: 'ok', failed: 0, of: 3, lastWeek: { tried: 0, arrived: 0 } },
    ...rest,
  }) as unknown as Endpoint;
const delivery = (rest: object) =>
  ({
    status: 'pending',
    attempts: 0,
    nextTryAt: null,
    lastStatus: null,
    lastError: null,
    ...rest,
  }) as unknown as Delivery;

describe('an endpoint', () => {
  it.each([
    [{}, 'live', 'receiving'],
    [{ disabledBecause: 'gone', enabled: false }, 'rejected', 'gone'],
    [{ disabledBecause: 'unsubscribed', enabled: false }, 'off', 'unsubscribed'],
    [{ enabled: false, health: { state: 'failing' } }, 'off', 'switched off'],
    [{ health: { state: 'failing', failed: 2, of: 3 } }, 'needs_you', 'failing: 2 of 3'],
    [MAIL, 'needs_you', 'not confirmed'],
    [{ ...MAIL, confirmedAt: LATER }, 'live', 'receiving'],
  ])('with %j is %s: %s', (rest, state, word) => {
    expect(endpointStatus(endpoint(rest), NOW)).toMatchObject({ state, word });
  });

  it.each([
    [0, 0, null],
    [3, 3, '100 % of 3 arrived in 7 days'],
    [499, 500, '99.8 % of 500 arrived in 7 days'],
    [2, 3, '66.6 % of 3 arrived in 7 days'],
    [0, 1, '0 % of 1 arrived in 7 days'],
  ])('that took %d of %d says: %s', (arrived, tried, said) => {
    expect(successOf(endpoint({ health: { lastWeek: { tried, arrived } } }))).toBe(said);
  });

  it('whose address is not confirmed says whether the link still works', () => {
    const next = (now: number): string => endpointStatus(endpoint(MAIL), now).next ?? '';
    expect(next(NOW)).toMatch(/has a link by mail/);
    expect(next(Date.parse(LATER))).toMatch(/no longer works/);
  });

  it.each([
    [[], 'No events'],
    [['live'], 'A version is live'],
    [['live', 'rejected'], '2 events'],
    [EVENT_KINDS, 'All events'],
    [USUAL_KINDS, 'All events but those of licenses'],
    [USUAL_KINDS.toSpliced(0, 1, 'license.issued'), `${USUAL_KINDS.length} events`],
  ])('for %j has %s', (events, words) => {
    const all = { extensionIds: null, planIds: null, tiers: null };
    expect(eventsOf(endpoint({ events, ...all }))).toBe(words);
    for (const filter of ['extensionIds', 'planIds', 'tiers'])
      expect(eventsOf(endpoint({ events, ...all, [filter]: ['1'] }))).toBe(`${words}, of some extensions or plans`);
  });
});

describe('a delivery', () => {
  it.each([
    [{ status: 'delivered' }, 'delivered'],
    [{ status: 'given_up' }, 'given up'],
    [{}, 'on its way'],
    [{ attempts: 1 }, 'trying again'],
    [{ attempts: 1, nextTryAt: '2030-06-15T12:01:00Z' }, 'trying again'],
  ])('with %j is %s', (rest, word) => {
    expect(outcomeOf(delivery(rest), NOW).word).toBe(word);
  });

  it('that is tried again later says when', () => {
    expect(outcomeOf(delivery({ attempts: 1, nextTryAt: LATER }), NOW).word).toMatch(/^next try /);
  });

  it.each([
    [{}, 'Not tried yet'],
    [{ attempts: 1 }, 'No answer'],
    [{ attempts: 2, lastStatus: 503 }, 'Answered 503 · 2 tries'],
    [{ attempts: 1, lastStatus: 200 }, 'Answered 200'],
    [{ attempts: 3, lastError: 'timeout' }, 'No answer within 10 seconds · 3 tries'],
    [{ attempts: 1, lastError: 'EPROTO' }, 'EPROTO'],
  ])('with %j answered: %s', (rest, words) => {
    expect(answerOf(delivery(rest))).toBe(words);
  });
});
