/** The files of packages and sources: received, limited, and stored once per content. */
export { BlobsRepository, type PackageRead } from './blobs.repository.js';
export { PackageReader } from './package-reader.js';
export { PackagesService } from './packages.service.js';
export { receivePackage, type ReceivedPackage } from './receive-package.js';
export { FILE, SOURCES, type Upload } from './upload.js';
export { UploadLimitsService } from './upload-limits.service.js';
