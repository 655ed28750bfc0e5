/** What follows from an answer of a store. Pure. */
export type { Timing } from './change-status.js';
export type { Attempt, Transition } from './events.js';
export { transition } from './transition.js';
