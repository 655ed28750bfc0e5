/**
 * What a tenant sees of everything at once: how all extensions stand at all stores and what needs a person, what changes while somebody looks,
 * and a search through all of it. Reads the tables of all folders, and writes none.
 */
export { OverviewModule } from './overview.module.js';
