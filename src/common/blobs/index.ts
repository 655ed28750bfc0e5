import type { Config } from '../config/index.js';
import type { BlobStore } from './blob-store.js';
import { DiskBlobStore } from './disk-blob-store.js';
import { S3BlobStore } from './s3-blob-store.js';

export { BlobStore, type StoredBlob } from './blob-store.js';
export { TemporaryFiles } from './temporary-files.js';

/** The blob store that the configuration names: a bucket when `S3_BUCKET` is set, else this machine's disk. */
export function makeBlobStore(config: Config): BlobStore {
  const {
    s3Bucket: bucket,
    s3Region: region,
    s3Endpoint: endpoint,
    s3AccessKeyId: accessKeyId,
    s3SecretAccessKey: secretAccessKey,
  } = config;
  return bucket === undefined
    ? new DiskBlobStore(config)
    : new S3BlobStore({ bucket, region, endpoint, accessKeyId, secretAccessKey });
}
