import type { ServedDifferences } from '../../artifacts/index.js';
import { quotable } from '../../common/net/pure.js';
import type { NewEvent } from '../../registry/index.js';
import { eventOf, remedyOf } from './context.js';

/** Result of comparing the file that a store serves of a version with the package that it was sent. */
export type FileOutcome =
  | { readonly result: 'same' | 'not_sent'; readonly version: string }
  | { readonly result: 'unreadable'; readonly version: string; readonly why: string }
  | { readonly result: 'differs'; readonly version: string; readonly differences: ServedDifferences };

/** What the timeline was told of the file that users of a target get. */
export interface ToldOfFile {
  /** The outcomes, the last one first. */
  readonly outcomes: readonly string[];
  /** Since the last outcome, it was told that the file cannot be read. */
  readonly isUnread: boolean;
}

export const NOTHING_TOLD: ToldOfFile = { outcomes: [], isUnread: false };

const ALARMS: readonly FileOutcome['result'][] = ['differs', 'unreadable'];
/** Outcomes that are remembered: a store may serve several versions at a time. */
const REMEMBERED = 20;
/** Paths that an alarm names, of each kind of difference. */
const NAMED = 5;
const PATH_LENGTH = 120;

/** Decides whether an outcome is told: each is once, and after an alarm also that the file is right again, which ends the alarm. Pure. */
export function newsOf(
  told: ToldOfFile,
  outcome: FileOutcome,
): { readonly isNews: boolean; readonly told: ToldOfFile } {
  const key = keyOf(outcome);
  const isEnded = (one: string): boolean =>
    outcome.result === 'same' && ALARMS.some((alarm) => one.startsWith(`${alarm} ${outcome.version} `));
  const others = told.outcomes.filter((one) => one !== key && !isEnded(one));
  return {
    isNews: told.outcomes.some(isEnded) || !told.outcomes.includes(key),
    told: { outcomes: [key, ...others].slice(0, REMEMBERED), isUnread: false },
  };
}

const keyOf = (outcome: FileOutcome): string =>
  [outcome.result, outcome.version, outcome.result === 'differs' ? outcome.differences.digest : ''].join(' ');

type AboutTarget = Parameters<typeof eventOf>[0];

/** The event that tells an outcome; another file than was sent is an alarm, and so is one that only a browser may be able to read. Pure. */
export function eventOfFile(about: AboutTarget, outcome: FileOutcome): NewEvent {
  const { result, version } = outcome;
  switch (result) {
    case 'same':
      return eventOf(about, version, 'observed', `The file of version ${version} is the one that was sent.`, {});
    case 'not_sent': {
      const message = `The file of version ${version} cannot be compared: no package is kept that Pierhead sent as this version.`;
      return eventOf(about, version, 'observed', message, {});
    }
    case 'unreadable': {
      const message = `The file of version ${version} is not the one that was sent. ${outcome.why} If the store does not explain it, ${remedyOf(about)}`;
      return eventOf(about, version, 'unexpected_version', message, {});
    }
    case 'differs': {
      const { changed, added, missing } = outcome.differences;
      const message = `The file of version ${version} is not the one that was sent: ${named(outcome.differences)}. If neither your team nor the store explains it, ${remedyOf(about)}`;
      const data = { changed: changed.slice(0, NAMED), added: added.slice(0, NAMED), missing: missing.slice(0, NAMED) };
      return eventOf(about, version, 'unexpected_version', message, data);
    }
  }
}

/** The event that tells that the file could not be read for some time. Pure. */
export const eventOfUnread = (about: AboutTarget, failure: string): NewEvent =>
  eventOf(about, null, 'observed', `The file that users get could not be compared, and is tried again. ${failure}`, {});

function named({ changed, added, missing }: ServedDifferences): string {
  return [
    ['changed', changed],
    ['added', added],
    ['missing', missing],
  ]
    .filter((kind): kind is [string, readonly string[]] => kind[1] !== undefined && kind[1].length > 0)
    .map(([kind, paths]) => {
      const first = paths.slice(0, NAMED).map((path) => quotable(path, PATH_LENGTH));
      const others = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
      return `${kind} ${first.join(', ')}${others}`;
    })
    .join('; ');
}
