/**
 * What became of an answer. `sending` and `withdrawing`: asked of the store, which has not confirmed it; the next reading tells. `pending`: the store
 * has it, and users do not see it yet.
 */
export const ANSWER_STATES = ['sending', 'withdrawing', 'pending', 'published'] as const;
export type AnswerState = (typeof ANSWER_STATES)[number];
