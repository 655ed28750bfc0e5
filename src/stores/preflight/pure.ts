/** Rules about packages: what a store's rules are made of, and those that stores share. Pure. */
export * from './preflight.js';
export * from './rules.js';
export { CHROMIUM_RULES } from './chromium.rules.js';
export * from './values.js';
export { evalInFirefox } from './content-security.js';
export { absentPage, forDevelopment, leftOver, sourceMaps } from './files.js';
export { iconSize, noStoreIcon, oblongIcon } from './icons.js';
export { BUTTONS, iconFiles } from './named-files.js';
export { lookedUpAs } from './absent-files.js';
export { broadHosts, CHROMIUM_PERMISSIONS, FIREFOX_PERMISSIONS, unknownPermissions } from './permissions.js';
export { contentScripts } from './named-files.js';
export { absentResource, remoteScripts } from './resources.js';
