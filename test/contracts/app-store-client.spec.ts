import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  appsAppStoreVersionsGetToManyRelated,
  appsBuildUploadsGetToManyRelated,
  appsGetCollection,
  appStoreVersionLocalizationsUpdateInstance,
  appStoreVersionReleaseRequestsCreateInstance,
  appStoreVersionsAppStoreVersionLocalizationsGetToManyRelated,
  appStoreVersionsBuildUpdateToOneRelationship,
  appStoreVersionsCreateInstance,
  buildsGetCollection,
  buildUploadFilesCreateInstance,
  buildUploadFilesUpdateInstance,
  buildUploadsCreateInstance,
  buildUploadsGetInstance,
  buildsUpdateInstance,
  createClient,
  reviewSubmissionItemsCreateInstance,
  reviewSubmissionsCreateInstance,
  reviewSubmissionsGetCollection,
  reviewSubmissionsUpdateInstance,
} from 'appstore-connect-sdk';
import { createSandbox, type Sandbox } from '../../sandbox/sandbox.js';
import { SafariControl } from '../../sandbox/safari/safari-control.js';

let sandbox: Sandbox;
let sim: SafariControl;
beforeAll(async () => {
  sandbox = await createSandbox();
  sim = new SafariControl(sandbox.url);
});
afterAll(() => sandbox.close());

/** An app with a version live, and the client of somebody who may publish it. */
async function clientOf({ individual }: { readonly individual: boolean }) {
  const { teamId, keyId, privateKey, issuerId } = await sim.key({ individual });
  const { appId, bundleId } = await sim.app({
    issuerId: teamId,
    versions: [{ version: '1.0.0', state: 'READY_FOR_DISTRIBUTION' }],
  });
  const key = { privateKeyId: keyId, privateKey, ...(issuerId !== undefined && { issuerId }) };
  return { appId, bundleId, client: createClient({ ...key, baseUrl: sandbox.url }) };
}

