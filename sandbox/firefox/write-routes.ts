import { randomUUID } from 'node:crypto';
import { type Answer, jsonAnswer } from '../answer.js';
import { type Fields, fields, flag, InvalidInput, optional, required, text } from '../input.js';
import type { StoreRoute } from '../stand-in.js';
import { type Addon, type AddonVersion, currentOf, type StoredFile, type Upload } from './addon.js';
import { addonBody, uploadBody, versionBody } from './bodies.js';
import { discard, type ReadBody, readBody } from './body-reader.js';
import { fieldRefusal } from './errors.js';
import { requireOwnAddon, type AuthenticatedCall, authenticatedRoute, versionOf } from './authenticated-route.js';
import { readPackage } from './package-reader.js';
import { disable } from './review.js';
import {
  addVersion,
  assertAboveApproved,
  assertAppsFree,
  assertNumberFree,
  assertSource,
  assertVersionAllowed,
  disablePending,
  readTexts,
  type VersionTexts,
} from './versions.js';
import type { Throttle } from './throttles.js';
import type { FirefoxWorld } from './world.js';

const MAX_PACKAGE_BYTES = 200 * 1024 * 1024;
/** Requirements of a listing before its first listed version (src/stores/README.md#firefox-errors). */
const METADATA = ['categories', 'license', 'summary'] as const;
const ADDON = '/addons/addon/(?<id>[^/]+)/';
const VERSION = `${ADDON}versions/(?<version>[^/]+)/`;

type Change = (authenticated: AuthenticatedCall, body: ReadBody) => Answer | Promise<Answer>;

/** The calls that change something (src/stores/README.md#firefox-calls). */
export function changeRoutes(world: FirefoxWorld, scratch: string): StoreRoute[] {
  const route = (operation: string, method: string, path: string, change: Change, throttle: Throttle = 'write') =>
    authenticatedRoute(world, { operation, method, path, body: 'stream', throttle }, async (authenticated) => {
      const body = await readBody(authenticated.call, scratch);
      try {
        return await change(authenticated, body);
      } catch (error) {
        await discard(body);
        if (error instanceof InvalidInput) throw fieldRefusal('non_field_errors', error.message);
        throw error;
      }
    });
  const put: Change = (authenticated, { values }) => putVersion(world, authenticated, values);
  return [
    route('upload', 'POST', '/addons/upload/', (caller, body) => takeUpload(world, caller, body), 'upload'),
    route('createVersion', 'POST', `${ADDON}versions/`, (caller, body) => postVersion(world, caller, body)),
    route('editVersion', 'PATCH', VERSION, (caller, body) => editVersion(world, caller, body)),
    route('rollback', 'POST', `${VERSION}rollback/`, (caller, { values }) => rollback(world, caller, values)),
    route('createAddon', 'POST', '/addons/addon/', put),
    route('putAddon', 'PUT', ADDON, put),
    route('editAddon', 'PATCH', ADDON, (caller, { values }) => editAddon(world, caller, values)),
    authenticatedRoute(
      world,
      { operation: 'deleteVersion', method: 'DELETE', path: VERSION, throttle: 'write' },
      (authenticated) => deleteVersion(world, authenticated),
    ),
  ];
}

async function postVersion(
  world: FirefoxWorld,
  authenticated: AuthenticatedCall,
  { values, files }: ReadBody,
): Promise<Answer> {
  const addon = requireOwnAddon(world, authenticated);
  const version = await createVersion(world, addon, authenticated, values, files.source);
  await discard({ values, files });
  return jsonAnswer(201, versionBody(version, addon, authenticated.origin));
}

function editAddon(world: FirefoxWorld, authenticated: AuthenticatedCall, values: Fields): Answer {
  const addon = requireOwnAddon(world, authenticated);
  addon.isDisabled = optional(values, 'is_disabled', flag) ?? addon.isDisabled;
  fillMetadata(addon, values);
  return jsonAnswer(200, addonBody(addon, authenticated.origin));
}

function deleteVersion(world: FirefoxWorld, authenticated: AuthenticatedCall): Answer {
  const addon = requireOwnAddon(world, authenticated);
  const version = versionOf(addon, authenticated.call);
  addon.versions = addon.versions.filter((one) => one !== version);
  addon.usedNumbers.push(version.version);
  addon.counters.edits += 1;
  return { status: 204, headers: {}, body: '' };
}

async function takeUpload(
  world: FirefoxWorld,
  authenticated: AuthenticatedCall,
  { values, files }: ReadBody,
): Promise<Answer> {
  const { upload: file } = files;
  const { account, origin, now } = authenticated;
  if (!file) throw fieldRefusal(null, 'Missing "upload" key in multipart file data.');
  const channel = values.channel;
  if (channel !== 'listed' && channel !== 'unlisted') throw fieldRefusal(null, 'Missing "channel" arg.');
  if (!/\.(crx|xpi|zip)$/i.test(file.name)) {
    throw fieldRefusal('upload', 'Unsupported file type, please upload a supported file (.crx, .xpi, .zip).');
  }
  if (file.size > MAX_PACKAGE_BYTES) {
    throw fieldRefusal('upload', 'Please use a file smaller than 200 MB.');
  }
  const report = await readPackage(file.path);
  const upload: Upload = {
    uuid: randomUUID().replaceAll('-', ''),
    issuer: account.issuer,
    channel,
    file,
    createdAt: now,
    ...report,
    // AMO never includes the validation in the answer to an upload.
    pollsLeft: account.validationPolls + 1,
    isSubmitted: false,
  };
  world.keepUpload(upload);
  const addon = upload.guid === null ? undefined : world.addon(upload.guid);
  if (addon) addon.counters.uploads += 1;
  return jsonAnswer(201, uploadBody(upload, origin));
}

