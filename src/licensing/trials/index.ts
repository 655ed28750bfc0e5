/** Trials: a device, and an address where the seller asks for one, can use a plan once for a while without a license. */
export { TrialsModule } from './trials.module.js';
/** @public for tests, which decide when it runs */
export { TrialUpkeepService } from './trial-upkeep.service.js';
