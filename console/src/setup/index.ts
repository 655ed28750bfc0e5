export { useOverview, useSetup, type StepName } from './progress';
