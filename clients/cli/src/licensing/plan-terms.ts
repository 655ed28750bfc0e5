import type { Schema } from '../api/service.js';
import { usageFailure } from '../failure.js';
import { list } from '../terminal/words.js';
import { durationInWords, durationOf } from './expiry.js';

/** Options about the end of a plan's licenses. */
export interface TermOptions {
  readonly duration?: string;
  readonly starts?: string;
  readonly grace?: string;
  readonly leeway?: string;
  readonly atEnd?: string;
  readonly notices?: string;
  readonly noticeText?: string;
}

export const TERM_OPTIONS = [
  ['--duration <term>', 'how long a license lasts that is sold once, such as 1y, or none'],
  ['--starts <when>', 'when that begins: at issue, or at the first activation'],
  ['--grace <days>', 'how many days a license goes on after its end'],
  ['--leeway <hours>', 'how many hours a subscription waits for the word of its renewal, or default'],
  ['--at-end <what>', 'expire, or maintain: it goes on for versions that were released before'],
  ['--notices <days>', 'days before the end on which buyers get a mail, of 30,7,1, or none'],
  ['--notice-text <words>', 'your own words in these mails, or none'],
] as const;

const STARTS = ['issue', 'activation'] as const;
const AT_END = ['expire', 'maintain'] as const;

type Terms = Pick<
  Schema<'UpdatePlan'>,
  'duration' | 'durationFrom' | 'graceDays' | 'renewalLeewayHours' | 'onEnd' | 'noticeDays' | 'noticeText'
>;

/** The terms that options name. @throws Failure for a word or number that is none */
export function termsOf({ duration, starts, grace, leeway, atEnd, notices, noticeText }: TermOptions): Terms {
  return {
    ...(duration === undefined ? {} : { duration: durationOf(duration) }),
    ...(starts === undefined ? {} : { durationFrom: wordOf('--starts', starts, STARTS) }),
    ...(grace === undefined ? {} : { graceDays: daysOf(grace) }),
    ...(leeway === undefined ? {} : { renewalLeewayHours: leeway === 'default' ? null : hoursOf(leeway) }),
    ...(atEnd === undefined ? {} : { onEnd: wordOf('--at-end', atEnd, AT_END) }),
    ...(notices === undefined ? {} : { noticeDays: noticesOf(notices) }),
    ...(noticeText === undefined ? {} : { noticeText: noticeText === 'none' ? null : noticeText }),
  };
}

function wordOf<Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === text);
  if (word === undefined)
    throw usageFailure(`"${text}" is not a value of ${option}.`, `It takes ${words.join(' or ')}.`);
  return word;
}

function daysOf(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw usageFailure(`"${text}" is not a number of days.`, 'Example: --grace 7');
  return Number(text);
}

function hoursOf(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw usageFailure(`"${text}" is not a number of hours.`, 'Example: --leeway 72');
  return Number(text);
}

const NOTICES = [30, 7, 1] as const;

const noticesOf = (text: string): (typeof NOTICES)[number][] =>
  text === 'none'
    ? []
    : text
        .split(',')
        .map((one) => Number(wordOf('--notices', one.trim(), ['30', '7', '1'])) as (typeof NOTICES)[number]);

/** The terms of a plan in words, such as `for 1 year from the first activation`; none for a plan that has none. */
export const termsInWords = ({
  duration,
  durationFrom,
  graceDays,
  renewalLeewayHours,
  onEnd,
  noticeDays,
}: Pick<Schema<'Plan'>, keyof Terms>): readonly string[] => [
  ...(duration === null
    ? []
    : [`for ${durationInWords(duration)}${durationFrom === 'activation' ? ' from the first activation' : ''}`]),
  ...(onEnd === 'maintain' ? ['maintained until its end'] : []),
  ...(graceDays === 0 ? [] : [`with ${graceDays} ${graceDays === 1 ? 'day' : 'days'} of grace`]),
  ...(renewalLeewayHours === null ? [] : [`renewals awaited for ${renewalLeewayHours} h`]),
  ...(noticeDays.length === 0 ? [] : [`announced ${list(noticeDays.map(String))} days before`]),
];
