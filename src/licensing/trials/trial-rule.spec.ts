import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  conversionOf,
  decideTrial,
  endOfTrial,
  isNearLimit,
  MAIL_AGAIN_MS,
  trialStateOf,
  type TrialFacts,
} from './trial-rule.js';

const DAY = 86_400_000;
const NOW = new Date('2030-06-15T12:00:00Z');
const at = (ms: number): Date => new Date(NOW.getTime() + ms);
const ANN = 'ann@example.com';
const NOTHING: TrialFacts = { trial: null, offer: { needsEmail: false }, link: null, email: null, isSeated: false };
const mailed = (ms: number, outcome: 'started' | 'taken' | null = null, email = ANN) => ({
  link: { email, outcome, mailedAt: at(-ms) },
});
const needsEmail = { offer: { needsEmail: true } };

describe('a device that asks for a trial', () => {
  it.each<[string, Partial<TrialFacts>, string, string]>([
    ['for the first time', {}, 'trial_active', 'start'],
    ['whose plan ignores its address', { email: ANN }, 'trial_active', 'start'],
    ['where none is offered', { offer: null }, 'no_trial', 'answer'],
    ['during its trial', { trial: { endsAt: at(1), convertedAt: null } }, 'trial_active', 'answer'],
    ['at its end', { trial: { endsAt: NOW, convertedAt: null } }, 'trial_ended', 'answer'],
    ['after a code', { trial: { endsAt: at(DAY), convertedAt: NOW } }, 'trial_converted', 'answer'],
    ['when the offer is gone', { offer: null, trial: { endsAt: at(1), convertedAt: null } }, 'trial_active', 'answer'],
    ['with a license', { isSeated: true }, 'trial_converted', 'answer'],
    ['with a license and an address', { ...needsEmail, email: ANN, isSeated: true }, 'trial_converted', 'answer'],
    ['without the address', needsEmail, 'email_required', 'answer'],
    ['with an address', { ...needsEmail, email: ANN }, 'email_unconfirmed', 'mail'],
    ['with the same again', { ...needsEmail, email: ANN, ...mailed(1) }, 'email_unconfirmed', 'answer'],
    ['with it ten minutes later', { ...needsEmail, email: ANN, ...mailed(MAIL_AGAIN_MS) }, 'email_unconfirmed', 'mail'],
    ['with another one', { ...needsEmail, email: 'bob@example.com', ...mailed(1) }, 'email_unconfirmed', 'mail'],
    ['while the mail is unread', { ...needsEmail, ...mailed(DAY - 1) }, 'email_unconfirmed', 'answer'],
    ['when its address had one', { ...needsEmail, ...mailed(1, 'taken') }, 'email_taken', 'answer'],
    ['with it once more', { ...needsEmail, email: ANN, ...mailed(DAY - 1, 'taken') }, 'email_taken', 'answer'],
    [
      'with one that is free',
      { ...needsEmail, email: 'b@example.com', ...mailed(1, 'taken') },
      'email_unconfirmed',
      'mail',
    ],
  ])('%s', (_, facts, reason, act) => {
    expect(decideTrial({ ...NOTHING, ...facts }, NOW)).toEqual({ reason, act });
  });

  /** Everything that can happen, with the hours that pass before it. */
  const happening = fc.record({
    hours: fc.nat(80),
    what: fc.constantFrom(
      'ask',
      'ask',
      'ask with an address',
      'press the button',
      'activate a code',
      'offer',
      'withdraw',
    ),
  });

  it('gets one trial at most, as long as was offered, whatever happens in which order', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.integer({ min: 1, max: 10 }),
        fc.boolean(),
        fc.array(happening, { maxLength: 40 }),
        (asksEmail, days, isTaken, happenings) => {
          let now = NOW;
          let facts: TrialFacts = { ...NOTHING, offer: { needsEmail: asksEmail } };
          const offer = facts.offer;
          const started: Date[] = [];
          const start = (): void => {
            started.push(now);
            facts = { ...facts, trial: { endsAt: endOfTrial(now, days), convertedAt: null } };
          };
          for (const { hours, what } of happenings) {
            now = new Date(now.getTime() + hours * 3_600_000);
            if (what === 'offer') facts = { ...facts, offer };
            if (what === 'withdraw') facts = { ...facts, offer: null };
            if (what === 'activate a code' && facts.trial !== null && facts.trial.convertedAt === null)
              facts = { ...facts, trial: { ...facts.trial, convertedAt: now } };
            if (what === 'press the button' && facts.link?.outcome === null && facts.offer !== null) {
              if (!isTaken && facts.trial === null) start();
              facts = { ...facts, link: { ...facts.link, outcome: isTaken ? 'taken' : 'started' } };
            }
            if (!what.startsWith('ask')) continue;
            const asked = { ...facts, email: what === 'ask' ? null : ANN };
            const decided = decideTrial(asked, now);
            if (decided.act === 'start') start();
            if (decided.act === 'mail') facts = { ...facts, link: { email: ANN, outcome: null, mailedAt: now } };
            // Whoever asks again learns the same, and nothing more is done.
            const again = decideTrial({ ...facts, email: asked.email }, now);
            expect(again).toEqual({ reason: decided.reason, act: 'answer' });
            expect(asksEmail && decided.act === 'start').toBe(false);
            const [from] = started;
            const isWithin = from !== undefined && now < endOfTrial(from, days);
            expect(decided.reason === 'trial_active').toBe(isWithin && facts.trial?.convertedAt === null);
            if (isTaken && asksEmail) expect(decided.reason).not.toBe('trial_active');
          }
          expect(started.length).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

it('a trial is in one state, which never goes back to running by itself', () => {
  fc.assert(
    fc.property(fc.integer({ min: -9, max: 9 }), fc.option(fc.integer({ min: -9, max: 0 })), (end, converted) => {
      const trial = { endsAt: at(end), convertedAt: converted === null ? null : at(converted) };
      const [first, later] = [trialStateOf(trial, NOW), trialStateOf(trial, at(5))];
      expect(first).toBe(converted !== null ? 'converted' : end > 0 ? 'running' : 'ended');
      if (first !== 'running') expect(later).toBe(first);
    }),
  );
});

it.each([
  [0, 0, null],
  [0, 4, 0],
  [1, 7, 0.125],
  [3, 0, 1],
])('of %d licenses and %d ended trials the share is %j', (converted, ended, share) => {
  expect(conversionOf({ converted, ended })).toBe(share);
});

describe('the part of a day’s trials that is kept for confirmed addresses', () => {
  it.each([
    [0, 1, false],
    [1, 1, true],
    [3, 4, false],
    [4, 4, true],
    [7, 10, false],
    [8, 10, true],
    [799, 1000, false],
    [800, 1000, true],
    [1001, 1000, true],
  ])('after %i of %i: %s', (begun, limit, isNear) => {
    expect(isNearLimit(begun, limit)).toBe(isNear);
  });
});
