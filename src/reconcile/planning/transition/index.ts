/** Consequences of a store's answer. Pure. */
export type { Timing } from './change-status.js';
export type { Attempt, Transition } from './events.js';
export { transition } from './transition.js';
