/** Leading a person to a connected store, and a project to a workflow. What is asked for comes from the service's `GET /stores`. */
export { connectStore } from './connect.js';
export { checkItem } from './item-check.js';
export type { StoreDescription } from './item.js';
export { withSecondFactor } from './second-factor.js';
export { buildSteps, findRepository } from './repository.js';
export type { Publishing } from './workflow.js';
export { TAG_REF, withAnotherJob, WORKFLOW_FILE, workflowOf } from './workflow.js';
