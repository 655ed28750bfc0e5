export { PlanChoice } from './plan-choice';
export { featuresIn, metadataIn, shownFeatures, shownMetadata } from './features';
