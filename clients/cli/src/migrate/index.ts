/** Imports what other tools know about an author's stores. Reads their files, and changes none. */
export { applyPlans, type Applied, type Refused } from './apply.js';
export { planFastlane, readFastlane } from './fastlane.js';
export { type Line, merged, type Plan } from './plan.js';
export { planSubmitEnv } from './submit-env.js';
export { planWebExt } from './web-ext.js';
