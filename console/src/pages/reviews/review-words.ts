import type { Schemas } from '../../api';
import { number } from '../../ui/format';

export type Review = Schemas['Review'];

/** Queries whose results change with a review. */
export const CHANGES = [['reviews']];

/** How many stars a review has, in words that a screen reader can say. */
export const starsText = (stars: number): string => `${stars} of 5 stars`;

/** How much is unread. */
export function unreadText({ unread, unreadLow }: Pick<Schemas['ReviewSummary'], 'unread' | 'unreadLow'>): string {
  if (unread === 0) return 'Everything is read.';
  return `${number(unread)} unread${unreadLow === 0 ? '' : `, ${number(unreadLow)} of them with two stars or fewer`}.`;
}

const ANSWERS: Readonly<Record<NonNullable<Review['answer']>['state'], string>> = {
  sending: 'Your answer, which the store has not confirmed',
  withdrawing: 'Your answer, which is being taken back',
  pending: 'Your answer, which the store shows soon',
  published: 'Your answer',
};

/** What an answer is, for its heading. */
export const answerText = ({ state }: NonNullable<Review['answer']>): string => ANSWERS[state];
