/** What an invitation needs of members. */
export { canChangeRole } from './member-rules.js';
export { OwnerRequired } from './members.problems.js';
