/** Receives packages and stores each content once. */
export { PackagesService } from './packages.service.js';
export { type ReceivedPackage, receivePackage } from './receive-package.js';
export { SOURCES, type Upload } from './upload.js';
export { UploadLimitsService } from './upload-limits.service.js';
