export { isUsed } from './followed';
export { useOverview, useSetup, type StepName } from './progress';
