import type { Readable } from 'node:stream';
import { HttpFailure } from '../../common/net/index.js';
import { isWebPage, retryAfterOf, StoreFailure } from '../failures/index.js';
import { callStore } from '../store-http.js';
import { link, query, type SafariApi, type SafariApp } from './safari.api.js';
import { pageOf } from './safari.documents.js';
import { isNotFound } from './safari.errors.js';
import {
  PACKAGES,
  uploadFileOf,
  uploadsOf,
  type BuildUpload,
  type UploadFile,
  type UploadPart,
} from './safari.uploads.js';

const UPLOAD_FIELDS = {
  'fields[buildUploads]': 'cfBundleVersion,state,assetFile',
  include: 'assetFile',
};

/** The calls that upload a build (src/stores/README.md#safari-uploads). Each may throw a `StoreFailure`. */
export class SafariUploadClient {
  constructor(private readonly api: SafariApi) {}

  now(): Date {
    return this.api.clock.now();
  }

  /** The uploads of a build number of a version, on the platform. */
  async uploads({ credentials, appId, platform }: SafariApp, version: string, number: string): Promise<BuildUpload[]> {
    const path = `/v1/apps/${encodeURIComponent(appId)}/buildUploads?${query({
      'filter[cfBundleShortVersionString]': version,
      'filter[cfBundleVersion]': number,
      'filter[platform]': platform,
      ...UPLOAD_FIELDS,
      'fields[buildUploadFiles]': 'fileName,fileSize',
      limit: 200,
    })}`;
    return uploadsOf(await this.api.pages(credentials, path));
  }

  /** One upload; null when it is gone. */
  async upload({ credentials }: SafariApp, id: string): Promise<BuildUpload | null> {
    const path = `/v1/buildUploads/${encodeURIComponent(id)}?${query(UPLOAD_FIELDS)}`;
    try {
      const [upload] = uploadsOf(pageOf(await this.api.call(credentials, { method: 'GET', path })));
      return upload ?? null;
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  }

  /** @returns the id of the new upload */
  async createUpload({ credentials, appId, platform }: SafariApp, version: string, number: string): Promise<string> {
    const attributes = { cfBundleShortVersionString: version, cfBundleVersion: number, platform };
    const body = { data: { type: 'buildUploads', attributes, relationships: { app: link('apps', appId) } } };
    return (await this.api.created(credentials, { method: 'POST', path: '/v1/buildUploads', body })).id;
  }

  async createFile(
    { credentials, platform }: SafariApp,
    uploadId: string,
    { name, size }: { readonly name: string; readonly size: number },
  ): Promise<UploadFile> {
    const attributes = { assetType: 'ASSET', fileName: name, fileSize: size, uti: PACKAGES[platform].uti };
    const relationships = { buildUpload: link('buildUploads', uploadId) };
    const body = { data: { type: 'buildUploadFiles', attributes, relationships } };
    const made = await this.api.created(credentials, { method: 'POST', path: '/v1/buildUploadFiles', body });
    return uploadFileOf(made, size);
  }

  async file({ credentials }: SafariApp, id: string, size: number): Promise<UploadFile | null> {
    const path = `/v1/buildUploadFiles/${encodeURIComponent(id)}`;
    const [found] = pageOf(await this.api.call(credentials, { method: 'GET', path })).data;
    return found === undefined ? null : uploadFileOf(found, size);
  }

  /**
   * Sends a part to the address that Apple has signed for it, without the token of the API.
   * @returns whether it was taken
   */
  async sendPart({ method, url, headers, length }: UploadPart, body: Readable): Promise<boolean> {
    return callStore('Apple', async () => {
      try {
        const sent = { ...headers, 'Content-Length': String(length) };
        const answer = await this.api.http.request({ method, url, headers: sent, body });
        const { status } = answer;
        if (status >= 500 || status === 408 || status === 429 || isWebPage(answer))
          throw new StoreFailure('retry', `Apple answered ${status} to a part of the package.`, {
            status,
            retryAt: retryAfterOf(answer, this.now()),
          });
        return status < 300;
      } catch (error) {
        if (!(error instanceof HttpFailure) || error.kind !== 'refused_host') throw error;
        throw new StoreFailure(
          'config',
          'Apple wants the package at an address to which this server sends nothing. Its operator can allow the domain in ASC_UPLOAD_DOMAINS.',
          { cause: error },
        );
      }
    });
  }

  /** Says that all parts of a file were sent. */
  async finishFile({ credentials }: SafariApp, id: string, sha256: string): Promise<void> {
    const sourceFileChecksums = { file: { hash: sha256, algorithm: 'SHA_256' } };
    const body = { data: { type: 'buildUploadFiles', id, attributes: { uploaded: true, sourceFileChecksums } } };
    await this.api.call(credentials, { method: 'PATCH', path: `/v1/buildUploadFiles/${encodeURIComponent(id)}`, body });
  }
}
