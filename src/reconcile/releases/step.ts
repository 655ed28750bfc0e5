/** The steps of the way of a version to its store. */
export const STEPS = [
  'nothing',
  'wait',
  'upload',
  'poll',
  'submit',
  'release',
  'rollout',
  'rollback',
  'cancel',
  'ask_human',
] as const;
export type StepName = (typeof STEPS)[number];
