import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Refusal, textAnswer } from '../answer.js';
import type { StoreCall } from '../stand-in.js';
import { conflict } from './errors.js';
import type { App, BuildUpload, BuildUploadFile, Platform, UploadPart } from './model.js';
import type { SafariWorld } from './world.js';

/** The type of a platform's package, and how one begins (src/stores/README.md#safari-uploads). */
const PACKAGES: Readonly<Partial<Record<Platform, { readonly uti: string; readonly start: string }>>> = {
  MAC_OS: { uti: 'com.apple.pkg', start: 'xar!' },
  IOS: { uti: 'com.apple.ipa', start: 'PK' },
};

/** Begins an upload of a build. Apple finds a repeated build number only when it processes the build. */
export function createUpload(world: SafariWorld, app: App, platform: Platform, names: UploadNames): BuildUpload {
  app.counters.uploadsCreated += 1;
  return world.uploads.add({
    id: randomUUID(),
    appId: app.appId,
    platform,
    ...names,
    createdAt: world.clock.now(),
    file: null,
    completedAt: null,
    buildId: null,
    error: null,
  });
}

interface UploadNames {
  readonly version: string;
  readonly number: string;
}

interface FileInput {
  readonly assetType: string;
  readonly fileName: string;
  readonly fileSize: number;
  readonly uti: string;
}

/** Reserves a file, in parts. One that was not finished is replaced. */
export function createFile(world: SafariWorld, app: App, upload: BuildUpload, input: FileInput): BuildUploadFile {
  if (upload.completedAt !== null)
    throw conflict('STATE_ERROR.ENTITY_STATE_INVALID', 'The buildUpload does not take files in its current state.');
  if (input.assetType !== 'ASSET' || input.uti !== PACKAGES[upload.platform]?.uti)
    throw conflict(
      'ENTITY_ERROR.ATTRIBUTE.INVALID',
      `The value '${input.uti}' of the attribute 'uti' is not that of a build for ${upload.platform}.`,
    );
  const now = world.clock.now();
  app.counters.filesCreated += 1;
  const parts: UploadPart[] = [];
  for (let offset = 0; offset < input.fileSize; offset += app.partBytes)
    parts.push({
      number: parts.length + 1,
      offset,
      length: Math.min(app.partBytes, input.fileSize - offset),
      token: randomBytes(12).toString('hex'),
      content: null,
    });
  const expiresAt = new Date(now.getTime() + app.partSeconds * 1000);
  upload.file = { id: randomUUID(), uploadId: upload.id, ...input, expiresAt, parts, isUploaded: false };
  return upload.file;
}

/** The headers that a part must be sent with, besides its length. */
export const partHeaders = ({ token }: UploadPart): Readonly<Record<string, string>> => ({
  'Content-Type': 'application/octet-stream',
  'X-Part-Token': token,
});

