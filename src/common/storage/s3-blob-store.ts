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
import { SECOND_MS, USER_AGENT } from '../system/index.js';
import { BlobStore, type ByteRange, type StoredBlob } from './blob-store.js';

/** Timeouts of each of three attempts: to connect, and without a byte sent or received. */
const CONNECT_MS = 5 * SECOND_MS;
const SILENT_MS = 15 * SECOND_MS;
/** An answer to HEAD has no body that explains its status. */
const MEANINGS: Readonly<Record<number, string>> = {
  301: ': it is in another region',
  403: ': the access key is wrong, or may not list it',
  404: ': there is no such bucket',
};

/** Access to the bucket; without keys the SDK uses its usual sources (environment, files, instance role). */
export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** Of an object store other than Amazon's, which is addressed by path. */
  readonly endpoint: string | undefined;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
  readonly silentMs?: number;
}

/** Stores blobs in a bucket that all processes share. Uploads in parts, with constant memory. */
export class S3BlobStore extends BlobStore {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor({ bucket, region, endpoint, accessKeyId, secretAccessKey, silentMs = SILENT_MS }: S3Settings) {
    super();
    this.bucket = bucket;
    this.client = new S3Client({
      region,
      customUserAgent: USER_AGENT,
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: silentMs },
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

  override async open(key: string, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.offset}-${range.offset + range.length - 1}`;
    const { Body } = await this.client.send(
      new GetObjectCommand({ Bucket: this.bucket, Key: key, ...(Range === undefined ? {} : { Range }) }),
    );
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

  override async *list(folder = ''): AsyncIterable<StoredBlob> {
    for await (const page of paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket, Prefix: folder }))
      for (const { Key: key, LastModified: modifiedAt } of page.Contents ?? [])
        if (key !== undefined && modifiedAt !== undefined) yield { key, modifiedAt };
  }

  override async check(): Promise<void> {
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }));
    } catch (error) {
      const { $metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
      const status = $metadata?.httpStatusCode;
      throw status === undefined ? error : new Error(`it answers ${status}${MEANINGS[status] ?? ''}`);
    }
  }
}
