export { PlanChoice } from './plan-choice';
export { featuresIn, metadataIn, shownFeatures, shownMetadata } from './features';
export { daysIn, noticesIn } from './notices';
export { durationIn, shownDuration } from './duration';
export { limitIn, shownLimit, shownTeam } from './team';
export { PlanName } from './plan-name';