/** What a call brought, which must be no error. */
function brought<T>({ data, error }: { readonly data?: T; readonly error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

describe('appstore-connect-sdk, an independent client,', () => {
  it('uploads a build in parts', async () => {
    const { appId, client } = await clientOf({ individual: false });
    await sim.patch(appId, { partBytes: 6 });
    const content = Buffer.from('xar! and more');
    const attributes = {
      cfBundleShortVersionString: '1.1.0',
      cfBundleVersion: '7',
      platform: 'MAC_OS',
    } as const;
    const begin = async (): Promise<string> =>
      brought(
        await buildUploadsCreateInstance({
          client,
          body: {
            data: { type: 'buildUploads', attributes, relationships: { app: { data: { type: 'apps', id: appId } } } },
          },
        }),
      ).data.id;
    const reserve = async (uploadId: string) =>
      brought(
        await buildUploadFilesCreateInstance({
          client,
          body: {
            data: {
              type: 'buildUploadFiles',
              attributes: {
                assetType: 'ASSET',
                fileName: 'app.pkg',
                fileSize: content.length,
                uti: 'com.apple.pkg',
              },
              relationships: { buildUpload: { data: { type: 'buildUploads', id: uploadId } } },
            },
          },
        }),
      ).data;
    const send = async (uploadId: string): Promise<void> => {
      const { id, attributes: file } = await reserve(uploadId);
      for (const { method, url = '', offset = 0, length = 0, requestHeaders = [] } of file?.uploadOperations ?? []) {
        const headers = requestHeaders.map(({ name = '', value = '' }): [string, string] => [name, value]);
        const body = content.subarray(offset, offset + length);
        expect((await fetch(url, { method: method ?? '', headers, body })).status).toBe(200);
      }
      brought(
        await buildUploadFilesUpdateInstance({
          client,
          path: { id },
          body: { data: { type: 'buildUploadFiles', id, attributes: { uploaded: true } } },
        }),
      );
    };
    const stateOf = async (id: string) =>
      brought(await buildUploadsGetInstance({ client, path: { id } })).data.attributes?.state;

    const first = await begin();
    expect(await stateOf(first)).toMatchObject({ state: 'AWAITING_UPLOAD' });
    await send(first);
    expect(await stateOf(first)).toMatchObject({ state: 'COMPLETE', errors: [] });
    const second = await begin();
    await send(second);
    expect(await stateOf(second)).toMatchObject({ state: 'FAILED', errors: [{ code: '90189' }] });
    const listed = await appsBuildUploadsGetToManyRelated({
      client,
      path: { id: appId },
      query: { 'filter[cfBundleVersion]': ['7'], 'filter[platform]': ['MAC_OS'], include: ['assetFile'] },
    });
    expect(brought(listed).data.map(({ id }) => id)).toEqual([first, second]);
    const { counters } = await sim.state(appId);
    expect(counters).toMatchObject({ uploadsCreated: 2, partsReceived: 6, buildsUploaded: 1 });
  });

  it.each([{ individual: false }, { individual: true }])('publishes a build: %o', async (form) => {
    const { appId, bundleId, client } = await clientOf(form);
    const { data: apps } = brought(await appsGetCollection({ client, query: { 'filter[bundleId]': [bundleId] } }));
    expect(apps.map(({ id }) => id)).toEqual([appId]);

    await sim.deliver(appId, { version: '1.1.0', build: '7' });
    const ofVersion = { 'filter[app]': [appId], 'filter[preReleaseVersion.version]': ['1.1.0'] };
    const [build] = brought(
      await buildsGetCollection({
        client,
        query: { ...ofVersion, 'filter[processingState]': ['VALID'], sort: ['-uploadedDate'], limit: 1 },
      }),
    ).data;
    expect(build?.attributes).toMatchObject({ version: '7', processingState: 'VALID', usesNonExemptEncryption: null });
    const buildId = build?.id ?? '';
    brought(
      await buildsUpdateInstance({
        client,
        path: { id: buildId },
        body: { data: { type: 'builds', id: buildId, attributes: { usesNonExemptEncryption: false } } },
      }),
    );

    const { data: version } = brought(
      await appStoreVersionsCreateInstance({
        client,
        body: {
          data: {
            type: 'appStoreVersions',
            attributes: { platform: 'MAC_OS', versionString: '1.1.0', releaseType: 'MANUAL' },
            relationships: { app: { data: { type: 'apps', id: appId } } },
          },
        },
      }),
    );
    const path = { id: version.id };
    await appStoreVersionsBuildUpdateToOneRelationship({
      client,
      path,
      body: { data: { type: 'builds', id: buildId } },
      throwOnError: true,
    });
    const { data: texts } = brought(
      await appStoreVersionsAppStoreVersionLocalizationsGetToManyRelated({ client, path }),
    );
    for (const { id } of texts)
      brought(
        await appStoreVersionLocalizationsUpdateInstance({
          client,
          path: { id },
          body: { data: { type: 'appStoreVersionLocalizations', id, attributes: { whatsNew: 'Owls.' } } },
        }),
      );

    const { data: review } = brought(
      await reviewSubmissionsCreateInstance({
        client,
        body: {
          data: {
            type: 'reviewSubmissions',
            attributes: { platform: 'MAC_OS' },
            relationships: { app: { data: { type: 'apps', id: appId } } },
          },
        },
      }),
    );
    brought(
      await reviewSubmissionItemsCreateInstance({
        client,
        body: {
          data: {
            type: 'reviewSubmissionItems',
            relationships: {
              reviewSubmission: { data: { type: 'reviewSubmissions', id: review.id } },
              appStoreVersion: { data: { type: 'appStoreVersions', id: version.id } },
            },
          },
        },
      }),
    );
    const sent = brought(
      await reviewSubmissionsUpdateInstance({
        client,
        path: { id: review.id },
        body: { data: { type: 'reviewSubmissions', id: review.id, attributes: { submitted: true } } },
      }),
    );
    expect(sent.data.attributes?.state).toBe('WAITING_FOR_REVIEW');
    const open = { 'filter[app]': [appId], 'filter[state]': ['WAITING_FOR_REVIEW' as const] };
    const reviews = brought(await reviewSubmissionsGetCollection({ client, query: { ...open, include: ['items'] } }));
    expect(reviews.data[0]?.relationships?.items?.data).toHaveLength(1);
    expect(reviews.included).toHaveLength(1);

    await sim.act(appId, 'approve');
    brought(
      await appStoreVersionReleaseRequestsCreateInstance({
        client,
        body: {
          data: {
            type: 'appStoreVersionReleaseRequests',
            relationships: { appStoreVersion: { data: { type: 'appStoreVersions', id: version.id } } },
          },
        },
      }),
    );
    const versions = brought(
      await appsAppStoreVersionsGetToManyRelated({
        client,
        path: { id: appId },
        query: { 'filter[platform]': ['MAC_OS'], include: ['build'] },
      }),
    );
    expect(
      versions.data.map(({ attributes, relationships }) => [
        attributes?.versionString,
        attributes?.appVersionState,
        relationships?.build?.data?.id,
      ]),
    ).toEqual([
      ['1.0.0', 'REPLACED_WITH_NEW_VERSION', undefined],
      ['1.1.0', 'READY_FOR_DISTRIBUTION', buildId],
    ]);
  });

  it('understands an error', async () => {
    const { client } = await clientOf({ individual: false });
    const { error } = await reviewSubmissionsCreateInstance({
      client,
      body: {
        data: {
          type: 'reviewSubmissions',
          attributes: { platform: 'MAC_OS' },
          relationships: { app: { data: { type: 'apps', id: '1' } } },
        },
      },
    });
    expect(error).toMatchObject({ errors: [{ status: '404', code: 'NOT_FOUND' }] });
  });
});
