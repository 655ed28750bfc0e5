/** What other tools know of an author's stores, brought to the service. Reads their files, and changes none. */
export { applyPlans, type Applied, type Refused } from './apply.js';
export { planFastlane, readFastlane } from './fastlane.js';
export { type Line, merged, type Plan } from './plan.js';
export { planSubmitEnv } from './submit-env.js';
export { planWebExt } from './web-ext.js';
