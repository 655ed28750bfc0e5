/** Rules and problems of members that invitations share. */
export { canChangeRole } from './member-rules.js';
export { OwnerRequired } from './members.problems.js';
