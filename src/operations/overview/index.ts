/**
 * A tenant's view of everything: the state of all extensions at all stores and what needs attention, a stream of changes, and a search. Reads
 * the tables of all folders, and writes none.
 */
export { OverviewModule } from './overview.module.js';
