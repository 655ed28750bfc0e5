import { DAY_MS, MINUTE_MS } from '../../common/system/index.js';
import type { TrialReason } from '../leases/index.js';
import type { LinkOutcome } from './trial.entity.js';

/** Where a trial stands. */
export const TRIAL_STATES = ['running', 'ended', 'converted'] as const;
export type TrialState = (typeof TRIAL_STATES)[number];

/** The columns of a trial that its state follows from. */
export interface TrialTimes {
  readonly endsAt: Date;
  readonly convertedAt: Date | null;
}

/** Facts about a device that asks for a trial. */
export interface TrialFacts {
  /** The device's trial; null when it never had one. */
  readonly trial: TrialTimes | null;
  /** The device holds a seat of a license, perhaps a revoked one. */
  readonly isSeated: boolean;
  /** The trial that a plan of the extension offers now. */
  readonly offer: { readonly needsEmail: boolean } | null;
  /** The newest link mailed for the device that still works. */
  readonly link: { readonly email: string; readonly outcome: LinkOutcome | null; readonly mailedAt: Date } | null;
  /** The address in the request. */
  readonly email: string | null;
}

/** The answer to a device, unless a limit refuses what is to be done first. */
export interface TrialDecision {
  readonly reason: TrialReason;
  readonly act: 'answer' | 'start' | 'mail';
}

/** A link that was mailed to a device's address is not mailed again sooner. */
export const MAIL_AGAIN_MS = 10 * MINUTE_MS;

/** Addresses and labels are dropped so long after the end of a trial. */
export const NAMED_MS = 90 * DAY_MS;

/** Where a trial stands. Pure. */
export function trialStateOf({ endsAt, convertedAt }: TrialTimes, now: Date): TrialState {
  if (convertedAt !== null) return 'converted';
  return endsAt > now ? 'running' : 'ended';
}

/** Decides what a device that asks for a trial gets: the one rule of trials. A device that has had one, or has a license, gets none. Pure. */
export function decideTrial({ trial, isSeated, offer, link, email }: TrialFacts, now: Date): TrialDecision {
  if (trial !== null) return { reason: REASON_OF[trialStateOf(trial, now)], act: 'answer' };
  if (offer === null) return { reason: 'no_trial', act: 'answer' };
  if (isSeated) return { reason: 'trial_converted', act: 'answer' };
  if (!offer.needsEmail) return { reason: 'trial_active', act: 'start' };
  if (email === null && link === null) return { reason: 'email_required', act: 'answer' };
  const asked = email === null || link?.email === email ? link : null;
  if (asked?.outcome === 'taken') return { reason: 'email_taken', act: 'answer' };
  const isDue = email !== null && (asked === null || now.getTime() - asked.mailedAt.getTime() >= MAIL_AGAIN_MS);
  return { reason: 'email_unconfirmed', act: isDue ? 'mail' : 'answer' };
}

const REASON_OF = {
  running: 'trial_active',
  ended: 'trial_ended',
  converted: 'trial_converted',
} as const satisfies Readonly<Record<TrialState, TrialReason>>;

/** The UTC day of a moment. Pure. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

/** Part of a day's trials of an extension that may begin without an address. */
const WITHOUT_EMAIL = 0.8;

/** Whether so many trials have begun that the rest is kept for those who confirm an address. Pure. */
export const isNearLimit = (begun: number, limit: number): boolean => begun >= Math.ceil(limit * WITHOUT_EMAIL);

/** When a trial that begins now ends. Pure. */
export const endOfTrial = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS);

/** The part of trials that became licenses, of those that are over; null when none is. Pure. */
export const conversionOf = ({ converted, ended }: { readonly converted: number; readonly ended: number }) =>
  converted + ended === 0 ? null : converted / (converted + ended);
