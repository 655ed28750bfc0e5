import { answer, everything, type Schema, type Service } from '../api/service.js';
import { Failure, usageFailure } from '../failure.js';
import { table } from '../terminal/table.js';
import type { Style } from '../terminal/style.js';
import { stated, type Tone } from '../terminal/tones.js';
import { day } from '../terminal/words.js';

export type Trial = Schema<'Trial'>;
export type TrialSummary = Schema<'TrialSummary'>;

interface TrialNarrowing {
  readonly extension?: string;
  readonly email?: string;
  readonly state?: Trial['state'];
}

/** All trials that fit, newest first. */
export const listTrials = ({ client }: Service, query: TrialNarrowing): Promise<Trial[]> =>
  everything((page) => client.GET('/api/v1/trials', { params: { query: { ...query, ...page } } }));

/** The figures of an extension's trials. */
export const summarizeTrials = ({ client }: Service, extension: string): Promise<TrialSummary> =>
  answer(client.GET('/api/v1/trials/summary', { params: { query: { extension } } }));

/** Finds a trial by its id or the address of its user. @throws Failure when none or several have the address */
export async function findTrial(service: Service, wanted: string): Promise<Trial> {
  if (!wanted.includes('@'))
    return answer(service.client.GET('/api/v1/trials/{id}', { params: { path: { id: wanted } } }));
  const found = await listTrials(service, { email: wanted });
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new Failure(`${found.length === 0 ? 'No trial has' : 'Several trials have'} the address ${wanted}.`, {
    hint: 'pierhead trials list --json shows their ids.',
  });
}

/** Moves the end of a trial, unless it has changed since. */
export const moveEnd = (service: Service, { id, updatedAt }: Trial, endsAt: string): Promise<Trial> =>
  answer(
    service.client.PATCH('/api/v1/trials/{id}', {
      params: { path: { id }, header: { 'If-Match': `"${updatedAt}"` } },
      body: { endsAt },
    }),
  );

/** The days of a trial as they are typed: `14d` is 14, `none` is no trial. @throws Failure for any other text */
export function trialDaysOf(text: string): number | null {
  if (text === 'none') return null;
  const [, days] = /^(\d{1,3})d?$/.exec(text) ?? [];
  if (days === undefined) throw usageFailure(`"${text}" is not a number of days.`, 'Examples: 14d, none.');
  return Number(days);
}

/** How a trial stands, in words. */
export function trialText({ state, endsAt, convertedAt }: Trial, now: Date): string {
  if (convertedAt !== null) return `became a license ${day(convertedAt, now)}`;
  return `${state === 'running' ? 'expires' : 'expired'} ${day(endsAt, now)}`;
}

/** The figures in one line: `3 run; in 30 days 2 became licenses, 6 expired (25 %), 0 were refused`. */
export function summaryText({ running, converted, ended, refused, conversion }: TrialSummary): string {
  const share = conversion === null ? '' : ` (${Math.round(conversion * 100)} % converted)`;
  return `Running: ${running}. Last 30 days: ${converted} became licenses, ${ended} expired${share}, ${refused} refused.`;
}

const TONES = { running: 'underway', ended: 'off', converted: 'live' } as const satisfies Record<Trial['state'], Tone>;

/** One row for each trial. */
export const trialTable = (trials: readonly Trial[], style: Style, now: Date): string =>
  table(
    trials.map((trial) => [
      day(trial.startedAt, now),
      trial.tier,
      stated(style, TONES[trial.state], trialText(trial, now)),
      trial.email ?? '—',
      trial.label ?? '—',
      trial.id,
    ]),
    style,
    { heads: ['BEGAN', 'PLAN', 'STATE', 'ADDRESS', 'DEVICE', 'ID'], whole: [0, 2, 5], dispensable: [4, 0] },
  );