/** Takes a part. Whoever has its address may send it, so a token of the API does not belong there. */
export async function receivePart(world: SafariWorld, call: StoreCall): Promise<void> {
  const file = world.uploads.file(call.params.file ?? '');
  const part = file?.parts.find(({ number }) => String(number) === call.params.part);
  if (file === undefined || part === undefined) throw refused(404, 'NoSuchUpload');
  assertAcceptable(call, part, !file.isUploaded && world.clock.now() < file.expiresAt);
  const chunks: Buffer[] = [];
  for await (const chunk of call.stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
    chunks.push(chunk);
  const content = Buffer.concat(chunks);
  if (content.length !== part.length) throw refused(400, 'IncompleteBody');
  part.content = content;
  const app = world.app(world.uploads.appIdOf(file.id) ?? '');
  if (app) app.counters.partsReceived += 1;
}

function assertAcceptable(call: StoreCall, part: UploadPart, isOpen: boolean): void {
  if (call.headers.authorization !== undefined) throw refused(400, 'InvalidArgument: Only one auth mechanism allowed');
  if (!isOpen) throw refused(403, 'AccessDenied: Request has expired');
  for (const [name, value] of Object.entries(partHeaders(part)))
    if (call.headers[name.toLowerCase()] !== value) throw refused(403, `SignatureDoesNotMatch: ${name}`);
  if (call.headers['content-length'] === undefined) throw refused(411, 'MissingContentLength');
  if (Number(call.headers['content-length']) !== part.length) throw refused(400, 'EntityTooLarge');
}

const refused = (status: number, code: string): Refusal =>
  new Refusal(textAnswer(status, 'application/xml', `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`), code);

interface Checksum {
  readonly hash: string;
  readonly algorithm: 'MD5' | 'SHA_256';
}

/** Ends the upload of a file, whose processing begins. */
export function finishFile(world: SafariWorld, app: App, file: BuildUploadFile, checksum: Checksum | undefined): void {
  const upload = world.uploads.get(file.uploadId);
  if (upload === undefined || file.isUploaded) return;
  if (file.parts.some(({ content }) => content === null))
    throw conflict('STATE_ERROR.ENTITY_STATE_INVALID', 'The file can not be completed: parts of it were not uploaded.');
  const content = Buffer.concat(file.parts.map((part) => part.content ?? Buffer.alloc(0)));
  if (checksum !== undefined && hashOf(content, checksum.algorithm) !== checksum.hash.toLowerCase())
    throw conflict(
      'ENTITY_ERROR.ATTRIBUTE.INVALID',
      "The value of the attribute 'sourceFileChecksums' does not match.",
    );
  for (const part of file.parts) part.content = null;
  file.isUploaded = true;
  upload.completedAt = new Date(world.clock.now().getTime() + app.uploadSeconds * 1000);
  upload.error = faultIn(world, app, upload, content);
}

const hashOf = (content: Buffer, algorithm: Checksum['algorithm']): string =>
  createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(content)
    .digest('hex');

/** Why Apple refuses a build while it processes it; null for nothing. */
function faultIn(world: SafariWorld, app: App, upload: BuildUpload, content: Buffer): BuildUpload['error'] {
  const { platform, version, number } = upload;
  const start = PACKAGES[platform]?.start ?? '';
  if (app.uploadRefusal !== null) return { code: '90000', description: app.uploadRefusal };
  if (content.subarray(0, start.length).toString('latin1') !== start)
    return { code: '90186', description: 'Invalid package. The uploaded file is not a package of this platform.' };
  const isTaken = (one: { readonly version: string; readonly number: string }): boolean =>
    one.version === version && one.number === number;
  const builds = world.buildsOf(app.appId).filter((build) => build.platform === platform);
  const uploads = world.uploads
    .of(app.appId)
    .filter((one) => one !== upload && one.platform === platform && one.completedAt !== null && one.error === null);
  if ([...builds, ...uploads].some(isTaken))
    return {
      code: '90189',
      description: `Redundant Binary Upload. You've already uploaded a build with build number '${number}' for version number '${version}'. Make sure you increment the build string before you upload your app to App Store Connect.`,
    };
  return null;
}

/** The state of an upload; one whose processing has ended has its build. */
export function uploadState(world: SafariWorld, upload: BuildUpload): string {
  const now = world.clock.now();
  if (upload.completedAt === null) return 'AWAITING_UPLOAD';
  if (now < upload.completedAt) return 'PROCESSING';
  if (upload.error !== null) return 'FAILED';
  const app = world.app(upload.appId);
  if (upload.buildId === null && app !== undefined) {
    app.counters.buildsUploaded += 1;
    const { appId, platform, version, number } = upload;
    upload.buildId = world.addBuild({
      id: randomUUID(),
      appId,
      platform,
      version,
      number,
      uploadedAt: upload.createdAt,
      processedAt: new Date(upload.completedAt.getTime() + app.buildSeconds * 1000),
      outcome: app.buildOutcome,
      audience: 'APP_STORE_ELIGIBLE',
      expired: false,
      usesNonExemptEncryption: app.encryptionInBuilds,
    }).id;
  }
  return 'COMPLETE';
}
