import type { Answer } from '../answer.js';
import { fields, flag, integer, matching, oneOf, optional, required, text } from '../input.js';
import type { StoreCall, StoreRoute } from '../stand-in.js';
import { page } from './documents.js';
import { conflict, notFound } from './errors.js';
import { type BuildUpload, type BuildUploadFile, PLATFORMS } from './model.js';
import { attribute, readDocument, relationship, type Sent } from './requests.js';
import { uploadFileShape, uploadShape } from './resources.js';
import type { SafariRouteBuilder } from './route-builder.js';
import { createFile, createUpload, finishFile, receivePart } from './uploads.js';

const INCLUDES = ['build', 'assetFile', 'assetDescriptionFile', 'assetSpiFile'];
const VERSION = matching(/^\d+(\.\d+){0,2}$/, 'one to three numbers joined by dots');
const BUILD_NUMBER = matching(
  /^(?=.{1,18}$)\d+(\.\d+){0,2}$/,
  'one to three integers joined by dots, in at most 18 characters',
);
const UTIS = [
  'com.apple.binary-property-list',
  'com.apple.ipa',
  'com.apple.pkg',
  'com.apple.xml-property-list',
  'com.pkware.zip-archive',
] as const;

/** The calls that upload a build (src/stores/README.md#safari-uploads). */
export function uploadRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  const { world } = builder;
  const shapeOf = (upload: BuildUpload) => uploadShape(world, upload);
  return [
    builder.appRoute('buildUploads', 'GET', /^\/v1\/apps\/(?<id>[^/]+)\/buildUploads$/, 'apps', (call) =>
      page(call, {
        ...builder.listing(world.uploads.of(call.app.appId).map(shapeOf), call.app),
        includes: INCLUDES,
        filters: {
          cfBundleShortVersionString: ({ attributes }) => attributes.cfBundleShortVersionString,
          cfBundleVersion: ({ attributes }) => attributes.cfBundleVersion,
          platform: ({ attributes }) => attributes.platform,
        },
      }),
    ),
    builder.route('createUpload', 'POST', /^\/v1\/buildUploads$/, (call, key) => {
      const sent = readDocument(call.body, 'buildUploads');
      const app = builder.appOf(key, relationship(sent, 'app'));
      return builder.countingWrites(app, () => {
        const names = {
          version: needed(sent, 'cfBundleShortVersionString', VERSION),
          number: needed(sent, 'cfBundleVersion', BUILD_NUMBER),
        };
        const upload = createUpload(world, app, needed(sent, 'platform', oneOf(PLATFORMS)), names);
        return builder.resourceAnswer(call, shapeOf(upload), 201);
      });
    }),
    builder.appRoute('buildUpload', 'GET', /^\/v1\/buildUploads\/(?<id>[^/]+)$/, 'buildUploads', (call) =>
      builder.resourceAnswer(call, shapeOf(uploadOf(builder, call.id)), 200, INCLUDES),
    ),
    builder.appRoute('deleteUpload', 'DELETE', /^\/v1\/buildUploads\/(?<id>[^/]+)$/, 'buildUploads', (call) => {
      if (!world.uploads.delete(call.id))
        throw conflict('STATE_ERROR.ENTITY_STATE_INVALID', 'The buildUpload can not be deleted in its current state.');
      return { status: 204, headers: {}, body: '' };
    }),
  ];
}

/** The calls about a file of an upload, and the addresses of its parts: in truth at another host than the API. */
export function uploadFileRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  const { world } = builder;
  const fileShape = (call: StoreCall, file: BuildUploadFile) =>
    uploadFileShape(file, originOf(call), world.clock.now());
  return [
    builder.route('createFile', 'POST', /^\/v1\/buildUploadFiles$/, (call, key) => {
      const sent = readDocument(call.body, 'buildUploadFiles');
      const upload = uploadOf(builder, relationship(sent, 'buildUpload'));
      const app = builder.appOf(key, upload.appId);
      return builder.countingWrites(app, () => {
        const file = createFile(world, app, upload, {
          assetType: needed(sent, 'assetType', oneOf(['ASSET', 'ASSET_DESCRIPTION', 'ASSET_SPI'])),
          fileName: needed(sent, 'fileName', text),
          fileSize: needed(sent, 'fileSize', integer(1, 4_000_000_000)),
          uti: needed(sent, 'uti', oneOf(UTIS)),
        });
        return builder.resourceAnswer(call, fileShape(call, file), 201);
      });
    }),
    builder.appRoute('uploadFile', 'GET', /^\/v1\/buildUploadFiles\/(?<id>[^/]+)$/, 'buildUploadFiles', (call) =>
      builder.resourceAnswer(call, fileShape(call, fileOf(builder, call.id))),
    ),
    builder.appRoute('finishFile', 'PATCH', /^\/v1\/buildUploadFiles\/(?<id>[^/]+)$/, 'buildUploadFiles', (call) => {
      const sent = readDocument(call.body, 'buildUploadFiles', call.id);
      const file = fileOf(builder, call.id);
      const checksum = attribute(sent, 'sourceFileChecksums', (value, what) => {
        const whole = optional(fields(value, what), 'file', (given) => fields(given, 'file'));
        if (whole === undefined) return undefined;
        const algorithm = required(whole, 'algorithm', oneOf(['MD5', 'SHA_256']));
        return { algorithm, hash: required(whole, 'hash', text) };
      });
      if (attribute(sent, 'uploaded', flag) === true) finishFile(world, call.app, file, checksum);
      return builder.resourceAnswer(call, fileShape(call, file));
    }),
    {
      operation: 'uploadPart',
      method: 'PUT',
      path: /^\/massilia\/(?<file>[^/]+)\/(?<part>\d+)$/,
      body: 'stream',
      subject: ({ params }) => ({
        itemId: world.uploads.appIdOf(params.file ?? ''),
      }),
      handle: async (call): Promise<Answer> => {
        await receivePart(world, call);
        return { status: 200, headers: { ETag: `"${call.params.part}"` }, body: '' };
      },
    },
  ];
}

function needed<T>(sent: Sent, name: string, check: (value: unknown, what: string) => T): T {
  const value = attribute(sent, name, check);
  if (value === undefined)
    throw conflict('ENTITY_ERROR.ATTRIBUTE.REQUIRED', `You must provide a value for the attribute '${name}'`);
  return value;
}

function uploadOf({ world }: SafariRouteBuilder, id: string): BuildUpload {
  const upload = world.uploads.get(id);
  if (upload === undefined) throw notFound('buildUploads', id);
  return upload;
}

function fileOf({ world }: SafariRouteBuilder, id: string): BuildUploadFile {
  const file = world.uploads.file(id);
  if (file === undefined) throw notFound('buildUploadFiles', id);
  return file;
}

const originOf = ({ headers }: StoreCall): string => `http://${headers.host ?? '127.0.0.1'}`;
