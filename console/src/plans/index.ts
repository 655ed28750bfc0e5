export { PlanChoice } from './plan-choice';
export { featuresIn, metadataIn, shownFeatures, shownMetadata } from './features';
export { durationIn, shownDuration } from './duration';
