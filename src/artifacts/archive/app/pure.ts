/** Signed packages for the App Store: what one holds. Pure, but for reading the file. */
export { inspectApp, type AppPackage } from './inspect-app.js';