async function createVersion(
  world: FirefoxWorld,
  addon: Addon,
  { account, now }: AuthenticatedCall,
  values: Fields,
  source: StoredFile | undefined,
): Promise<AddonVersion> {
  if (source) await assertSource(source);
  const texts = readTexts(values);
  const upload = requireUpload(world, values, account.issuer);
  const number = assertVersionAllowed(addon, upload, texts);
  const version = addVersion(addon, {
    id: world.newVersionId(),
    version: number,
    channel: upload.channel,
    createdAt: now,
    file: upload.file,
    source: source ? sourceOf(source) : null,
    locksAndroid: upload.locksAndroid,
    ...texts,
  });
  upload.isSubmitted = true;
  addon.counters.versions += 1;
  return version;
}

function requireUpload(world: FirefoxWorld, values: Fields, issuer: string): Upload {
  const uuid = values.upload;
  if (uuid === undefined) throw fieldRefusal('upload', 'This field is required.');
  const upload = typeof uuid === 'string' ? world.upload(uuid, issuer) : undefined;
  if (!upload) throw fieldRefusal('upload', `Object with uuid=${JSON.stringify(uuid)} does not exist.`);
  return upload;
}

/** Creates a version, and the add-on if it does not exist (src/stores/README.md#firefox-calls). */
async function putVersion(world: FirefoxWorld, authenticated: AuthenticatedCall, values: Fields): Promise<Answer> {
  const { account, call, origin } = authenticated;
  const wanted = fields(
    required(values, 'version', (value) => value),
    'version',
  );
  const upload = requireUpload(world, wanted, account.issuer);
  const id = call.params.id ?? upload.guid ?? undefined;
  const found = id === undefined ? undefined : world.addon(id);
  if (!found && upload.errors.length > 0) throw fieldRefusal('upload', 'Upload is not valid.');
  const addon = found
    ? requireOwnAddon(world, { ...authenticated, call: { ...call, params: { id: found.guid } } })
    : newAddon(world, authenticated, upload, id);
  fillMetadata(addon, { ...values, ...(wanted.license !== undefined && { license: wanted.license }) });
  const version = await createVersion(world, addon, authenticated, wanted, undefined).catch((error: unknown) => {
    // A new add-on is not created without its first version.
    if (!found) world.removeAddon(addon);
    throw error;
  });
  const body = { ...addonBody(addon, origin), version: versionBody(version, addon, origin) };
  return jsonAnswer(found ? 200 : 201, body);
}

function newAddon(
  world: FirefoxWorld,
  { account }: AuthenticatedCall,
  upload: Upload,
  guid: string | undefined,
): Addon {
  const addon = world.createAddon(account, { guid, name: upload.name ?? undefined });
  addon.missingMetadata = upload.channel === 'listed' ? [...METADATA] : [];
  if (upload.guid === addon.guid) addon.counters.uploads += 1;
  return addon;
}

function fillMetadata(addon: Addon, values: Fields): void {
  addon.missingMetadata = addon.missingMetadata.filter((name) => values[name] === undefined);
}

async function editVersion(
  world: FirefoxWorld,
  authenticated: AuthenticatedCall,
  { values, files }: ReadBody,
): Promise<Answer> {
  const addon = requireOwnAddon(world, authenticated);
  const version = versionOf(addon, authenticated.call);
  const { source } = files;
  if (source) {
    if (version.wasApproved && version.channel === 'listed') {
      throw fieldRefusal('source', 'Source cannot be changed because this version has been reviewed by Mozilla.');
    }
    await assertSource(source);
    version.source = sourceOf(source);
    await discard({ values, files });
  }
  const texts: Partial<VersionTexts> = readTexts(values);
  assertAppsFree(version, texts);
  Object.assign(version, texts);
  if (optional(values, 'is_disabled', flag) === true) disable(version);
  addon.counters.edits += 1;
  return jsonAnswer(200, versionBody(version, addon, authenticated.origin));
}

const sourceOf = ({ name, type, size, sha256 }: StoredFile): AddonVersion['source'] => ({ name, type, size, sha256 });

/**
 * Publishes an approved version again under a new number, and ends the reviews of its channel (src/stores/README.md#firefox-rollback); the answer comes
 * before it is done.
 */
function rollback(world: FirefoxWorld, authenticated: AuthenticatedCall, values: Fields): Answer {
  const addon = requireOwnAddon(world, authenticated);
  const target = versionOf(addon, authenticated.call);
  const number = required(values, 'new_version_string', text);
  const { channel } = target;
  assertNumberFree(addon, number);
  assertAboveApproved(addon, number);
  const current = currentOf(addon, channel);
  const earlier = addon.versions.filter((one) => one.channel === channel && one.wasApproved && one !== current);
  const allowed = channel === 'listed' ? earlier.slice(-1) : earlier;
  if (!allowed.includes(target)) throw fieldRefusal('non_field_errors', 'This version cannot be rolled back to.');
  disablePending(addon, channel);
  addVersion(addon, {
    id: world.newVersionId(),
    version: number,
    channel,
    createdAt: authenticated.now,
    file: target.file,
    locksAndroid: target.locksAndroid,
    status: 'public',
    rolledBackTo: target.version,
    ...readTexts(values),
  });
  addon.counters.rollbacks += 1;
  return jsonAnswer(202, {});
}
