import { asList, asNumber, asRecord, asText, redactText } from '../../common/net/index.js';
import { joinTexts, StoreFailure, withFullStop } from '../failures/index.js';
import type { UploadState } from '../store.js';
import type { Platform } from './safari.api.js';
import type { Page, Resource } from './safari.documents.js';

/** An upload of a build over the API (src/stores/README.md#safari-uploads). */
export interface BuildUpload {
  readonly id: string;
  /** The build number. */
  readonly number: string | undefined;
  /** `BuildUploadState`, documented or not. */
  readonly state: string | undefined;
  /** What Apple says against it. */
  readonly errors: string;
  /** The package in it; null while there is none. */
  readonly file: { readonly id: string; readonly name: string | undefined; readonly size: number | undefined } | null;
}

/** A part of a file, and the request that sends it. */
export interface UploadPart {
  readonly number: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes. */
  readonly offset: number;
  readonly length: number;
}

/** A file that waits for its parts. */
export interface UploadFile {
  readonly id: string;
  readonly isUploaded: boolean;
  readonly parts: readonly UploadPart[];
  /** Until when its parts are taken; null when it is not said. */
  readonly expiresAt: Date | null;
}

/** The type of a platform's package, and the ending of its file. */
export const PACKAGES = {
  MAC_OS: { uti: 'com.apple.pkg', ending: 'pkg' },
  IOS: { uti: 'com.apple.ipa', ending: 'ipa' },
} as const satisfies Readonly<Record<Platform, { readonly uti: string; readonly ending: string }>>;

/** More than Apple needs for its largest build. */
const MAX_PARTS = 10_000;
/** Digits of the digest in the name of a file. */
const DIGEST_DIGITS = 16;
/** Characters of Apple's words about one build. */
const MAX_WORDS = 1500;

/** Named after its content, so that one's own file is found again after a lost answer. */
export const fileNameOf = (platform: Platform, sha256: string): string =>
  `build-${sha256.slice(0, DIGEST_DIGITS)}.${PACKAGES[platform].ending}`;

/** Reads uploads that were requested with `include=assetFile`. */
export function uploadsOf({ data, included }: Page): BuildUpload[] {
  return data
    .filter(({ type }) => type === 'buildUploads')
    .map(({ id, attributes, related }) => {
      const state = asRecord(attributes['state']);
      const fileId = related('assetFile');
      const file = included.find((one) => one.type === 'buildUploadFiles' && one.id === fileId)?.attributes;
      return {
        id,
        number: asText(attributes['cfBundleVersion']),
        state: asText(state?.['state']),
        errors: wordsOf(state?.['errors']),
        file:
          fileId == null ? null : { id: fileId, name: asText(file?.['fileName']), size: asNumber(file?.['fileSize']) },
      };
    });
}

/** Each error in Apple's words, with its code. */
const wordsOf = (errors: unknown): string =>
  joinTexts(
    asList(errors)
      .map(asRecord)
      .flatMap((error) => {
        const [code, words] = [asText(error?.['code']), asText(error?.['description'])];
        const text = words === undefined ? code : code === undefined ? words : `${words} (${code})`;
        return text === undefined ? [] : [withFullStop(redactText(text))];
      }),
    MAX_WORDS,
  );

/** What an upload says of its package, for the planner. Pure. */
export function uploadStateOf({ state }: BuildUpload): UploadState | undefined {
  switch (state) {
    // All of it was sent, or nothing is under way: then it is begun again after a while.
    case 'AWAITING_UPLOAD':
      return 'none';
    case 'PROCESSING':
      return 'processing';
    case 'FAILED':
      return 'failed';
    case 'COMPLETE':
      return 'ready';
    default:
      return undefined;
  }
}

/** The headers of a connection are its own: only those that Apple signed are kept. */
const OF_CONNECTION = /^(?:host|content-length|connection|transfer-encoding|expect)$/i;

/**
 * Reads a file and the requests that send its parts.
 * @param size bytes of the package
 * @throws StoreFailure `retry` when the parts are not exactly the file
 */
export function uploadFileOf({ id, attributes }: Resource, size: number): UploadFile {
  const operations = asList(attributes['uploadOperations']).map(asRecord);
  const expiries = operations.flatMap((operation) => {
    const time = Date.parse(asText(operation?.['expiration']) ?? '');
    return Number.isNaN(time) ? [] : [time];
  });
  const parts = operations.map((operation, at): UploadPart => {
    const headers = asList(operation?.['requestHeaders']).map(asRecord);
    return {
      number: String(asNumber(operation?.['partNumber']) ?? at + 1),
      method: asText(operation?.['method']) ?? 'PUT',
      url: asText(operation?.['url']) ?? '',
      headers: Object.fromEntries(
        headers.flatMap((header) => {
          const [name, value] = [asText(header?.['name']), asText(header?.['value'])];
          return name === undefined || value === undefined || OF_CONNECTION.test(name) ? [] : [[name, value]];
        }),
      ),
      offset: asNumber(operation?.['offset']) ?? -1,
      length: asNumber(operation?.['length']) ?? -1,
    };
  });
  if (parts.length > 0) assertWhole(parts, size);
  return {
    id,
    isUploaded: asText(asRecord(attributes['assetDeliveryState'])?.['state']) === 'UPLOAD_COMPLETE',
    parts,
    expiresAt: expiries.length === 0 ? null : new Date(Math.min(...expiries)),
  };
}

/** Together, the parts are every byte of the file once. */
function assertWhole(parts: readonly UploadPart[], size: number): void {
  let end = 0;
  const isGapless = parts
    .toSorted((one, other) => one.offset - other.offset)
    .every(({ offset, length }) => {
      const follows = Number.isSafeInteger(length) && length > 0 && offset === end;
      end += length;
      return follows;
    });
  if (
    !isGapless ||
    end !== size ||
    parts.length > MAX_PARTS ||
    new Set(parts.map(({ number }) => number)).size !== parts.length
  )
    throw new StoreFailure('retry', 'App Store Connect asked for parts that are not the package.');
}

/** What to do about a package, by what App Store Connect already has under its build number. */
export type UploadPlan =
  | { readonly do: 'follow'; readonly upload: BuildUpload }
  | { readonly do: 'send'; readonly upload: BuildUpload | null };

/**
 * Plans an upload by all uploads of the same version, build number and platform (src/stores/README.md#safari-uploads). Pure.
 * @param hasBuild a build with this number is there, however it came
 * @throws StoreFailure `artifact` when another package has the build number
 */
export function planUpload(
  uploads: readonly BuildUpload[],
  own: { readonly name: string; readonly size: number; readonly number: string; readonly version: string },
  hasBuild: boolean,
): UploadPlan {
  const isOwn = ({ file }: BuildUpload): boolean => file?.name === own.name && file.size === own.size;
  const taken = uploads.filter(({ state }) => state !== 'FAILED' && state !== 'AWAITING_UPLOAD');
  const sent = taken.find(isOwn);
  if (sent !== undefined) return { do: 'follow', upload: sent };
  if (hasBuild || taken.length > 0)
    throw new StoreFailure(
      'artifact',
      `App Store Connect already has a build ${own.number} of version ${own.version} with other content. Build the app again with a higher build number, and push it.`,
    );
  const awaiting = uploads.filter(({ state }) => state === 'AWAITING_UPLOAD');
  return { do: 'send', upload: awaiting.find(isOwn) ?? awaiting.find(({ file }) => file === null) ?? null };
}
