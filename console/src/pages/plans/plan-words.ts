import type { Schemas } from '../../api';
import { counted, number, percent } from '../../ui/format';
import type { State } from '../../ui/status';

type Plan = Schemas['Plan'];

const days = (count: number): string => counted(count, 'day');

/** The terms of a plan besides how long its licenses last, in words; empty for none. */
export const termsOf = ({
  duration,
  durationFrom,
  graceDays,
  onEnd,
  trialDays,
}: Pick<Plan, 'duration' | 'durationFrom' | 'graceDays' | 'onEnd' | 'trialDays'>): string =>
  [
    duration !== null && durationFrom === 'activation' && 'from the first device',
    graceDays > 0 && `${days(graceDays)} of grace`,
    onEnd === 'maintain' && 'then for versions released before',
    trialDays !== null && `${days(trialDays)} of trial`,
  ]
    .filter((part) => part !== false)
    .join(', ');

/** Display of the state of a trial, before the time of it. */
export const TRIAL_STATES: Readonly<Record<Schemas['Trial']['state'], readonly [state: State, word: string]>> = {
  running: ['underway', 'expires'],
  ended: ['off', 'expired'],
  converted: ['live', 'became a license'],
};

/** What the figures of trials say, in sentences. */
export function trialsText({ running, converted, ended, refused, conversion }: Schemas['TrialSummary']): string {
  const rate = conversion === null ? '' : `, which is ${percent(conversion)}`;
  return [
    `${number(running)} running.`,
    `In the last 30 days ${number(converted)} became ${converted === 1 ? 'a license' : 'licenses'} and ${number(ended)} expired without one${rate}.`,
    ...(refused === 0 ? [] : [`${number(refused)} more ${refused === 1 ? 'was' : 'were'} refused at a limit.`]),
  ].join(' ');
}
