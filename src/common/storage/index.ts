import type { Config } from '../config/index.js';
import type { BlobStore } from './blob-store.js';
import { DiskBlobStore } from './disk-blob-store.js';

export { BlobStore } from './blob-store.js';
export { isDiskFull, isStorageAway } from './storage-away.js';
export { TemporaryFiles } from './temporary-files.js';
export { writeZip, type WrittenZip } from './write-zip.js';

/** Makes the configured blob store: a bucket when `S3_BUCKET` is set, otherwise this machine's disk. */
export async function makeBlobStore(config: Config): Promise<BlobStore> {
  const { s3Bucket: bucket, s3Region: region, s3Endpoint: endpoint } = config;
  if (bucket === undefined) return new DiskBlobStore(config);
  // The SDK is large, and loaded only when it is used.
  const { S3BlobStore } = await import('./s3-blob-store.js');
  return new S3BlobStore({
    bucket,
    region,
    endpoint,
    accessKeyId: config.s3AccessKeyId,
    secretAccessKey: config.s3SecretAccessKey,
  });
}
