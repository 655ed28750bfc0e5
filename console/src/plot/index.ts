export { type Drawing } from './drawing';
export { Plot } from './plot';
export { byRecentUse, mostOf, releasesByDay, sharesOf, type Series } from './series';
