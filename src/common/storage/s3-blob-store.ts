import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  NotFound,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { BlobStore, type StoredBlob } from './blob-store.js';

/** How to reach the bucket; without keys the SDK uses its usual sources (environment, files, instance role). */
export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** Of an object store other than Amazon's, which is addressed by path. */
  readonly endpoint: string | undefined;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
}

/** Stores blobs in a bucket of their own, shared by all processes. Uploads in parts, with constant memory. */
export class S3BlobStore extends BlobStore {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor({ bucket, region, endpoint, accessKeyId, secretAccessKey }: S3Settings) {
    super();
    this.bucket = bucket;
    this.client = new S3Client({
      region,
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      ...(accessKeyId === undefined || secretAccessKey === undefined
        ? {}
        : { credentials: { accessKeyId, secretAccessKey } }),
    });
  }

  override async put(path: string, key: string): Promise<void> {
    const params = { Bucket: this.bucket, Key: key, Body: createReadStream(path), ContentType: 'application/zip' };
    await new Upload({ client: this.client, params, queueSize: 2 }).done();
  }

  override async open(key: string): Promise<Readable> {
    const { Body } = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }));
    if (Body === undefined) throw new Error(`The object ${key} has no body`);
    return Body as Readable;
  }

  override async exists(key: string): Promise<boolean> {
    try {
      await this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key: key }));
      return true;
    } catch (error) {
      if (error instanceof NotFound) return false;
      throw error;
    }
  }

  override async remove(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key }));
  }

  override async *list(): AsyncIterable<StoredBlob> {
    for await (const page of paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket }))
      for (const { Key: key, LastModified: modifiedAt } of page.Contents ?? [])
        if (key !== undefined && modifiedAt !== undefined) yield { key, modifiedAt };
  }

  override async check(): Promise<void> {
    await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }));
  }
}
